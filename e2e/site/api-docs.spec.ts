import { OPENAPI_PATH } from '#web/content/site/api-docs.ts'
import { expectAccessible, PHONE } from '../checks/axe.ts'
import { changeReplies } from '../support/intercept.ts'
import { expect, test } from '../support/product.ts'

test.use({ viewport: PHONE })

const PATHS = ['/users/leaderboard', '/users/login']

test('the API page is accessible and requests nothing from another origin', async ({ page, product }) => {
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  // With the whole API, each step would take seconds. e2e/every-route.spec.ts opens the whole page.
  await changeReplies(page, `**${OPENAPI_PATH}`, (api: { paths: Record<string, unknown> }) => ({
    ...api,
    paths: Object.fromEntries(PATHS.map((path) => [path, api.paths[path]])),
  }))

  await test.step('the list of endpoints stays if the interactive reader cannot load', async () => {
    const readerScript = /api-reader.*\.js/
    await page.route(readerScript, (route) => route.abort())
    const aborted = page.waitForEvent('requestfailed', (request) => readerScript.test(request.url()))
    await page.goto('/api/docs')
    await aborted
    await expect(page.getByText('GET /users/leaderboard')).toBeVisible()
    await page.unroute(readerScript)
  })

  await test.step('an endpoint is called by keyboard', async () => {
    await page.reload()
    const call = page.getByRole('button', { name: '/users/leaderboard' })
    await call.press('Enter')
    await expect(call).toHaveAttribute('aria-expanded', 'true')
    await page.getByRole('button', { name: 'Try it out' }).press('Enter')
    await page.getByRole('textbox', { name: 'limit' }).fill('5')
    await page.getByRole('button', { name: 'Execute' }).press('Enter')
    await expect(
      page.getByText(`${product.url}/api/v1/users/leaderboard?page=1&limit=5`).first(),
    ).toBeVisible()
    await expect(page.locator('.live-responses-table .response')).toContainText(/200.*"totalItems"/s)
    await expectAccessible(page, 'an open call with its answer', '.opblock.is-open')
  })

  await test.step('the form of a body has a label', async () => {
    await page.getByRole('button', { name: '/users/login' }).click()
    const login = page.locator('.opblock.is-open', { hasText: '/users/login' })
    await login.getByRole('button', { name: 'Try it out' }).click()
    await expect(login.getByRole('textbox', { name: 'Request body' })).toHaveValue(/"password"/)
  })

  await test.step('the dialog for a token takes the focus', async () => {
    await page.getByRole('button', { name: 'Authorize' }).click()
    await expect(page.getByRole('textbox', { name: /Value/ })).toBeFocused()
    await expectAccessible(page, 'the dialog for the token', '.dialog-ux')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('textbox', { name: /Value/ })).toHaveCount(0)
  })
  expect([...origins]).toEqual([product.url])
})
