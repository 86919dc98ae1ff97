import { expect, test } from './support/product.ts'

/** `server/main.test.ts` tests graceful stops, and that the data survives. */
test('a screen opened while the server is down loads when it is back, in the same session', async ({
  page,
  product,
}) => {
  const participant = await product.newParticipant()
  await product.openAs(page, participant, '/profile')
  await expect(page.getByText(participant.username).first()).toBeVisible()
  await product.server.kill()
  await page.locator('footer').getByRole('link', { name: 'Leaderboard' }).click()
  await expect(page.getByRole('alert')).toContainText('We couldn’t load this screen')
  await expect(
    page.getByRole('alert'),
    'not above the footer, to which the link had scrolled',
  ).toBeInViewport()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page).toHaveURL('/leaderboard')
  await product.server.start()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Leaderboard')
  await page.goto('/profile')
  await expect(page.getByText(participant.username).first()).toBeVisible()
})

test('reloads a screen only once when its script no longer exists', async ({ page }) => {
  let requests = 0
  // A document requests the script to preload the screen, and again to show it if that failed.
  let failures = 2
  await page.route('**/assets/login-*.js', (route) => {
    requests += 1
    return requests > failures ? route.fallback() : route.fulfill({ status: 404, body: '' })
  })
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible()
  // Two failed requests, and one after the reload.
  expect(requests).toBe(3)
  failures = Infinity
  await page.goto('/login')
  await expect(page.getByRole('alert')).toContainText('We couldn’t load this screen')
  // Two more before the reload and two after it.
  expect(requests).toBe(7)
})
