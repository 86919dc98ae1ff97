import { announced } from '../support/alerts.ts'
import { recordConsoleErrors } from '../support/clean-console.ts'
import { hold } from '../support/held-calls.ts'
import { expect, test } from '../support/product.ts'

const CALL = /\/api\/v1\/latest\/dex\/tokens\/0x/

test('shows the price with six decimals and refreshes it every two minutes', async ({ page }) => {
  const price = page.locator('#hero .stat-card').filter({ hasText: 'Price' }).locator('dd')
  let usd: string | undefined
  let calls = 0
  // The product's replies, later with another price patched in, because the product caches it for a minute.
  await page.route(CALL, async (route) => {
    calls += 1
    if (usd === undefined) return route.continue()
    return route.fulfill({ json: { pairs: [{ priceUsd: usd }, { priceUsd: '9' }] } })
  })
  const call = await hold(page, CALL)
  await page.clock.install()
  await page.goto('/')
  await expect(price).toHaveText('Loading...')
  call.release()
  await expect(price).toHaveText('$0.000123')

  await page.clock.pauseAt(Date.now() + 10_000)
  expect(calls).toBe(1)
  usd = '0.5'
  await page.clock.runFor(60_000)
  expect(calls).toBe(1)
  await page.clock.runFor(60_000)
  await expect(price).toHaveText('$0.500000')
  expect(calls).toBe(2)
  usd = '0.0001239'
  await page.clock.runFor(120_000)
  await expect(price).toHaveText('$0.000124')
  expect(calls).toBe(3)
})

test('shows N/A without a pair or on a failed call, and recovers with the next reply', async ({ page }) => {
  const price = page.locator('#hero .stat-card').filter({ hasText: 'Price' }).locator('dd')
  const logged = recordConsoleErrors(page)
  const answers = {
    none: { json: { pairs: null } },
    empty: { json: { pairs: [] } },
    broken: { status: 500, json: { message: 'Something went wrong.', code: 'internal' } },
  }
  await page.clock.install()
  for (const answer of Object.values(answers)) {
    await page.unrouteAll()
    await page.route(CALL, (route) => route.fulfill(answer))
    await page.goto('/')
    await expect(price).toHaveText('N/A')
  }
  expect(logged.some((text) => text.includes('Price fetch failed'))).toBe(true)

  await page.unrouteAll()
  await page.route(CALL, (route) => route.abort())
  await page.goto('/')
  await expect(price).toHaveText('N/A')
  await expect(announced(page)).toHaveCount(0)
  await page.unrouteAll()
  await page.clock.fastForward(120_000)
  await expect(price).toHaveText('$0.000123')
})

test('says when the price is from the pool, for as long as it is', async ({ page }) => {
  const card = page.locator('#hero .stat-card').filter({ hasText: 'Price' })
  let source: string | undefined = 'pool'
  await page.route(CALL, (route) =>
    route.fulfill({ json: { pairs: [{ priceUsd: '0.0000012', ...(source ? { source } : {}) }] } }),
  )
  await page.clock.install()
  await page.goto('/')
  await expect(card.getByText('$0.000001', { exact: true })).toBeVisible()
  const label = card.getByText('From the pool', { exact: true })
  await expect(label).toBeVisible()
  await page.evaluate(() => document.fonts.ready.then(() => {}))
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const { corner, word, sheet } = await card.evaluate((node) => {
      const range = document.createRange()
      range.selectNodeContents(node.querySelector('dt') ?? node)
      const right = (part?: Element | Range | null) => part?.getBoundingClientRect().right ?? NaN
      const span = node.querySelector('[title]')
      return {
        corner: [span?.getBoundingClientRect().left ?? NaN, right(span)],
        word: right(range),
        sheet: right(node),
      }
    })
    expect(corner[0], 'beside the word, not over it').toBeGreaterThan(word)
    expect(corner[1], 'within the card').toBeLessThan(sheet)
  }
  // Its coming and going moves nothing.
  const height = () =>
    card.evaluate((node) => {
      const price = node.querySelector('dd')?.getBoundingClientRect().top ?? 0
      return price - node.getBoundingClientRect().top
    })
  const before = await height()
  source = undefined
  await page.clock.fastForward(120_000)
  await expect(label).toHaveCount(0)
  await expect(card.locator('dd')).toHaveText('$0.000001')
  expect(await height()).toBe(before)
})
