import { expect, test } from './support/product.ts'

/** `server/main.test.ts` tests that the data survives, and a graceful stop, which does less harm. */
test('a screen opened while the server is down says so and loads once it is back, and the session survives', async ({
  page,
  product,
}) => {
  const participant = await product.newParticipant()
  await product.openAs(page, participant, '/profile')
  await expect(page.getByText(participant.username).first()).toBeVisible()
  await product.server.kill()
  await page.locator('footer').getByRole('link', { name: 'Leaderboard' }).click()
  await expect(page.getByRole('alert')).toContainText('We couldn’t load this screen')
  await expect(page).toHaveURL('/leaderboard')
  await product.server.start()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Leaderboard')
  await page.goto('/profile')
  await expect(page.getByText(participant.username).first()).toBeVisible()
})

test('reloads a screen whose script a newer build has replaced, and only once', async ({ page }) => {
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
