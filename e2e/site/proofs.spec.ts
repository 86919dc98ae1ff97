import type { Page } from '@playwright/test'
import { PROOF_CLAIMS } from '#contract/token-proofs/proof.ts'
import { copied } from '../steps/page-steps.ts'
import { expectAccessible } from '../checks/axe.ts'
import { tabTo } from '../checks/focus.ts'
import { BUDGETS, openVisitor, visitPage } from '../checks/weight.ts'
import { recordPageErrors } from '../support/page-messages.ts'
import type { CheckOptions } from '../support/records.ts'
import { expect } from '../support/product.ts'
import { startFakeNode, test } from '../support/proven.ts'

/** Where a proxy contract (EIP-1967) stores the address of its implementation. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

/** On the site, the tag with what the chain says about a claim, such as `tax`. */
const tag = (page: Page, claim: string) => page.locator(`.tag[data-claim="${claim}"]`)

test('stamps only claims that the chain proves, and says which claims it could not check', async ({
  browser,
  page,
  product,
  world,
}) => {
  const { address } = world.tokens.fair
  const { campaign, chain, deployer } = world
  const verified = page.getByRole('link', { name: 'Verified' })
  const panel = page.getByRole('region', { name: 'Don’t trust us. Ask the chain.' })

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
    await expectAccessible(page, 'proven', 'main')
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
    // Any address in the slot of the implementation makes the contract a proxy.
    await writeImplementation(deployer.address.slice(2))
    await expectVerdict('ownership', 'Not true')
    await expect(panel).not.toContainText('5/5')
    await expect(tag(page, 'ownership')).toContainText('The contract is a proxy')
    const facts = page.locator('.fact-row')
    await expect(facts.filter({ hasText: 'Renounced contract' }).getByText('Verified')).toHaveCount(0)
    await expect(facts.filter({ hasText: 'Native to PulseChain' }).getByText('Verified')).toHaveCount(1)
    await expectAccessible(page, 'not true', '#proofs')
  })

  await test.step('when the verdicts have expired while the chain is silent, nothing is verified', async () => {
    await writeImplementation('0')
    const silent = await startFakeNode({})
    await silent.close()
    await expectVerdict('chain', 'Could not check', { rpcUrl: silent.url, hasExpired: true })
    await expect(page.getByText('Verified')).toHaveCount(0)
    await expectAccessible(page, 'could not check', '#proofs')
  })

  await test.step('when the chain answers again, the stamps are back', async () => {
    await expectVerdict('ownership', 'Proven')
    await expect(panel).toContainText('5/5')
  })
})

// For /check, where the visitor's browser asks the chain.
const verdictOf = (page: Page, claim: string) => page.locator(`#${claim} [data-stamp]`)
const siteAnswer = (page: Page, claim: string) => page.locator(`#${claim} [data-site]`)
const status = (page: Page) => page.locator('#status')

async function ask(page: Page, address: string) {
  await page.getByLabel('RPC address').fill(address)
  await page.getByRole('button', { name: 'Ask the chain' }).click()
}

