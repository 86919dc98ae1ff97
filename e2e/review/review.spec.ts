import type { Page } from '@playwright/test'
import { appeal } from '#contract/claims/claims.ts'
import { lockClaim } from '#contract/dashboard/review.ts'
import { expectAccessible, PHONE } from '../checks/axe.ts'
import {
  accountOf,
  approve,
  claimOf,
  createTwoClaimants,
  evidenceCard,
  evidenceOf,
  reject,
  reviewOf,
  rowNamed,
  rows,
} from '../steps/dashboard-steps.ts'
import { hold } from '../support/intercept.ts'
import type { Participant } from '../support/people.ts'
import { expect, test, type Product } from '../support/product.ts'

/** @param search excludes the claims of other tests. @param by by default `product.admin()` */
async function openDashboard(page: Page, product: Product, search: string, by?: Participant): Promise<void> {
  await product.openAs(page, by ?? (await product.admin()), `/dashboard?view=waiting&search=${search}`)
  await expect(page.locator('[data-placeholder]')).toHaveCount(0)
}

const toggleCard = (page: Page, claimant: Participant): Promise<void> =>
  rowNamed(page, claimant).getByRole('button', { name: claimant.username }).click()

const expectPoints = async (product: Product, who: Participant, points: number): Promise<void> =>
  expect(await accountOf(product, who)).toMatchObject({ totalPoints: points })

