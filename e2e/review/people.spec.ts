import { readFile } from 'node:fs/promises'
import { keepToasts, submitLogin, toast } from '../steps/account-steps.ts'
import { expectAccessibleEverywhere } from '../checks/axe.ts'
import { hold } from '../support/intercept.ts'
import { expect, test } from '../support/product.ts'

test('an administrator finds a participant by wallet, bans them, lifts the ban and, in Spanish, follows the link to the claim', async ({
  browser,
  page,
  product,
}) => {
  test.slow()
  const claimant = await product.newClaimant()
  const { username } = claimant.user
  await product.storeSession(page, await product.admin())
  await page.goto('/dashboard')
  const search = async (text: string) => {
    await page.getByRole('searchbox').fill(text)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
  }
  // “All” is a word like any other.
  await search('all')
  await expect(page).toHaveURL(/\/dashboard\?(.*&)?search=all$/)
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'People' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()
  await search('all')
  await expect(page).toHaveURL(/\/people\?(.*&)?search=all$/)
  await search(claimant.proof.wallet.slice(0, 20))
  await page.getByRole('link', { name: username }).click()
  await expect(page.getByRole('heading', { level: 1, name: username })).toBeVisible()
  await expect(page.getByText(claimant.proof.wallet)).toBeVisible()
  await expectAccessibleEverywhere(page, 'the person', 'main')

  await page.getByRole('button', { name: 'Ban', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Ban ${username}` })
  await dialog.getByLabel('Reason').fill('Several accounts with one wallet.')
  await dialog.getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(page.getByText('Several accounts with one wallet.').first()).toBeVisible()
  await expect(
    page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'Banned', exact: true }) }),
  ).toBeVisible()
  const rejected = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'Claim rejected' }) })
  await expect(rejected).toContainText('→ Rejected · The account was suspended.')
  await expect(page.getByRole('button', { name: 'Lift the ban' })).toBeVisible()

  const participantPage = await browser.newPage({ baseURL: product.url })
  const logIn = async () => {
    await participantPage.goto('/login')
    await submitLogin(participantPage, claimant)
  }
  await logIn()
  await expect(participantPage.getByText('This account has been suspended.')).toBeVisible()

  await page.getByRole('button', { name: 'Lift the ban' }).click()
  const unbanDialog = page.getByRole('dialog', { name: `Lift the ban on ${username}` })
  await unbanDialog.getByRole('button', { name: 'Lift the ban' }).click()
  await expect(page.getByText('The ban is lifted, and their claim is being reviewed again.')).toBeVisible()
  await logIn()
  await expect(participantPage).toHaveURL(/\/profile$/)
  await participantPage.close()

  // The address is enough to return to the person.
  await page.context().addCookies([{ name: 'locale', value: 'es', url: product.url }])
  await page.goto(`/es/dashboard/people/${claimant.user._id}`)
  await page.getByRole('link', { name: 'Abrir en la lista de solicitudes' }).click()
  await expect(page).toHaveURL(/\/es\/dashboard\?view=waiting&search=/)
  await expect(page.getByRole('row').filter({ hasText: username })).toBeVisible()
})

test('an answer that comes late leaves the next dialog open, with what was typed, even of the same action', async ({
  page,
  product,
}) => {
  const { user } = await product.newParticipant()
  await product.storeSession(page, await product.admin())
  await page.goto(`/dashboard/people/${user._id}`)
  await keepToasts(page)
  const call = await hold(page, `**/${user._id}/export`, 'POST')
  await page.getByRole('button', { name: 'Copy of their data' }).click()
  const copy = page.getByRole('dialog', { name: `Copy of the data of ${user.username}` })
  await copy.getByRole('button', { name: 'Download' }).click()
  await copy.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Ban', exact: true }).click()
  const reason = page.getByRole('dialog', { name: `Ban ${user.username}` }).getByLabel('Reason')
  await reason.fill('Several accounts with one wallet.')
  const saved = page.waitForEvent('download')
  call.release()
  await saved
  await expect(toast(page, 'The copy was downloaded.')).toBeVisible()
  await expect(reason).toHaveValue('Several accounts with one wallet.')
  await page.keyboard.press('Escape')

  const again = await hold(page, `**/${user._id}/export`, 'POST')
  await page.getByRole('button', { name: 'Copy of their data' }).click()
  await copy.getByRole('button', { name: 'Download' }).click()
  await copy.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Copy of their data' }).click()
  const savedAgain = page.waitForEvent('download')
  again.release()
  await savedAgain
  await expect(toast(page, 'The copy was downloaded.')).toHaveCount(2)
  await expect(copy).toBeVisible()
})

test('a participant downloads their data and deletes the account; a wrong password or username is refused', async ({
  page,
  product,
}) => {
  const person = await product.newClaimant()
  const { username } = person.user
  await product.storeSession(page, person)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Download your data' }).click()
  const downloadDialog = page.getByRole('dialog', { name: 'Download your data' })
  await downloadDialog.getByLabel('Password', { exact: true }).fill('not the password')
  await downloadDialog.getByRole('button', { name: 'Download' }).click()
  await expect(downloadDialog.getByText('Your current password is wrong.')).toBeVisible()
  await downloadDialog.getByLabel('Password', { exact: true }).fill(person.password)
  const downloading = page.waitForEvent('download')
  await downloadDialog.getByRole('button', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`${username}.json`)
  expect(await readFile(await download.path(), 'utf8')).toContain(person.proof.wallet)

  await page.getByRole('button', { name: 'Delete your account' }).click()
  const deletion = page.getByRole('dialog', { name: 'Delete your account' })
  await expectAccessibleEverywhere(page, 'the deletion', 'dialog[open]')
  await deletion.getByLabel('Password', { exact: true }).fill(person.password)
  await deletion.getByLabel(`Type ${username} to confirm`).fill('someone else')
  await deletion.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(deletion.getByText('This doesn’t match the account’s username.')).toBeVisible()
  await deletion.getByLabel(`Type ${username} to confirm`).fill(username)
  await deletion.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByText('The account has been deleted.')).toBeVisible()
  await submitLogin(page, person)
  await expect(toast(page, 'Invalid email or password.')).toBeVisible()
})
