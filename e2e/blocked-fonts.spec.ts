import { castOf, EVERY_ROUTE, open } from './every-route.ts'
import { expectFits } from './fit.ts'
import { expect, test } from './product.ts'

/** The largest type, the widest figures, a form, a table, the ticket. */
const TELLING = ['/', '/tokenomics', '/howtobuy', '/register', '/leaderboard', '/airdrop']

test.use({ hasTouch: true, contextOptions: { reducedMotion: 'reduce' } })

test('with fonts blocked the words stand at once in the system’s own, and nothing is lost', async ({
  page,
  product,
}) => {
  const cast = await castOf(product)
  let blocked = 0
  await page.route('**/*.woff2', (route) => {
    blocked += 1
    return route.abort()
  })
  for (const stop of EVERY_ROUTE.filter(({ path }) => TELLING.includes(path))) {
    await open(page, product, stop, cast)
    expect(
      await page.evaluate(() =>
        [...document.fonts].some(({ family, status }) => /Variable/.test(family) && status === 'loaded'),
      ),
    ).toBe(false)
    await expectFits(page, stop.path)
  }
  expect(blocked).toBeGreaterThan(0)
})
