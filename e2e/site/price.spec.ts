import { announced, recordConsoleErrors } from '../support/page-messages.ts'
import { expect, test } from '../support/product.ts'

const PRODUCT_PRICE = '$0.000123' // as the product under test replies
const CALL = /\/api\/v1\/latest\/dex\/tokens\/0x/

test('refreshes the price every two minutes, and says N/A if there is none', async ({ page }) => {
  const card = page.locator('#hero .stat-card').filter({ hasText: 'Price' })
  const price = card.locator('dd')
  const logged = recordConsoleErrors(page)
  const replyWith = (...pairs: object[]) => ({ json: { pairs } })
  /** Replaces the product's reply, which is cached for a minute; `none` fails the call. */
  let answer: { status?: number; json: object } | 'none' | undefined
  const released = Promise.withResolvers<void>()
  let calls = 0
  await page.route(CALL, async (route) => {
    calls += 1
    await released.promise
    if (answer === 'none') return route.abort()
    return answer ? route.fulfill(answer) : route.continue()
  })
  const refreshTo = async (next: typeof answer, shown: string) => {
    answer = next
    const callsBefore = calls
    await page.clock.runFor(120_000)
    await expect(price).toHaveText(shown)
    expect(calls).toBe(callsBefore + 1)
  }
  await page.clock.install()
  await page.goto('/')

  await test.step('shows the price with six decimals when it is known, and asks again after two minutes', async () => {
    await expect(price).toHaveText('Loading...')
    released.resolve()
    await expect(price).toHaveText(PRODUCT_PRICE)
    await page.clock.pauseAt(Date.now() + 10_000) // From here on, the test moves the clock.
    answer = replyWith({ priceUsd: '0.5' }, { priceUsd: '9' }) // The first pair counts.
    await page.clock.runFor(60_000)
    expect(calls).toBe(1)
    await page.clock.runFor(60_000)
    await expect(price).toHaveText('$0.500000')
    expect(calls).toBe(2)
    await refreshTo(replyWith({ priceUsd: '0.0001239' }), '$0.000124')
  })

  await test.step('shows N/A without a pair and after a failed call, which is only logged, and recovers', async () => {
    await refreshTo({ json: { pairs: null } }, 'N/A')
    await refreshTo(undefined, PRODUCT_PRICE)
    expect(logged.filter((text) => text.includes('Price fetch failed'))).toEqual([])
    for (const failure of [
      { status: 500, json: { message: 'Broken.', code: 'internal' } },
      'none',
    ] as const) {
      await refreshTo(failure, 'N/A')
      expect(logged.filter((text) => text.includes('Price fetch failed'))).toHaveLength(1)
      logged.length = 0
      await expect(announced(page)).toHaveCount(0)
      await refreshTo(undefined, PRODUCT_PRICE)
    }
  })

  await test.step('labels a price from the pool without moving anything', async () => {
    await refreshTo(replyWith({ priceUsd: '0.0000012', source: 'pool' }), '$0.000001From the pool')
    const label = card.getByText('From the pool', { exact: true })
    await expect(label).toBeVisible()
    await page.evaluate(() => document.fonts.ready.then(() => {}))
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const { labelLeft, labelRight, nameRight, cardRight } = await card.evaluate((node) => {
        const nameRange = document.createRange()
        nameRange.selectNodeContents(node.querySelector('dt') ?? node)
        const labelBox = node.querySelector('[title]')?.getBoundingClientRect()
        return {
          labelLeft: labelBox?.left ?? NaN,
          labelRight: labelBox?.right ?? NaN,
          nameRight: nameRange.getBoundingClientRect().right,
          cardRight: node.getBoundingClientRect().right,
        }
      })
      expect(labelLeft, 'beside the name, not over it').toBeGreaterThan(nameRight)
      expect(labelRight, 'within the card').toBeLessThan(cardRight)
    }
    const priceOffset = () =>
      card.evaluate((node) => {
        const top = node.querySelector('dd')?.getBoundingClientRect().top ?? 0
        return top - node.getBoundingClientRect().top
      })
    const offsetBefore = await priceOffset()
    await refreshTo(replyWith({ priceUsd: '0.0000012' }), '$0.000001')
    await expect(label).toHaveCount(0)
    expect(await priceOffset()).toBe(offsetBefore)
  })
})
