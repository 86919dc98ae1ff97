import type { Page } from '@playwright/test'
import { approve, claimOf, rowOf } from './steps/dashboard-steps.ts'
import { expect, test } from './support/product.ts'

async function expectPoints(page: Page, username: string): Promise<void> {
  await page.goto('/profile')
  await expect(page.getByText(username).first()).toBeVisible()
  await expect(page.getByText('Approved', { exact: true })).toBeVisible()
  const tiles = page.locator('main dl > div').filter({ hasText: /Points|Reward/ })
  await expect(tiles.locator('dd')).toHaveText(['20,000', '20,000', '0', '40,000'])
}

/** `server/main.test.ts` tests that the data survives, and a graceful stop, which does less harm. */
test('session, claim and points survive kill -9', async ({ page, product }) => {
  const verified = await product.newClaimant()
  const waiting = await product.newClaimant()
  await expect.poll(async () => (await claimOf(product, waiting)).status).toBe('under_review')
  await approve(product, verified)
  await product.storeSession(page, verified)
  await expectPoints(page, verified.username)

  await test.step('a screen opened while the server is down says so and loads once it is back', async () => {
    await product.server.kill()
    await page.locator('footer').getByRole('link', { name: 'Leaderboard' }).click()
    await expect(page.getByRole('alert')).toContainText('We couldn’t load this screen')
    await expect(page).toHaveURL('/leaderboard')
    await product.server.start()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Leaderboard')
  })
  await expectPoints(page, verified.username)

  await test.step('a claim that was waiting for its review still waits', async () => {
    await product.openAs(page, waiting, '/profile')
    await expect(page.getByText('Under Review', { exact: true })).toBeVisible()
    await product.openAs(page, await product.admin(), '/dashboard')
    const row = await rowOf(page, waiting.username)
    await expect(row.getByRole('button', { name: 'Verify Task' })).toBeEnabled()
  })
})

test('reloads a screen replaced by a newer build, once', async ({ page }) => {
  let calls = 0
  let isServed = true
  await page.route('**/assets/login-*.js', (route) => {
    calls += 1
    return isServed && calls > 2 ? route.fallback() : route.fulfill({ status: 404, body: '' })
  })
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible()
  // Each document tries up to twice: before its first screen appears, and when it does.
  expect(calls).toBe(3)
  isServed = false
  await page.goto('/login')
  await expect(page.getByRole('alert')).toContainText('We couldn’t load this screen')
  expect(calls).toBe(7)
})
