import type { Locator, Page } from '@playwright/test'
import { ownClaim } from '#contract/claims/claims.ts'
import { reviewClaim } from '#contract/dashboard/review.ts'
import { expectAccessible } from '../checks/axe.ts'
import { approve, rows } from '../steps/dashboard-steps.ts'
import { hold } from '../support/held-calls.ts'
import type { Participant } from '../support/people.ts'
import { expect, test, type Product } from '../support/product.ts'

const rowOf = (page: Page, { username }: Participant): Locator =>
  rows(page).filter({ has: page.getByRole('button', { name: username, exact: true }) })
const card = (page: Page): Locator => page.getByRole('complementary', { name: 'Evidence' })

/** Opens the dashboard with a search, which excludes the claims of other tests. */
async function openDashboard(page: Page, product: Product, search: string, who?: Participant): Promise<void> {
  await product.storeSession(page, who ?? (await product.admin()))
  await page.goto(`/dashboard?view=waiting&search=${search}`)
  await expect(page.locator('[data-placeholder]')).toHaveCount(0)
}

async function statusOf(product: Product, { token }: Participant): Promise<string | undefined> {
  const { body } = await product.call(ownClaim, { token })
  return body.data.claim?.status
}

test('finds a waiting claim by search and shows its evidence', async ({ page, product }) => {
  const claimant = await product.newClaimant()
  await openDashboard(page, product, '')
  await page.getByLabel('Name, email, handle or wallet').fill(claimant.proof.wallet)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page).toHaveURL(new RegExp(`search=${claimant.proof.wallet}`))
  await rowOf(page, claimant).getByRole('button', { name: claimant.username }).click()
  await expect(card(page).getByRole('heading', { name: claimant.username })).toBeVisible()
  await expect(card(page).getByText(/^Wallet address: Confirmed\. A valid address/)).toBeVisible()
  await expect(card(page).getByText('Received')).toBeVisible()
  await expect(card(page).getByText(/the campaign opened on \w+ \d+, \d{4}, \d+:\d\d [AP]M\.$/)).toBeVisible()
  await expectAccessible(page, 'dashboard with an open card')
  await page.setViewportSize({ width: 1440, height: 900 })
  const [list, beside] = [await page.getByRole('table').boundingBox(), await card(page).boundingBox()]
  expect(beside?.x).toBeGreaterThan((list?.x ?? Infinity) + (list?.width ?? 0))

  await page.getByRole('button', { name: /^Decided/ }).click()
  await expect(page.getByText('No claims here.')).toBeVisible()
  await page.getByRole('button', { name: 'See all claims' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('keyboard shortcuts move, verify, undo, reject and show help, and can be switched off', async ({
  page,
  product,
}) => {
  const claimant = await product.newClaimant()
  await openDashboard(page, product, claimant.username)
  const row = rowOf(page, claimant)
  await expect(row).toHaveCount(1)

  await page.getByRole('checkbox', { name: 'Keyboard shortcuts' }).uncheck()
  await row.focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Keyboard shortcuts' }).check()

  // In the search field they type letters.
  await page.getByLabel('Name, email, handle or wallet').pressSequentially('?')
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toHaveCount(0)
  await row.focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')

  await row.focus()
  await page.keyboard.press('v')
  await expect(row).toHaveCount(0)
  expect(await statusOf(product, claimant)).toBe('approved')
  expect((await product.logInAgain(claimant)).user.totalPoints).toBe(40_000)

  await page.getByRole('button', { name: /^Decided/ }).click()
  await expect(row).toHaveCount(1)
  await row.focus()
  // Not while it is approved; a dialog would also keep the next key from the row.
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('u')
  await expect(row).toHaveCount(0)
  expect((await product.logInAgain(claimant)).user.totalPoints).toBe(0)

  await page.getByRole('button', { name: /^Waiting/ }).click()
  await row.focus()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: `Reject ${claimant.username}` })
  await dialog.getByLabel('Reason').selectOption('The post is missing something')
  await dialog.getByLabel('What the participant reads').fill('The hashtag is missing. <b>=1+1</b>')
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(row).toHaveCount(0)
  const { body } = await product.call(ownClaim, { token: claimant.token })
  expect(body.data.claim?.status).toBe('rejected')
  expect(body.data.claim?.rejection?.text).toContain('The hashtag is missing. <b>=1+1</b>')
})

test('j and k move between rows and update the card', async ({ page, product }) => {
  await product.newClaimant()
  await product.newClaimant()
  await product.storeSession(page, await product.admin())
  await page.goto('/dashboard?view=waiting')
  const [first, second] = [rows(page).nth(0), rows(page).nth(1)]
  await expect(second).toBeVisible()
  await first.focus()
  await page.keyboard.press('o')
  await expect(first).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('j')
  await expect(second).toBeFocused()
  await expect(second).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('k')
  await expect(first).toBeFocused()
  // No row precedes the first.
  await page.keyboard.press('k')
  await expect(first).toBeFocused()
  await page.keyboard.press('o')
  await expect(card(page)).toHaveCount(0)
})

test('locks an open claim for other reviewers and shows them its decision', async ({
  page,
  browser,
  product,
}) => {
  const claimant = await product.newClaimant()
  const [boss, colleague] = [await product.admin(), await product.anotherAdmin()]
  await openDashboard(page, product, claimant.username, boss)
  await rowOf(page, claimant).getByRole('button', { name: claimant.username }).click()
  await expect(card(page).getByRole('button', { name: 'Verify Task' })).toBeEnabled()

  const context = await browser.newContext({
    baseURL: product.url,
    extraHTTPHeaders: { 'x-forwarded-for': colleague.from },
  })
  const other = await context.newPage()
  await openDashboard(other, product, claimant.username, colleague)
  const row = rowOf(other, claimant)
  await expect(row).toContainText(`${boss.username} is reviewing this`)
  await expect(row.getByRole('button', { name: 'Verify Task' })).toBeDisabled()

  await card(page).getByRole('button', { name: 'Verify Task' }).click()
  await expect(rowOf(page, claimant)).toHaveCount(0)
  await expect(row).toHaveCount(0)
  expect(await statusOf(product, claimant)).toBe('approved')
  await context.close()
})

test('a card that is closed while its lock is pending leaves the claim unlocked', async ({
  page,
  product,
}) => {
  const claimant = await product.newClaimant()
  await openDashboard(page, product, claimant.username)
  const replyTo = (method: string) =>
    page.waitForResponse((reply) => reply.url().endsWith('/lock') && reply.request().method() === method)
  const [locked, unlocked] = [replyTo('POST'), replyTo('DELETE')]
  const call = await hold(page, '**/lock', 'POST')
  await rowOf(page, claimant).getByRole('button', { name: claimant.username }).click()
  await card(page).getByRole('button', { name: 'Close card' }).click()
  await expect(card(page)).toHaveCount(0)
  call.release()
  await Promise.all([locked, unlocked])
  const { body } = await product.call(ownClaim, { token: claimant.token })
  const params = { claimId: body.data.claim?._id ?? '' }
  const colleague = await product.anotherAdmin()
  const { body: reviewed } = await product.call(reviewClaim, { token: colleague.token, params })
  expect(reviewed.data.lock).toBeNull()
})

test('rejects the claim that the dialog was opened for, even if the list has changed meanwhile', async ({
  page,
  product,
}) => {
  const first = await product.newClaimant()
  const second = await product.newClaimant({ email: `${first.username}.other@mail.example` })
  const colleague = await product.anotherAdmin()
  await openDashboard(page, product, first.username)
  await rowOf(page, first).focus()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: `Reject ${first.username}` })
  await approve(product, first, colleague)
  await expect(rows(page)).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(dialog).toBeHidden()
  expect([await statusOf(product, first), await statusOf(product, second)]).toEqual([
    'approved',
    'under_review',
  ])
})

