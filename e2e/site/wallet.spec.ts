import type { Locator, Page } from '@playwright/test'
import campaign from '#server/testing/campaign.ts'
import { expectAccessible } from '../checks/axe.ts'
import { saveSettings } from '../steps/dashboard-steps.ts'
import { hold } from '../support/intercept.ts'
import { expect, type Product, test } from '../support/product.ts'
import { install, makeWallet, type Wallet } from '../support/wallet.ts'

const ADD_CHAIN = 'Add PulseChain'
const ADD_TOKEN = 'Add PF to wallet'
/** The script that hydrates a page's islands. */
const HYDRATION = /\/assets\/islands-.*\.js$/

const messageBelow = (page: Page, button: string): Locator =>
  page
    .locator('div')
    .filter({ has: page.getByRole('button', { name: button }) })
    .last() // the innermost
    .getByRole('status')
const press = (page: Page, button: string) => page.getByRole('button', { name: button }).click()

/** Wallets are offered only tokens whose contract is not a placeholder, as the campaign file's is. */
async function setPlaceholder(product: Product, isPlaceholder: boolean): Promise<void> {
  const path = 'token.placeholder'
  await saveSettings(product, [isPlaceholder ? { path, unset: true } : { path, value: false }])
  const readPage = async () => (await fetch(`${product.url}/howtobuy`)).text()
  await expect.poll(async () => (await readPage()).includes('id="no-token"')).toBe(isPlaceholder)
}

test.beforeAll(({ product }) => setPlaceholder(product, false))
test.afterAll(({ product }) => setPlaceholder(product, true))

test('adds chain and token to a wallet, and explains each refusal', async ({ context, product }) => {
  const installed = [makeWallet()]
  await install(context, installed)
  const page = await context.newPage()
  const chainSays = messageBelow(page, ADD_CHAIN)
  const tokenSays = messageBelow(page, ADD_TOKEN)
  const onChain = 'is now on PulseChain.'
  /** Replaces the installed wallet. The page keeps the last message, so a step expects another one. */
  const replaceWallet = (changes: Partial<Wallet> = {}): Wallet => {
    const wallet = Object.assign(makeWallet(), changes)
    installed[0] = wallet
    return wallet
  }

  await test.step('after a press before hydration, the wallet adds the chain and switches to it', async () => {
    const wallet = replaceWallet()
    const hydration = page.waitForRequest(HYDRATION)
    const held = await hold(page, HYDRATION)
    await page.goto('/howtobuy', { waitUntil: 'domcontentloaded' })
    await expect(chainSays).toHaveText('Your wallet will ask you to confirm before it changes anything.')
    await press(page, ADD_CHAIN)
    await hydration
    expect(wallet.methods).toEqual([])
    held.release()
    for (const words of ['Added', 'Test Wallet', onChain]) await expect(chainSays).toContainText(words)
    expect(wallet.methods.filter((method) => method === 'wallet_addEthereumChain')).toHaveLength(1)
    expect(wallet.chain).toBe(369)
    const { name, currency, rpcUrl, explorerUrl } = campaign.chain
    expect(wallet.chains.get(369)).toEqual({
      chainId: '0x171',
      chainName: name,
      nativeCurrency: currency,
      rpcUrls: [rpcUrl],
      blockExplorerUrls: [explorerUrl],
    })
    expect(wallet.listed).toEqual([])
    await expectAccessible(page, 'the chain is added', 'main')
  })

  await test.step('points to the wallet’s open prompt, also when the button is pressed again', async () => {
    const wallet = replaceWallet({ answers: ['later'] })
    await press(page, ADD_CHAIN)
    await expect(chainSays).toContainText('is asking for confirmation. Respond in your wallet.')
    await expect.poll(() => wallet.methods.at(-1)).toBe('wallet_addEthereumChain')
    await press(page, ADD_CHAIN)
    await expect(chainSays).toContainText('is still waiting for your earlier response.')
    wallet.answerPrompt('yes')
    await expect(chainSays).toContainText(onChain)
  })

  await test.step('unlocks a locked wallet first, or reports that it is locked', async () => {
    const wallet = replaceWallet({ isLocked: true, answers: ['no'] })
    await press(page, ADD_CHAIN)
    await expect(chainSays).toContainText('You declined in')
    expect(wallet.isLocked).toBe(true)
    wallet.refusals.set('eth_requestAccounts', { code: 4100, message: 'Locked.' })
    await press(page, ADD_CHAIN)
    await expect(chainSays).toContainText('is locked. Unlock it and try again.')
    wallet.refusals.clear()
    await press(page, ADD_CHAIN)
    await expect(chainSays).toContainText(onChain)
    expect(wallet.isLocked).toBe(false)
  })

  await test.step('adds no token to a wallet that falsely claims to have switched', async () => {
    const wallet = replaceWallet()
    const { request } = wallet
    wallet.request = async (call) => (call.method === 'eth_chainId' ? { result: '0x1' } : request(call))
    await press(page, ADD_TOKEN)
    await expect(tokenSays).toContainText('couldn’t add it.')
    expect(wallet.methods).not.toContain('wallet_watchAsset')
  })

  await test.step('explains unsupported methods and wallet errors', async () => {
    const wallet = replaceWallet()
    for (const unsupported of [4200, -32601]) {
      wallet.refusals.set('wallet_watchAsset', { code: unsupported, message: 'Method not found.' })
      await press(page, ADD_TOKEN)
      await expect(tokenSays).toContainText('doesn’t support this. Add it manually')
      wallet.refusals.set('wallet_watchAsset', { code: -32603, message: 'Internal error.' })
      await press(page, ADD_TOKEN)
      await expect(tokenSays).toContainText('couldn’t add it.')
    }
    expect(wallet.listed).toEqual([])
  })

  await test.step('stops when the visitor declines a prompt, and adds the token when they agree', async () => {
    const wallet = replaceWallet({ answers: ['no'] })
    const declined = /^You declined in .*Press the button again if you change your mind\.$/
    await press(page, ADD_CHAIN)
    await expect(chainSays).toHaveText(declined)
    expect([...wallet.chains.keys()]).toEqual([1])

    wallet.answers = ['yes', 'no'] // to adding the chain, and to switching to it
    await press(page, ADD_TOKEN)
    await expect(tokenSays).toHaveText(declined)
    expect(wallet.chain).toBe(1)
    expect(wallet.methods).not.toContain('wallet_watchAsset')

    wallet.answers = ['yes', 'no'] // to switching to the chain, and to adding the token
    await press(page, ADD_TOKEN)
    await expect.poll(() => wallet.methods.at(-1)).toBe('wallet_watchAsset')
    await expect(tokenSays).toHaveText(declined)
    expect(wallet.listed).toEqual([])

    await press(page, ADD_TOKEN)
    for (const words of ['Added', 'lists PF.']) await expect(tokenSays).toContainText(words)
    await expect(chainSays).not.toContainText('Added')
    const { contract: address, symbol, decimals } = campaign.token
    const image = `${product.url}/icon-512.png`
    const asset = { type: 'ERC20', options: { address, symbol, decimals, image } }
    expect(wallet.listed).toEqual([{ chain: 369, asset }])
    expect(wallet.methods).not.toContain('eth_requestAccounts')
  })

  await test.step('a wallet that knows the chain switches to it without adding it', async () => {
    const chains = new Map<number, unknown>([
      [1, 'Ethereum'],
      [369, 'PulseChain'],
    ])
    const wallet = replaceWallet({ chains })
    await press(page, ADD_CHAIN)
    await expect(chainSays).toContainText(onChain)
    expect(wallet.chain).toBe(369)
    expect(wallet.methods).not.toContain('wallet_addEthereumChain')
  })
})

