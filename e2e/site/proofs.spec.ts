import type { Page } from '@playwright/test'
import { copied } from '../support/clipboard.ts'
import { expectAccessible } from '../checks/axe.ts'
import { BUDGETS, visitPage } from '../checks/weight.ts'
import { expect, type Product } from '../support/product.ts'
import { test } from '../support/proven.ts'

/** Where a proxy by EIP-1967 keeps the address of its rules. */
const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

test.use({ isExpendable: true })

const tag = (page: Page, claim: string) => page.locator(`.tag[data-claim="${claim}"]`)

/** Has the chain asked and opens the page again, until the verdict on a claim is shown. */
async function expectVerdict(page: Page, product: Product, { claim, verdict, late }: Expected) {
  await expect(async () => {
    await product.askChainAgain(late)
    await page.reload()
    await expect(tag(page, claim).locator('.verdict')).toHaveText(verdict, { timeout: 1_000 })
  }).toPass({ intervals: [1_000] })
}

/** `late`: the last verdict is older than a verdict stands. */
type Expected = { claim: string; verdict: string; late?: 'late' }

test('stamps what the chain proves, takes the stamp back when it no longer does, and says when it cannot tell', async ({
  browser,
  page,
  product,
  world,
}) => {
  await page.goto('/')
  await expectVerdict(page, product, { claim: 'tax', verdict: 'Proven' })
  const panel = page.getByRole('region', { name: 'Don’t trust us. Ask the chain.' })
  await expect(panel).toContainText('5/5')
  const verified = page.getByRole('link', { name: 'Verified' })
  const stated = await verified.count()
  expect(stated).toBeGreaterThan(1)
  await verified.first().click()
  await expect(panel).toBeInViewport()
  await tag(page, 'tax').getByText('Check it yourself').click()
  await tag(page, 'tax').getByRole('button', { name: /^Copy/ }).click()
  await expect(tag(page, 'tax').getByRole('button', { name: /^Copied!/ })).toBeVisible()
  expect(await copied(page)).toMatch(/^curl .*"jsonrpc"/)
  await expectAccessible(page, 'proven')
  await Promise.all(
    ['/', '/tokenomics'].map(async (path) => {
      const visit = await visitPage(browser, product.url + path)
      for (const { what, atMost, of } of BUDGETS.page)
        expect.soft(of(visit), `${what} of ${path}`).toBeLessThanOrEqual(atMost)
    }),
  )

  const { address } = world.tokens.fair
  const { deployer } = world
  const slot = [address, IMPLEMENTATION, `0x${deployer.address.slice(2).padStart(64, '0')}`]
  await world.chain.call('anvil_setStorageAt', slot)
  await world.chain.mine(1)
  await page.goto('/tokenomics')
  await expectVerdict(page, product, { claim: 'ownership', verdict: 'Not true' })
  await expect(panel).not.toContainText('5/5')
  await expect(tag(page, 'ownership')).toContainText('The contract is a proxy')
  const facts = page.locator('.fact-row')
  await expect(facts.filter({ hasText: 'Renounced contract' }).getByText('Verified')).toHaveCount(0)
  await expect(facts.filter({ hasText: 'Native to PulseChain' }).getByText('Verified')).toHaveCount(1)
  await expectAccessible(page, 'not true')

  await world.chain.call('anvil_setStorageAt', [address, IMPLEMENTATION, `0x${'0'.repeat(64)}`])
  await world.chain.stop()
  await expectVerdict(page, product, { claim: 'chain', verdict: 'Could not check', late: 'late' })
  await expect(page.getByText('Verified')).toHaveCount(0)
  await expectAccessible(page, 'could not check')
})
