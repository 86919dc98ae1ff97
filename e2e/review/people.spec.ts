import { login } from '#contract/accounts/sessions.ts'
import { changeRole } from '#contract/dashboard/person.ts'
import { expectAccessibleExceptColors, expectAccessibleOnPhone } from '../checks/axe.ts'
import { keepToasts, submitLogin, toast } from '../steps/account-steps.ts'
import { sectionLink } from '../steps/dashboard-steps.ts'
import { download } from '../steps/page-steps.ts'
import { hold } from '../support/intercept.ts'
import { expect, test } from '../support/product.ts'

const REASON = 'Several accounts with one wallet.'

test('an administrator bans a participant and lifts the ban', async ({ page, product }) => {
  test.slow()
  const claimant = await product.newClaimant()
  const { username } = claimant.user
  const { email, password, from } = claimant
  const logIn = () => product.call(login, { body: { email, password }, from })
  const liftButton = page.getByRole('button', { name: 'Lift the ban' })
  const rowWithCell = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) })
  const search = async (text: string) => {
    await page.getByRole('searchbox').fill(text)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
  }
  await product.openAs(page, await product.admin(), '/dashboard')

  await test.step('“all” is an ordinary search word, for claims and for people', async () => {
    await search('all')
    await expect(page).toHaveURL(/\/dashboard\?(.*&)?search=all$/)
    await sectionLink(page, 'People').click()
    await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()
    await search('all')
    await expect(page).toHaveURL(/\/people\?(.*&)?search=all$/)
  })

  await test.step('finds the participant by the beginning of the wallet', async () => {
    await search(claimant.proof.wallet.slice(0, 20))
    await page.getByRole('link', { name: username }).click()
    await expect(page.getByRole('heading', { level: 1, name: username })).toBeVisible()
    await expect(page.getByText(claimant.proof.wallet)).toBeVisible()
    await expectAccessibleExceptColors(page, 'the person', 'main')
    await expectAccessibleOnPhone(page, 'the person', 'main')
  })

  await test.step('bans the participant, which rejects the claim', async () => {
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Ban ${username}` })
    await dialog.getByLabel('Reason').fill(REASON)
    await dialog.getByRole('button', { name: 'Ban', exact: true }).click()
    await expect(page.getByText(REASON).first()).toBeVisible()
    await expect(rowWithCell('Banned')).toBeVisible()
    await expect(rowWithCell('Claim rejected')).toContainText('→ Rejected · The account was suspended.')
    await expect(liftButton).toBeVisible()
  })

  await test.step('the participant cannot log in', async () => {
    expect((await logIn()).body.message).toBe('This account has been suspended.')
  })

  await test.step('lifts the ban, and the participant can log in again', async () => {
    await liftButton.click()
    const dialog = page.getByRole('dialog', { name: `Lift the ban on ${username}` })
    await dialog.getByRole('button', { name: 'Lift the ban' }).click()
    await expect(page.getByText('The ban is lifted, and their claim is being reviewed again.')).toBeVisible()
    expect((await logIn()).status).toBe(200)
  })

  await test.step('opens the person at a Spanish address, and follows the link to the claim', async () => {
    await page.context().addCookies([{ name: 'locale', value: 'es', url: product.url }])
    await page.goto(`/es/dashboard/people/${claimant.user._id}`)
    await page.getByRole('link', { name: 'Abrir en la lista de solicitudes' }).click()
    await expect(page).toHaveURL(/\/es\/dashboard\?view=waiting&search=/)
    await expect(page.getByRole('row').filter({ hasText: username })).toBeVisible()
  })
})

test('a late answer leaves the next dialog open, even a dialog of the same action', async ({
  page,
  product,
}) => {
  const { user } = await product.newParticipant()
  await product.openAs(page, await product.admin(), `/dashboard/people/${user._id}`)
  await keepToasts(page)
  const copyButton = page.getByRole('button', { name: 'Copy of their data' })
  const copyDialog = page.getByRole('dialog', { name: `Copy of the data of ${user.username}` })

  /** Requests a copy and closes the dialog. @returns a function that delivers the copy. */
  const requestCopy = async () => {
    const call = await hold(page, `**/${user._id}/export`, 'POST')
    await copyButton.click()
    await copyDialog.getByRole('button', { name: 'Download' }).click()
    await copyDialog.getByRole('button', { name: 'Cancel' }).click()
    return async () => {
      const saved = page.waitForEvent('download')
      call.release()
      await saved
    }
  }

  await test.step('the dialog of another action', async () => {
    const receiveCopy = await requestCopy()
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    const reason = page.getByRole('dialog', { name: `Ban ${user.username}` }).getByLabel('Reason')
    await reason.fill(REASON)
    await receiveCopy()
    await expect(toast(page, 'The copy was downloaded.')).toBeVisible()
    await expect(reason).toHaveValue(REASON)
    await page.keyboard.press('Escape')
  })

  await test.step('the dialog of the same action', async () => {
    const receiveCopy = await requestCopy()
    await copyButton.click()
    await receiveCopy()
    await expect(toast(page, 'The copy was downloaded.')).toHaveCount(2)
    await expect(copyDialog).toBeVisible()
  })
})

test('an invitation that a colleague has already sent closes the dialog', async ({ page, product }) => {
  const { user } = await product.newParticipant()
  const admin = await product.admin()
  await product.openAs(page, admin, `/dashboard/people/${user._id}`)
  await keepToasts(page)
  await page.getByRole('button', { name: 'Invite as administrator' }).click()
  await product.callOrFail(changeRole, {
    token: admin.token,
    params: { userId: user._id },
    body: { role: 'admin' },
  })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Invite as administrator' }).click()
  await expect(toast(page, 'This person already has that role, or an open offer of it.')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Withdraw the invitation' })).toBeVisible()
})

test('a participant downloads their data and deletes the account', async ({ page, product }) => {
  const person = await product.newClaimant()
  const { username } = person.user
  await product.openAs(page, person, '/profile')

  await test.step('downloads the data, but only with the right password', async () => {
    await page.getByRole('button', { name: 'Download your data' }).click()
    const dialog = page.getByRole('dialog', { name: 'Download your data' })
    const password = dialog.getByLabel('Password', { exact: true })
    const downloadButton = dialog.getByRole('button', { name: 'Download' })
    await password.fill('not the password')
    await downloadButton.click()
    await expect(dialog.getByText('Your current password is wrong.')).toBeVisible()
    await password.fill(person.password)
    const { name, content } = await download(page, downloadButton)
    expect(name).toBe(`${username}.json`)
    expect(content.toString()).toContain(person.proof.wallet)
  })

  await test.step('deletes the account, but only with the right username', async () => {
    await page.getByRole('button', { name: 'Delete your account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account' })
    const usernameField = dialog.getByLabel(`Type ${username} to confirm`)
    const deleteButton = dialog.getByRole('button', { name: 'Delete permanently' })
    await expectAccessibleOnPhone(page, 'the deletion', 'dialog[open]')
    await dialog.getByLabel('Password', { exact: true }).fill(person.password)
    await usernameField.fill('someone else')
    await deleteButton.click()
    await expect(dialog.getByText('This doesn’t match the account’s username.')).toBeVisible()
    await usernameField.fill(username)
    await deleteButton.click()
    await expect(page.getByText('The account has been deleted.')).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
  })

  await test.step('can no longer log in', async () => {
    await submitLogin(page, person)
    await expect(toast(page, 'Invalid email or password.')).toBeVisible()
  })

  await test.step('leaves administrators the claim without its proof', async () => {
    await product.openAs(page, await product.admin(), `/dashboard/people/${person.user._id}`)
    await expect(page.getByRole('heading', { name: 'Deleted account' })).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(1)
    // In the database, `deleted-` and the claim's id replace what was erased.
    await expect(page.getByRole('main')).not.toContainText('deleted-')
  })
})
