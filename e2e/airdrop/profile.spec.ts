import type { Page } from '@playwright/test'
import type { User } from '#contract/entities.ts'
import { recordConsoleErrors } from '../support/page-messages.ts'
import { copied, denyClipboard } from '../support/clipboard.ts'
import { expect, test } from '../support/product.ts'

const detail = (page: Page, name: string) =>
  page.locator('dl > div', { has: page.locator('dt', { hasText: name }) }).locator('dd')

test('shows a participant without a claim their account, and a visitor the login', async ({
  page,
  product,
}) => {
  const person = await product.newParticipant()

  await test.step('leads to the login without a session', async () => {
    await page.goto('/profile')
    await expect(page.getByText('Please login to access your profile.')).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
  })

  await test.step('shows tiles, ‘Not Submitted’ and a link to the airdrop', async () => {
    await product.storeSession(page, person)
    await page.goto('/profile')
    await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible()
    for (const tile of ['PF Points', 'PLS Points', 'Referral Reward', 'Total Points'])
      await expect(page.locator('dl > div', { hasText: tile }).locator('dd')).toHaveText('0')
    await expect(page.getByText(person.username, { exact: true })).toBeVisible()
    await expect(page.getByText(person.email)).toBeVisible()
    await expect(detail(page, 'Task Status')).toHaveText('Not Submitted')
    await expect(detail(page, 'Leaderboard rank')).toHaveText(/^[0-9]+$/)
    await expect(page.locator('main a[href="/airdrop"]')).toBeVisible()
    await expect(page.locator('main a[href="/leaderboard"]')).toHaveCount(0)
  })

  const copying = page.getByRole('button', { name: person.user.referralCode })
  const confirmation = page.getByText('Referral code copied to clipboard!')
  await test.step('copies the referral code', async () => {
    await copying.click()
    await expect(confirmation).toBeVisible()
    expect(await copied(page)).toBe(person.user.referralCode)
  })

  await test.step('only logs a copy that the browser refuses', async () => {
    await denyClipboard(page)
    const logged = recordConsoleErrors(page)
    await page.reload()
    await copying.click()
    await expect.poll(() => logged.join()).toContain('Copy failed')
    await expect(confirmation).toHaveCount(0)
  })

  await test.step('dragging from a dialog to the backdrop leaves it open, a click on the backdrop closes it', async () => {
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

  await test.step('an answer from before a change does not undo it', async () => {
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
    await page.unrouteAll({ behavior: 'wait' })
  })

  await test.step('there is no claim to edit, even at the proof step’s address', async () => {
    await expect(page.getByRole('region', { name: 'Your claim' })).toHaveCount(0)
    await page.goto('/airdrop?step=proof')
    await expect(page.getByRole('button', { name: 'Claim Now' })).toBeEnabled()
  })
})

test('a claim is Submitted until it has been checked; parts that could not be loaded say so, and load again', async ({
  page,
  product,
}) => {
  const calls = '**/api/v1/{users/me,users/campaigns,users/announcements}'
  const failed = { status: 500, body: '' }
  await product.storeSession(page, await product.newClaimant())
  await asFirstSeen(page)
  await page.route(calls, (route) => route.abort())
  await page.route('**/api/v1/tasks/mine', (route) => route.fulfill(failed))
  await page.goto('/profile')
  const missing = page.getByText('We couldn’t load this part of the page.')
  await expect(missing).toHaveCount(4)
  for (const name of ['Your claim', 'Your data', 'Earlier airdrops'])
    await expect(page.getByRole('region', { name }).getByRole('alert')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(4)
  await expect(detail(page, 'Task Status')).toHaveText('Submitted')
  await expect(page.locator('main a[href="/leaderboard"]')).toBeVisible()
  await expect(page.locator('main a[href="/airdrop"]')).toHaveCount(0)

  await page.unrouteAll({ behavior: 'wait' })
  const retry = (name: string) =>
    page.getByRole('region', { name }).getByRole('button', { name: 'Try again' }).click()
  await retry('Your claim')
  await expect(page.getByRole('region', { name: 'Your claim' })).toContainText('Received')
  await retry('Your data')
  await expect(page.getByRole('button', { name: 'Download your data' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('checkbox', { name: /Email me announcements/ })).toBeVisible()
  await expect(missing).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Earlier airdrops' })).toHaveCount(0)

  await test.step('the airdrop starts without knowing whether there is a claim', async () => {
    await page.route('**/api/v1/tasks/mine', (route) => route.fulfill(failed))
    await product.storeSession(page, await product.newParticipant())
    await page.goto('/airdrop')
    await expect(page.getByRole('button', { name: 'Claim Now' })).toBeEnabled()
  })
})

/** Shows the claim as it was before the automatic checks, which take only a second. */
async function asFirstSeen(page: Page): Promise<void> {
  await page.route('**/users/profile', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: User }
    if (body.data.taskId) body.data.taskId.underReview = false
    await route.fulfill({ response: answer, json: body })
  })
}
