import { expectAccessible, PHONE } from '../checks/axe.ts'
import { expect, test } from '../support/product.ts'

test.use({ viewport: PHONE })

test('an endpoint can be called and a token entered by keyboard, without a request to another origin', async ({
  page,
  product,
}) => {
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  await page.goto('/api/docs')
  const call = page.getByRole('button', { name: '/users/leaderboard' })
  await call.press('Enter')
  await expect(call).toHaveAttribute('aria-expanded', 'true')
  await page.getByRole('button', { name: 'Try it out' }).press('Enter')
  await page.getByRole('textbox', { name: 'limit' }).fill('5')
  await page.getByRole('button', { name: 'Execute' }).press('Enter')
  await expect(page.getByText(`${product.url}/api/v1/users/leaderboard?page=1&limit=5`).first()).toBeVisible()
  await expect(page.locator('.live-responses-table .response')).toContainText(/200.*"totalItems"/s)
  await expectAccessible(page, 'an open call with its answer', '.opblock.is-open')

  // The form of a body has a label.
  await page.getByRole('button', { name: '/users/login' }).click()
  const login = page.locator('.opblock.is-open', { hasText: '/users/login' })
  await login.getByRole('button', { name: 'Try it out' }).click()
  await expect(login.getByRole('textbox', { name: 'Request body' })).toHaveValue(/"password"/)

  await page.getByRole('button', { name: 'Authorize' }).click()
  await expect(page.getByRole('textbox', { name: /Value/ })).toBeFocused()
  await expectAccessible(page, 'the dialog for the token', '.dialog-ux')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: /Value/ })).toHaveCount(0)
  expect([...origins]).toEqual([product.url])
})

test('the list of endpoints stays if the OpenAPI reader cannot load', async ({ page }) => {
  await page.route(/api-reader.*\.js/, (route) => route.abort())
  await page.goto('/api/docs')
  await page.waitForEvent('requestfailed')
  await expect(page.getByText('GET /users/leaderboard')).toBeVisible()
})