test('lets the visitor choose among several wallets', async ({ context }) => {
  const chosenName = 'Second <b>Wallet</b>'
  const chosen = makeWallet({ name: chosenName })
  const hebrew = makeWallet({ name: 'א'.repeat(200), icon: 'https://elsewhere.example/icon.svg' })
  const nameless = makeWallet({ name: '', icon: 'javascript:alert(1)' })
  const others = [makeWallet({ name: 'First Wallet' }), hebrew, nameless]
  await install(context, others.toSpliced(1, 0, chosen))
  const page = await context.newPage()
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))

  await test.step('lists the wallets, with icons only from data addresses', async () => {
    await page.goto('/howtobuy')
    const choice = page.getByRole('region', { name: 'Which wallet do you want to use?' })
    await expect(choice.getByRole('radio')).toHaveCount(4)
    await expect(choice.getByRole('img', { includeHidden: true }), 'icons have no role').toHaveCount(0)
    await expect(choice.locator('img')).toHaveCount(2)
    await expect(choice.getByRole('radio', { name: 'First Wallet' })).toBeChecked()
    const labels = choice.locator('label')
    await expect(labels.nth(2)).toHaveText('א'.repeat(32))
    await expect(labels.nth(2).locator('[dir="auto"]')).toHaveCSS('direction', 'rtl')
    await expect(labels.nth(3)).toHaveText('Wallet')
    await expectAccessible(page, 'several wallets', '.wallets')
  })

  await test.step('adds chain and token to the chosen wallet', async () => {
    await page.getByRole('radio', { name: chosenName }).check()
    await press(page, ADD_CHAIN)
    await expect(messageBelow(page, ADD_CHAIN)).toContainText(chosenName)
    await expect(messageBelow(page, ADD_CHAIN)).toContainText('is now on PulseChain.')
    await press(page, ADD_TOKEN)
    await expect(messageBelow(page, ADD_TOKEN)).toContainText('lists PF.')
    expect(chosen.chain).toBe(369)
  })

  await test.step('asks no other wallet and no other site', () => {
    for (const { chain, methods } of others) expect({ chain, methods }).toEqual({ chain: 1, methods: [] })
    expect(urls.filter((url) => url.includes('elsewhere'))).toEqual([])
  })
})

test('finds a legacy wallet that announces nothing', async ({ context }) => {
  const wallet = makeWallet()
  await install(context, [wallet], { isLegacy: true })
  const page = await context.newPage()
  await page.goto('/howtobuy')
  await press(page, ADD_CHAIN)
  await expect(messageBelow(page, ADD_CHAIN)).toContainText('is now on PulseChain.')
  expect(wallet.chain).toBe(369)
})

test('explains how to get a wallet, and finds a wallet that announces itself late', async ({ page }) => {
  await page.goto('/howtobuy')
  for (const button of [ADD_CHAIN, ADD_TOKEN]) {
    await press(page, button)
    await expect(messageBelow(page, button)).toContainText('We couldn’t find a wallet. Install one')
  }
  const choice = page.locator('.wallets')
  await expect(choice).toContainText('We couldn’t find a wallet.')
  await expectAccessible(page, 'no wallet', 'main')
  await page.evaluate(() => {
    const detail = { info: { uuid: 'late', name: 'Late Wallet' }, provider: { request: async () => null } }
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: {} })) // malformed
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  })
  await expect(page.getByText('Late Wallet')).toHaveCount(1)
  await expect(choice).not.toContainText('We couldn’t find a wallet.')
})
