import { createAccounts, EVERY_ROUTE, open } from '../checks/every-route.ts'
import { expectFits } from '../checks/fit.ts'
import { expect, test } from '../support/product.ts'

/** These have the largest type, the widest figures, a form, a table and the ticket. */
const REPRESENTATIVE = ['/', '/tokenomics', '/howtobuy', '/register', '/leaderboard', '/airdrop']

test.use({ hasTouch: true })

test('renders in system fonts without clipping when web fonts are blocked', async ({ page, product }) => {
  const accounts = await createAccounts(product)
  let blocked = 0
  await page.route('**/*.woff2', (route) => {
    blocked += 1
    return route.abort()
  })
  for (const visit of EVERY_ROUTE.filter(({ path }) => REPRESENTATIVE.includes(path))) {
    await open(page, product, visit, accounts)
    const hasWebFont = await page.evaluate(() =>
      [...document.fonts].some(({ family, status }) => /Variable/.test(family) && status === 'loaded'),
    )
    expect(hasWebFont).toBe(false)
    await expectFits(page, visit.path)
  }
  expect(blocked).toBeGreaterThan(0)
})
