import { announced, recordConsoleErrors } from '../support/page-messages.ts'
import { expect, test } from '../support/product.ts'

const CALL = /\/api\/v1\/latest\/dex\/tokens\/0x/

test('refreshes the price every two minutes, says N/A while there is none, and when it is from the pool', async ({
  page,
}) => {
  const card = page.locator('#hero .stat-card').filter({ hasText: 'Price' })
  const price = card.locator('dd')
  const logged = recordConsoleErrors(page)
  const pairs = (...given: object[]) => ({ json: { pairs: given } })
  /** The reply instead of the product's, which caches a price for a minute. */
  let answer: { status?: number; json: object } | 'none' | undefined
  const asked = Promise.withResolvers<void>()
  let calls = 0
  await page.route(CALL, async (route) => {
    calls += 1
    await asked.promise
    if (answer === 'none') return route.abort()
    return answer ? route.fulfill(answer) : route.continue()
  })
  const refreshTo = async (next: typeof answer, shown: string) => {
    answer = next
    const before = calls
    await page.clock.runFor(120_000)
    await expect(price).toHaveText(shown)
    expect(calls).toBe(before + 1)
  }
  await page.clock.install()
  await page.goto('/')

  await test.step('shows it with six decimals once it is known, and asks again after two minutes', async () => {
    await expect(price).toHaveText('Loading...')
    asked.resolve()
    await expect(price).toHaveText('$0.000123')
    await page.clock.pauseAt(Date.now() + 10_000)
    answer = pairs({ priceUsd: '0.5' }, { priceUsd: '9' })
    await page.clock.runFor(60_000)
    expect(calls).toBe(1)
    await page.clock.runFor(60_000)
    await expect(price).toHaveText('$0.500000')
    expect(calls).toBe(2)
    await refreshTo(pairs({ priceUsd: '0.0001239' }), '$0.000124')
  })

  await test.step('shows N/A without a pair and on a failed call, only logs that, and recovers', async () => {
    await refreshTo({ json: { pairs: null } }, 'N/A')
    await refreshTo(undefined, '$0.000123')
    expect(logged.filter((text) => text.includes('Price fetch failed'))).toEqual([])
    for (const failure of [
      { status: 500, json: { message: 'Broken.', code: 'internal' } },
      'none',
    ] as const) {
      await refreshTo(failure, 'N/A')
      expect(logged.filter((text) => text.includes('Price fetch failed'))).toHaveLength(1)
      logged.length = 0
      await expect(announced(page)).toHaveCount(0)
      await refreshTo(undefined, '$0.000123')
    }
  })

  await test.step('says when it is from the pool, for as long as it is, which moves nothing', async () => {
    await refreshTo(pairs({ priceUsd: '0.0000012', source: 'pool' }), '$0.000001From the pool')
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
    const height = () =>
      card.evaluate((node) => {
        const figure = node.querySelector('dd')?.getBoundingClientRect().top ?? 0
        return figure - node.getBoundingClientRect().top
      })
    const before = await height()
    await refreshTo(pairs({ priceUsd: '0.0000012' }), '$0.000001')
    await expect(label).toHaveCount(0)
    expect(await height()).toBe(before)
  })
})