test('finds a waiting claim by search, shows its evidence and rejects it from its card', async ({
  page,
  product,
}) => {
  const claimant = await product.newClaimant()
  await openDashboard(page, product, '')

  await test.step('searches for the wallet', async () => {
    await page.getByLabel('Name, email, handle or wallet').fill(claimant.proof.wallet)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(rows(page)).toHaveCount(1)
    await expect(page).toHaveURL(new RegExp(`search=${claimant.proof.wallet}`))
  })

  await test.step('X and the chain have given evidence', () =>
    expect
      .poll(() => evidenceOf(product, claimant))
      .toEqual({
        post: 'confirmed',
        'post-author': 'confirmed',
        'post-hashtags': 'confirmed',
        'post-time': 'confirmed',
        telegram: 'could_not_tell',
        'telegram-handle': 'could_not_tell',
        wallet: 'confirmed',
        'wallet-owned': 'could_not_tell',
        'wallet-kind': 'confirmed',
        'wallet-used': 'confirmed',
      }))

  const card = evidenceCard(page)
  await test.step('reads the evidence, beside the list on a wide screen', async () => {
    await toggleCard(page, claimant)
    await expect(card.getByRole('heading', { name: claimant.username })).toBeVisible()
    await expect(card.getByText(/^Wallet address: Confirmed\. A valid address/)).toBeVisible()
    await expect(card.getByText('Received')).toBeVisible()
    await expect(card.getByText(/the campaign opened on \w+ \d+, \d{4}, \d+:\d\d [AP]M\.$/)).toBeVisible()
    await expectAccessible(page, 'dashboard with an open card', 'main')
    const [tableBox, cardBox] = [await page.getByRole('table').boundingBox(), await card.boundingBox()]
    expect(cardBox?.x).toBeGreaterThan((tableBox?.x ?? Infinity) + (tableBox?.width ?? 0))
  })

  await test.step('a rejection says what is missing, keeps its text after a failure, and can be repeated', async () => {
    await card.getByRole('button', { name: 'Reject', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Reject ${claimant.username}` })
    const text = dialog.getByLabel('What the participant reads')
    const rejectButton = dialog.getByRole('button', { name: 'Reject', exact: true })
    await dialog.getByLabel('Reason').selectOption('Another reason')
    await rejectButton.click()
    await expect(text).toHaveAccessibleDescription('This field is required.')
    await text.fill('The hashtag is missing.')
    await page.route('**/reject', (route) => route.abort())
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/reject'))
    await rejectButton.click()
    await failed
    await expect(page.getByText('We couldn’t save the decision.')).toBeVisible()
    await expect(text).toHaveValue('The hashtag is missing.')
    await page.unrouteAll({ behavior: 'wait' })
    await rejectButton.click()
    await expect(dialog).toHaveCount(0)
    await expect(rowNamed(page, claimant)).toHaveCount(0)
    expect((await claimOf(product, claimant)).rejection?.text).toContain('The hashtag is missing.')
  })

  await test.step('finds the rejected claim among all claims and the latest decisions', async () => {
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await expect(page).toHaveURL(`/dashboard?search=${claimant.proof.wallet}`)
    await expect(rowNamed(page, claimant)).toContainText('Rejected')
    await page.getByRole('button', { name: /^Decided/ }).click()
    await expect(page.getByLabel('Order')).toHaveText(/^Latest decision first/)
    await expect(rowNamed(page, claimant)).toHaveCount(1)
  })

  await test.step('undoes the rejection from the card', async () => {
    await toggleCard(page, claimant)
    await card.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(rowNamed(page, claimant)).toHaveCount(0)
    expect((await claimOf(product, claimant)).status).toBe('under_review')
  })

  await test.step('an empty view leads to all claims', async () => {
    await expect(page.getByText('No claims here.')).toBeVisible()
    await page.getByRole('button', { name: 'See all claims' }).click()
    await expect(page).toHaveURL('/dashboard')
  })
})

test('keyboard shortcuts move, decide and show help, and can be switched off', async ({ page, product }) => {
  const [claimant] = await createTwoClaimants(product)
  await openDashboard(page, product, claimant.username)
  const row = rowNamed(page, claimant)
  const pressOnRow = async (key: string) => {
    await row.focus()
    await page.keyboard.press(key)
  }

  await test.step('move between rows, and open and close the card', async () => {
    const [upperRow, lowerRow] = [rows(page).nth(0), rows(page).nth(1)]
    await expect(lowerRow).toBeVisible()
    await upperRow.focus()
    await page.keyboard.press('o')
    await expect(upperRow).toHaveAttribute('aria-current', 'true')
    await page.keyboard.press('j')
    await expect(lowerRow).toBeFocused()
    await expect(lowerRow).toHaveAttribute('aria-current', 'true')
    await page.keyboard.press('k')
    await expect(upperRow).toBeFocused()
    await page.keyboard.press('k')
    await expect(upperRow, 'there is no row above').toBeFocused()
    await page.keyboard.press('o')
    await expect(evidenceCard(page)).toHaveCount(0)
  })

  await test.step('show help, unless they are switched off or a text field has the focus', async () => {
    const help = page.getByRole('dialog', { name: 'Shortcuts' })
    await page.getByRole('checkbox', { name: 'Keyboard shortcuts' }).uncheck()
    await pressOnRow('?')
    await expect(help).toHaveCount(0)
    await page.getByRole('checkbox', { name: 'Keyboard shortcuts' }).check()
    await page.getByLabel('Name, email, handle or wallet').pressSequentially('?')
    await expect(help).toHaveCount(0)
    await pressOnRow('?')
    await expect(help).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('verify', async () => {
    await pressOnRow('v')
    await expect(row).toHaveCount(0)
    expect((await claimOf(product, claimant)).status).toBe('approved')
    await expectPoints(product, claimant, 40_000)
  })

  await test.step('undo, and do not reject while the claim is approved', async () => {
    await page.getByRole('button', { name: /^Decided/ }).click()
    await expect(row).toHaveCount(1)
    await pressOnRow('r')
    // An open dialog would also keep the next key from the row.
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('u')
    await expect(row).toHaveCount(0)
    await expectPoints(product, claimant, 0)
  })

  await test.step('reject, with words for the participant', async () => {
    const words = 'The hashtag is missing. <b>=1+1</b>'
    await page.getByRole('button', { name: /^Waiting/ }).click()
    await expect(row).toHaveCount(1)
    await pressOnRow('r')
    const dialog = page.getByRole('dialog', { name: `Reject ${claimant.username}` })
    await dialog.getByLabel('Reason').selectOption('The post is missing something')
    await dialog.getByLabel('What the participant reads').fill(words)
    await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
    await expect(row).toHaveCount(0)
    const claim = await claimOf(product, claimant)
    expect(claim.status).toBe('rejected')
    expect(claim.rejection?.text).toContain(words)
  })
})

test('an open card locks the claim for other reviewers', async ({ page, product }) => {
  const [claimant, other] = await createTwoClaimants(product)
  const [reviewer, colleague] = [await product.admin(), await product.anotherAdmin()]
  await openDashboard(page, product, claimant.username, reviewer)

  await test.step('a card that is closed before the answer to its lock leaves no lock', async () => {
    const replyTo = (method: string) =>
      page.waitForResponse((reply) => reply.url().endsWith('/lock') && reply.request().method() === method)
    const [locked, unlocked] = [replyTo('POST'), replyTo('DELETE')]
    const locking = await hold(page, '**/lock', 'POST')
    await toggleCard(page, claimant)
    await evidenceCard(page).getByRole('button', { name: 'Close card' }).click()
    await expect(evidenceCard(page)).toHaveCount(0)
    locking.release()
    await Promise.all([locked, unlocked])
    expect((await reviewOf(product, claimant, colleague)).lock).toBeNull()
  })

  const lockOf = async (who: Participant) => (await reviewOf(product, who, colleague)).lock
  await test.step('an open card locks the claim until its decision', async () => {
    const verifyButton = evidenceCard(page).getByRole('button', { name: 'Verify Task' })
    await toggleCard(page, claimant)
    await expect(verifyButton).toBeEnabled()
    await expect.poll(() => lockOf(claimant)).toMatchObject({ by: reviewer.username })
    const { _id: claimId } = await claimOf(product, claimant)
    const card = await hold(page, `**/review/claims/${claimId}`)
    await verifyButton.click()
    await expect(rowNamed(page, claimant)).toHaveCount(0)
    expect((await claimOf(product, claimant)).status).toBe('approved')
    await expect(rowNamed(page, other), 'even if the list is loaded before the card').toBeFocused()
    card.release()
  })

  await test.step('the card of the next claim follows, and locks that claim until it is closed', async () => {
    await expect.poll(() => lockOf(other)).toMatchObject({ by: reviewer.username })
    await evidenceCard(page).getByRole('button', { name: 'Close card' }).click()
    await expect.poll(() => lockOf(other)).toBeNull()
  })

  await test.step('a row shows that a colleague has locked its claim, and then the decision', async () => {
    const { _id: claimId } = await claimOf(product, other)
    await product.callOrFail(lockClaim, { token: colleague.token, params: { claimId } })
    const row = rowNamed(page, other)
    await expect(row).toContainText(`${colleague.username} is reviewing this`)
    await expect(row.getByRole('button', { name: 'Verify Task' })).toBeDisabled()
    await approve(product, other, colleague)
    await expect(row).toHaveCount(0)
  })
})

test('a dialog rejects only the claim that it was opened for', async ({ page, product }) => {
  const [approved, rejected] = await createTwoClaimants(product)
  const undecided = await product.newClaimant({ email: `${approved.username}.third@mail.example` })
  await openDashboard(page, product, approved.username)
  await expect(rows(page)).toHaveCount(3)
  const dialog = page.getByRole('dialog')
  const rejectButton = dialog.getByRole('button', { name: 'Reject', exact: true })
  const openDialog = async (claimant: Participant) => {
    await rowNamed(page, claimant).focus()
    await page.keyboard.press('r')
    await expect(page.getByRole('dialog', { name: `Reject ${claimant.username}` })).toBeVisible()
  }

  await test.step('a claim that a colleague approved meanwhile stays approved, and no other is rejected', async () => {
    await openDialog(approved)
    await approve(product, approved, await product.anotherAdmin())
    await expect(rows(page)).toHaveCount(2)
    await rejectButton.click()
    await expect(dialog).toBeHidden()
    expect((await claimOf(product, approved)).status).toBe('approved')
    for (const claimant of [rejected, undecided])
      expect((await claimOf(product, claimant)).status).not.toBe('rejected')
  })

  await test.step('a late answer leaves the dialog of another claim open, and keeps its text', async () => {
    const rejection = await hold(page, '**/reject', 'POST')
    await openDialog(rejected)
    await rejectButton.click()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await openDialog(undecided)
    await dialog.getByLabel('What the participant reads').fill('The post was deleted.')
    rejection.release()
    await expect(rowNamed(page, rejected)).toHaveCount(0)
    await expect(rejectButton).toBeEnabled()
    await expect(dialog.getByLabel('What the participant reads')).toHaveValue('The post was deleted.')
  })
})

test('verifies a claim on a page opened before the points were changed', async ({ page, product }) => {
  const claimant = await product.newClaimant()
  await page.route('**/dashboard?*', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    expect(html).toContain('"pointsPerTask":5000')
    return route.fulfill({ response, body: html.replace('"pointsPerTask":5000', '"pointsPerTask":4000') })
  })
  await openDashboard(page, product, claimant.username)
  await rowNamed(page, claimant).getByRole('button', { name: 'Verify' }).click()
  await expect(rowNamed(page, claimant)).toHaveCount(0)
  await expectPoints(product, claimant, 40_000)
})

test('an appeal cannot stretch the page, however many lines and accents it has', async ({
  page,
  product,
}) => {
  const claimant = await product.newClaimant()
  await reject(product, claimant, 'The post is of another day.')
  const { _id: taskId } = await claimOf(product, claimant)
  const text = `a${'\n'.repeat(500)}b${'\u0336'.repeat(400)}`
  await product.callOrFail(appeal, { token: claimant.token, params: { taskId }, body: { text } })
  await page.setViewportSize(PHONE)
  const { user } = claimant
  await product.openAs(page, await product.admin(), `/dashboard?view=appealed&search=${user.username}`)
  await page.getByRole('button', { name: user.username, exact: true }).click()
  for (const path of ['the card', `/dashboard/people/${user._id}`]) {
    if (path.startsWith('/')) await page.goto(path)
    const box = await page.getByText(/^a\s+b/).boundingBox()
    expect(box?.height, path).toBeLessThan(PHONE.height)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(PHONE.width)
  }
})