test('decides several claims at once with individual outcomes', async ({ page, product }) => {
  // One search finds both, and none of another test.
  const first = await product.newClaimant()
  const claimants = [first, await product.newClaimant({ email: `${first.username}.other@mail.example` })]
  await openDashboard(page, product, first.username)
  for (const claimant of claimants) await rowOf(page, claimant).getByRole('checkbox').check()
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Verify selected' }).click()
  await expect(page.getByText('2 of 2 decided.')).toBeVisible()
  for (const claimant of claimants) {
    await expect(rowOf(page, claimant)).toHaveCount(0)
    expect((await product.logInAgain(claimant)).user.totalPoints).toBe(40_000)
  }
})

test('a rejection that ends late leaves the dialog of the next one open', async ({ page, product }) => {
  const [first, second] = [await product.newClaimant(), await product.newClaimant()]
  await product.storeSession(page, await product.admin())
  await page.goto('/dashboard?view=waiting')
  const call = await hold(page, '**/reject', 'POST')
  await rowOf(page, first).focus()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await rowOf(page, second).focus()
  await page.keyboard.press('r')
  await dialog.getByLabel('What the participant reads').fill('The post was deleted.')
  call.release()
  await expect(rowOf(page, first)).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'Reject', exact: true })).toBeEnabled()
  await expect(dialog.getByLabel('What the participant reads')).toHaveValue('The post was deleted.')
})

test('verifies a claim on a page from before the points were changed', async ({ page, product }) => {
  const claimant = await product.newClaimant()
  await page.route('**/dashboard?*', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    expect(html).toContain('"pointsPerTask":5000')
    return route.fulfill({ response, body: html.replace('"pointsPerTask":5000', '"pointsPerTask":4000') })
  })
  await openDashboard(page, product, claimant.username)
  await rowOf(page, claimant).getByRole('button', { name: 'Verify' }).click()
  await expect(rowOf(page, claimant)).toHaveCount(0)
  expect((await product.logInAgain(claimant)).user.totalPoints).toBe(40_000)
})