test('/check asks a node about every claim and says what it proves', async ({ browser, product, world }) => {
  // The fixture `page` adds a header, with which CORS would forbid calls to other hosts.
  const context = await browser.newContext({ baseURL: product.url })
  const complaints = recordPageErrors(context)
  const page = await context.newPage()
  await page.goto('/check')
  for (const claim of PROOF_CLAIMS) await expect(verdictOf(page, claim)).toHaveText('Not asked yet')

  await test.step('a faulty node proves nothing', async () => {
    const [foreign, garbage, silent, unreadable] = await Promise.all([
      startFakeNode({ eth_chainId: '0x1' }),
      startFakeNode('<html>It works!</html>'),
      startFakeNode({ eth_chainId: '0x171' }),
      startFakeNode({ eth_chainId: '0x171' }, { isReadableByPages: false }),
    ])
    await silent.close()
    for (const [node, words] of [
      [foreign, /^This node is not on PulseChain \(chain 369\); it reports "0x1"\./],
      [garbage, /^This address doesn’t respond like a node\./],
      [unreadable, /doesn’t accept requests from web pages \(CORS\)/],
      [silent, /^We couldn’t reach the node/],
    ] as const) {
      await ask(page, node.url)
      await expect(status(page)).toHaveText(words)
      for (const claim of PROOF_CLAIMS) await expect(verdictOf(page, claim)).toHaveText('Could not check')
    }
    await Promise.all([foreign, garbage, unreadable].map((node) => node.close()))
  })

  await test.step('an address that cannot be called is refused', async () => {
    await ask(page, 'http://rpc.example')
    await expect(page.getByRole('alert')).toHaveText(/^Use an https:\/\/ address/)
    await expect(page.getByLabel('RPC address')).toBeFocused()
  })

  await test.step('shows where a node and the site differ', async () => {
    const block = await world.chain.call('eth_getBlockByNumber', ['latest', false])
    const answers = {
      eth_chainId: '0x171',
      eth_blockNumber: (block as { number: string }).number,
      eth_getBlockByNumber: block,
      eth_getStorageAt: `0x${'0'.repeat(64)}`,
      eth_getLogs: [],
    }
    // The claim `chain` says that the contract has code on PulseChain; here it has none.
    const node = await startFakeNode({ ...answers, eth_getCode: '0x' })
    await ask(page, node.url)
    await expect(verdictOf(page, 'chain')).toHaveText('Not true')
    await expect(page.locator('#chain')).toContainText('This site got a different verdict.')
    await expect(status(page)).toContainText('trust the chain')
    for (const claim of PROOF_CLAIMS) await expect(verdictOf(page, claim)).not.toHaveText('Proven')

    const withOtherCode = await startFakeNode({ ...answers, eth_getCode: '0x00' })
    await ask(page, withOtherCode.url)
    await expect(verdictOf(page, 'chain')).toHaveText('Proven')
    await expect(siteAnswer(page, 'chain'), 'another answer, but the same verdict').toBeVisible()
    await Promise.all([node, withOtherCode].map((each) => each.close()))
  })

  await test.step('when asked by keyboard, an honest node proves every claim, with the same verdicts as the site', async () => {
    await tabTo(page, page.getByLabel('RPC address'), 'Shift+Tab')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(world.chain.url)
    await page.keyboard.press('Enter')
    await expect(status(page)).toHaveText(
      /^5 of 5 claims proven\. At block [\d,]+\. This site got the same verdicts\.$/,
    )
    for (const claim of PROOF_CLAIMS) {
      await expect(verdictOf(page, claim)).toHaveText('Proven')
      await expect(page.locator(`#${claim}`)).toContainText('This site got the same verdict.')
    }
    await expect(siteAnswer(page, 'chain')).toBeHidden()
    const calls = page.locator('#ownership [data-calls]')
    await calls.locator('summary').click()
    const selectorOfOwner = /^eth_call .*0x8da5cb5b/
    await expect(calls.getByText(selectorOfOwner).first()).toBeVisible()
    const exchange = page.locator('#log li').first()
    await exchange.locator('summary').click()
    await expect(exchange.locator('pre').first()).toContainText('"method":"eth_chainId"')
    await expect(exchange.locator('pre').last()).toContainText('"result":"0x171"')
    await expectAccessible(page, 'checked')
  })

  await test.step('a check that breaks says so, and can be repeated', async () => {
    // The addresses of the simulated trades are random.
    await page.evaluate(() => {
      crypto.getRandomValues = () => {
        throw new Error('No random numbers.')
      }
    })
    await ask(page, world.chain.url)
    await expect(status(page)).toHaveText('Something went wrong, so nothing was checked. Please try again.')
    await expect(page.getByRole('button', { name: 'Ask the chain' })).toBeEnabled()
  })

  expect(complaints).toEqual([])
  await context.close()
})

test('/check cannot reach a session, this site or another window', async ({ browser, product }) => {
  const context = await browser.newContext({ baseURL: product.url })
  const page = await context.newPage()
  const participant = await product.newParticipant()
  await product.storeSession(page, participant)
  await context.addCookies([{ name: 'session', value: 'secret', url: product.url, httpOnly: true }])
  const sentCookies: (string | undefined)[] = []
  page.on('request', (request) => {
    // The browser sends the cookie with the request for the document. The page sends all other requests.
    if (!request.isNavigationRequest())
      void request.allHeaders().then(({ cookie }) => sentCookies.push(cookie))
  })

  const response = await page.goto('/check')
  expect(response?.headers()['content-security-policy']).toBe(
    "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'self'; connect-src https: http://127.0.0.1:*",
  )

  // The same server at the address that the policy lets the page call.
  const loopbackUrl = product.url.replace('localhost', '127.0.0.1')
  const reached = await page.evaluate(
    async ({ origins, bearer }) => {
      const attempt = async (act: () => unknown): Promise<string> => {
        try {
          return JSON.stringify(await act())
        } catch (error) {
          return (error as Error).name
        }
      }
      const call = (origin: string, init: RequestInit) =>
        attempt(async () => (await fetch(`${origin}/api/v1/users/profile`, init)).status)
      return {
        origin: self.origin,
        isAlone: parent === self && opener === null,
        stores: [
          await attempt(() => document.cookie),
          await attempt(() => localStorage.length),
          await attempt(() => sessionStorage.length),
          await attempt(() => indexedDB.open('x')),
          await attempt(() => caches.keys()),
          await attempt(() => navigator.serviceWorker.register('/head.js')),
        ],
        windows: await attempt(() => open('/profile')),
        calls: await Promise.all(
          origins.flatMap((origin) => [
            call(origin, { credentials: 'include' }),
            call(origin, { headers: { authorization: `Bearer ${bearer}` } }),
          ]),
        ),
      }
    },
    { origins: [product.url, loopbackUrl], bearer: participant.token },
  )
  expect(reached.origin).toBe('null')
  expect(reached.isAlone).toBe(true)
  expect(new Set(reached.stores)).toEqual(new Set(['SecurityError']))
  expect(reached.windows).toBe('null')
  expect(reached.calls).toEqual(Array(4).fill('TypeError'))
  await expect.poll(() => sentCookies.length).toBeGreaterThan(1)
  expect(new Set(sentCookies)).toEqual(new Set([undefined]))
  await context.close()
})
