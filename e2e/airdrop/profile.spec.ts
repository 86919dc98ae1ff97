import type { Page } from '@playwright/test'
import type { User } from '#contract/entities.ts'
import { approve } from '../steps/dashboard-steps.ts'
import { recordConsoleErrors } from '../support/clean-console.ts'
import { copied, denyClipboard } from '../support/clipboard.ts'
import { expect, test } from '../support/product.ts'

test('shows a toast and leads to the login without a session', async ({ page }) => {
  await page.goto('/profile')
  await expect(page.getByText('Please login to access your profile.')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test('shows tiles, ‘Not Submitted’ and a link to the airdrop before a claim', async ({ page, product }) => {
  const person = await product.newParticipant()
  await product.storeSession(page, person)
  await page.goto('/profile')
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible()
  for (const tile of ['PF Points', 'PLS Points', 'Referral Reward', 'Total Points']) {
    await expect(page.locator('dl > div', { hasText: tile }).locator('dd')).toHaveText('0')
  }
  await expect(page.getByText(person.username, { exact: true })).toBeVisible()
  await expect(page.getByText(person.email)).toBeVisible()
  await expect(detail(page, 'Task Status')).toHaveText('Not Submitted')
  await expect(detail(page, 'Leaderboard rank')).toHaveText(/^[0-9]+$/)
  await expect(page.locator('main a[href="/airdrop"]')).toBeVisible()
  await expect(page.locator('main a[href="/leaderboard"]')).toHaveCount(0)
})

test('copies the referral code on click', async ({ page, product, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const person = await product.newParticipant()
  await product.storeSession(page, person)
  await page.goto('/profile')
  await page.getByRole('button', { name: person.user.referralCode }).click()
  await expect(page.getByText('Referral code copied to clipboard!')).toBeVisible()
  expect(await copied(page)).toBe(person.user.referralCode)
})

test('dragging from a dialog to the backdrop leaves the dialog open, a click on the backdrop closes it', async ({
  page,
  product,
}) => {
  await product.storeSession(page, await product.newParticipant())
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  const field = dialog.getByLabel('New Password')
  await field.fill('lantern gravel')
  await field.hover()
  await page.mouse.down()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  await expect(field).toHaveValue('lantern gravel')
  await page.mouse.click(5, 5)
  await expect(dialog).toBeHidden()
})

test('only logs a copy that the browser refuses', async ({ page, product }) => {
  await denyClipboard(page)
  const person = await product.newParticipant()
  await product.storeSession(page, person)
  const logged = recordConsoleErrors(page)
  await page.goto('/profile')
  await page.getByRole('button', { name: person.user.referralCode }).click()
  await expect.poll(() => logged.join()).toContain('Copy failed')
  await expect(page.getByText('Referral code copied to clipboard!')).toHaveCount(0)
})

test('a claim is Submitted, then Under Review, then Approved, with its points', async ({ page, product }) => {
  const person = await product.newClaimant()
  await product.storeSession(page, person)
  await asFirstSeen(page)
  await page.goto('/profile')
  await expect(detail(page, 'Task Status')).toHaveText('Submitted')
  // An event may just have fetched it again.
  await page.unrouteAll({ behavior: 'wait' })
  await page.reload()
  await expect(detail(page, 'Task Status')).toHaveText('Under Review')
  await expect(page.locator('main a[href="/leaderboard"]')).toBeVisible()
  await expect(page.locator('main a[href="/airdrop"]')).toHaveCount(0)

  await approve(product, person)
  await page.reload()
  await expect(detail(page, 'Task Status')).toHaveText('Approved')
  const tile = (name: string) => page.locator('dl > div', { hasText: name }).locator('dd')
  await expect(tile('PF Points')).toHaveText('20,000')
  await expect(tile('PLS Points')).toHaveText('20,000')
  await expect(tile('Total Points')).toHaveText('40,000')
})

test('says which sections could not be loaded, and loads them again', async ({ page, product }) => {
  await product.storeSession(page, await product.newClaimant())
  const calls = '**/api/v1/{tasks/mine,users/me,users/campaigns,users/announcements}'
  await page.route(calls, (route) => route.abort())
  await page.goto('/profile')
  const missing = page.getByText('We couldn’t load this part of the page.')
  await expect(missing).toHaveCount(4)
  for (const name of ['Your claim', 'Your data', 'Earlier airdrops'])
    await expect(page.getByRole('region', { name }).getByRole('alert')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  const again = (name: string) =>
    page.getByRole('region', { name }).getByRole('button', { name: 'Try again' }).click()
  await again('Your claim')
  await expect(page.getByRole('region', { name: 'Your claim' })).toContainText('Received')
  await again('Your data')
  await expect(page.getByRole('button', { name: 'Download your data' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('checkbox', { name: /Email me announcements/ })).toBeVisible()
  await expect(missing).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Earlier airdrops' })).toHaveCount(0)
})

const detail = (page: Page, name: string) =>
  page.locator('dl > div', { has: page.locator('dt', { hasText: name }) }).locator('dd')

/** Shows the claim as it was before the automatic checks, which take only a second. */
async function asFirstSeen(page: Page): Promise<void> {
  await page.route('**/users/profile', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: User }
    if (body.data.taskId) body.data.taskId.underReview = false
    await route.fulfill({ response: answer, json: body })
  })
}

test('an answer from before a change does not undo it on the screen', async ({ page, product }) => {
  await product.storeSession(page, await product.newParticipant())
  await page.goto('/profile')
  const choice = page.getByRole('checkbox', { name: /Email me announcements/ })
  await expect(choice).not.toBeChecked()
  const read = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route('**/users/announcements', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    read.resolve()
    await released.promise
    return route.fulfill({ response })
  })
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await read.promise
  await choice.click()
  await expect(page.getByText('We’ll email you announcements.')).toBeVisible()
  const late = page.waitForResponse(
    (response) => response.url().endsWith('/users/announcements') && response.request().method() === 'GET',
  )
  released.resolve()
  await (await late).finished()
  await expect(choice).toBeChecked()
})
