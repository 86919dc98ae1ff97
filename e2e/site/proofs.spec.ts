import type { Page } from '@playwright/test'
import { copied } from '../steps/page-steps.ts'
import { expectAccessible } from '../checks/axe.ts'
import { BUDGETS, openVisitor, visitPage } from '../checks/weight.ts'
import { startFakeNode } from '../support/fake-node.ts'
import type { CheckOptions } from '../support/records.ts'
import { expect } from '../support/product.ts'
import { test } from '../support/proven.ts'

/** The storage slot in which a proxy (EIP-1967) keeps the address of its implementation. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

const tag = (page: Page, claim: string) => page.locator(`.tag[data-claim="${claim}"]`)

test('stamps only what the chain proves, and says when it could not check', async ({
  browser,
  page,
  product,
  world,
}) => {
  const { address } = world.tokens.fair
  const { campaign, chain, deployer } = world
  const verified = page.getByRole('link', { name: 'Verified' })
  const panel = page.getByRole('region', { name: 'Don’t trust us. Ask the chain.' })

  /** Checks the token and opens Tokenomics again, until it shows this verdict on the claim. */
  async function expectVerdict(claim: string, verdict: string, check: CheckOptions = { rpcUrl: chain.url }) {
    await expect(async () => {
      await product.checkToken(campaign, check)
      await page.goto('/tokenomics')
      await expect(tag(page, claim).locator('.verdict')).toHaveText(verdict, { timeout: 1_000 })
    }).toPass({ intervals: [200] })
  }
  async function writeImplementation(word: string) {
    await chain.call('anvil_setStorageAt', [address, IMPLEMENTATION_SLOT, `0x${word.padStart(64, '0')}`])
    await chain.mine(1)
  }

  await test.step('every claim of an honest token is proven, with commands to check it', async () => {
    await page.goto('/')
    await expect(tag(page, 'tax').locator('.verdict')).toHaveText('Proven')
    await expect(panel).toContainText('5/5')
    expect(await verified.count()).toBeGreaterThan(1)
    await verified.first().click()
    await expect(panel).toBeInViewport()
    await tag(page, 'tax').getByText('Check it yourself').click()
    await tag(page, 'tax').getByRole('button', { name: /^Copy/ }).click()
    await expect(tag(page, 'tax').getByRole('button', { name: /^Copied!/ })).toBeVisible()
    expect(await copied(page)).toMatch(/^curl .*"jsonrpc"/)
    await expectAccessible(page, 'proven')
  })

  await test.step('pages with proofs stay within their budgets', async () => {
    const visitor = await openVisitor(browser)
    for (const path of ['/', '/tokenomics']) {
      const visit = await visitPage(visitor, product.url + path)
      for (const { name, atMost, measure } of BUDGETS.page)
        expect.soft(measure(visit), `${name} of ${path}`).toBeLessThanOrEqual(atMost)
    }
    await visitor.context().close()
  })

  await test.step('a contract that turns into a proxy loses only the stamps about its owner', async () => {
    await writeImplementation(deployer.address.slice(2))
    await expectVerdict('ownership', 'Not true')
    await expect(panel).not.toContainText('5/5')
    await expect(tag(page, 'ownership')).toContainText('The contract is a proxy')
    const facts = page.locator('.fact-row')
    await expect(facts.filter({ hasText: 'Renounced contract' }).getByText('Verified')).toHaveCount(0)
    await expect(facts.filter({ hasText: 'Native to PulseChain' }).getByText('Verified')).toHaveCount(1)
    await expectAccessible(page, 'not true', '#proofs')
  })

  await test.step('while the chain is silent, nothing is verified for longer than a verdict stands', async () => {
    await writeImplementation('0')
    const silent = await startFakeNode({})
    await silent.close()
    await expectVerdict('chain', 'Could not check', { rpcUrl: silent.url, isLate: true })
    await expect(page.getByText('Verified')).toHaveCount(0)
    await expectAccessible(page, 'could not check', '#proofs')
  })

  await test.step('once the chain answers again, the stamps are back', async () => {
    await expectVerdict('ownership', 'Proven')
    await expect(panel).toContainText('5/5')
  })
})
