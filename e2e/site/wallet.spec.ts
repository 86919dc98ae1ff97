import type { BrowserContext, Locator, Page } from '@playwright/test'
import { expectAccessible } from '../checks/axe.ts'
import { hold } from '../support/held-calls.ts'
import { test, type Launch } from '../support/launch.ts'
import { expect } from '../support/product.ts'
import { install, makeWallet, type Wallet } from '../support/wallet.ts'

const ADD_CHAIN = 'Add PulseChain'
const ADD_TOKEN = 'Add PF to wallet'
/** The script that hydrates a page's islands. */
const HYDRATION = /\/assets\/islands-.*\.js$/

/** The result message below a button. */
const messageBelow = (page: Page, button: string): Locator =>
  page
    .locator('div')
    .filter({ has: page.getByRole('button', { name: button }) })
    .last()
    .getByRole('status')
const press = (page: Page, button: string) => page.getByRole('button', { name: button }).click()

/** Opens a page in a browser with one wallet. */
async function withWallet(context: BrowserContext, launch: Launch, given: Partial<Wallet> = {}) {
  const wallet = Object.assign(makeWallet(launch), given)
  await install(context, [wallet])
  const page = await context.newPage()
  await page.goto('/howtobuy')
  return { wallet, page }
}

test('adds the chain to a wallet that does not know it, and switches to it', async ({ context, launch }) => {
  const { wallet, page } = await withWallet(context, launch)
  await expect(messageBelow(page, ADD_CHAIN)).toHaveText(
    'Your wallet will ask you to confirm before it changes anything.',
  )
  await press(page, ADD_CHAIN)
  await expect(messageBelow(page, ADD_CHAIN)).toContainText('is now on PulseChain.')
  await expect(messageBelow(page, ADD_CHAIN)).toContainText('Added')
  await expect(messageBelow(page, ADD_CHAIN)).toContainText('Test Wallet')
  expect(wallet.chain).toBe(369)
  const { name, currency, rpcUrl, explorerUrl } = launch.campaign.chain
  expect(wallet.chains.get(369)).toEqual({
    chainId: '0x171',
    chainName: name,
    nativeCurrency: currency,
    rpcUrls: [rpcUrl],
    blockExplorerUrls: [explorerUrl],
  })
  expect(wallet.listed).toEqual([])
  await expectAccessible(page, 'the chain is added')
})

test('only switches a wallet that knows the chain', async ({ context, launch }) => {
  const chains = new Map<number, unknown>([
    [1, 'Ethereum'],
    [369, 'PulseChain'],
  ])
  const { wallet, page } = await withWallet(context, launch, { chains })
  await press(page, ADD_CHAIN)
  await expect(messageBelow(page, ADD_CHAIN)).toContainText('is now on PulseChain.')
  expect(wallet.chain).toBe(369)
  expect(wallet.methods).not.toContain('wallet_addEthereumChain')
})

test('adds the token on its chain with the data of the contract', async ({ context, launch }) => {
  const { wallet, page } = await withWallet(context, launch)
  await press(page, ADD_TOKEN)
  await expect(messageBelow(page, ADD_TOKEN)).toContainText('lists PF.')
  await expect(messageBelow(page, ADD_TOKEN)).toContainText('Added')
  await expect(messageBelow(page, ADD_CHAIN)).not.toContainText('Added')
  const { contract: address, symbol, decimals } = launch.campaign.token
  expect(wallet.listed).toEqual([{ chain: 369, address, symbol, decimals, balance: 10n ** 27n }])
  expect(wallet.methods).not.toContain('eth_requestAccounts')
})

test('stops when the user rejects any wallet prompt', async ({ context, launch }) => {
  const { wallet, page } = await withWallet(context, launch)
  const no = /^You declined in .*Press the button again if you change your mind\.$/
  wallet.answers = ['no']
  await press(page, ADD_CHAIN)
  await expect(messageBelow(page, ADD_CHAIN)).toHaveText(no)
  expect([...wallet.chains.keys()]).toEqual([1])

  wallet.answers = ['yes', 'no']
  await press(page, ADD_TOKEN)
  await expect(messageBelow(page, ADD_TOKEN)).toHaveText(no)
  expect(wallet.chain).toBe(1)
  expect(wallet.methods).not.toContain('wallet_watchAsset')

  wallet.answers = ['yes', 'no']
  await press(page, ADD_TOKEN)
  await expect.poll(() => wallet.methods.at(-1)).toBe('wallet_watchAsset')
  await expect(messageBelow(page, ADD_TOKEN)).toHaveText(no)
  expect(wallet.listed).toEqual([])

  await press(page, ADD_TOKEN)
  await expect(messageBelow(page, ADD_TOKEN)).toContainText('lists PF.')
})

test('points to the open wallet prompt, even when pressed again', async ({ context, launch }) => {
  const { wallet, page } = await withWallet(context, launch, { answers: ['later'] })
  await press(page, ADD_CHAIN)
  await expect(messageBelow(page, ADD_CHAIN)).toContainText(
    'is asking for confirmation. Respond in your wallet.',
  )
  await expect.poll(() => wallet.methods.at(-1)).toBe('wallet_addEthereumChain')
  await press(page, ADD_CHAIN)
  await expect(messageBelow(page, ADD_CHAIN)).toContainText('is still waiting for your earlier response.')
  wallet.answerPrompt('yes')
  await expect(messageBelow(page, ADD_CHAIN)).toContainText('is now on PulseChain.')
})

test('unlocks a locked wallet first, or reports that it is locked', async ({ context, launch }) => {
  const { wallet, page } = await withWallet(context, launch, { locked: true, answers: ['no'] })
  await press(page, ADD_CHAIN)
  await expect(messageBelow(page, ADD_CHAIN)).toContainText('You declined in')
  expect(wallet.locked).toBe(true)
  wallet.refuses.set('eth_requestAccounts', { code: 4100, message: 'Locked.' })
  await press(page, ADD_CHAIN)
  await expect(messageBelow(page, ADD_CHAIN)).toContainText('is locked. Unlock it and try again.')
  wallet.refuses.clear()
  await press(page, ADD_CHAIN)
  await expect(messageBelow(page, ADD_CHAIN)).toContainText('is now on PulseChain.')
  expect(wallet.locked).toBe(false)
})

test('explains unsupported methods and wallet errors', async ({ context, launch }) => {
  const { wallet, page } = await withWallet(context, launch)
  for (const code of [4200, -32601]) {
    wallet.refuses.set('wallet_watchAsset', { code, message: 'Method not found.' })
    await press(page, ADD_TOKEN)
    await expect(messageBelow(page, ADD_TOKEN)).toContainText('doesn’t support this. Add it manually')
    wallet.refuses.set('wallet_watchAsset', { code: -32603, message: 'Internal error.' })
    await press(page, ADD_TOKEN)
    await expect(messageBelow(page, ADD_TOKEN)).toContainText('couldn’t add it.')
  }
  expect(wallet.listed).toEqual([])
})

test('adds no token to a wallet that falsely claims to have switched', async ({ context, launch }) => {
  const { wallet, page } = await withWallet(context, launch)
  const { request } = wallet
  wallet.request = async (call) => (call.method === 'eth_chainId' ? { result: '0x1' } : request(call))
  await press(page, ADD_TOKEN)
  await expect(messageBelow(page, ADD_TOKEN)).toContainText('couldn’t add it.')
  expect(wallet.methods).not.toContain('wallet_watchAsset')
})

test('lets the visitor choose among wallets, of which only names and icons are used', async ({
  context,
  launch,
}) => {
  const long = 'א'.repeat(200)
  const wallets = [
    makeWallet(launch, { name: 'First Wallet' }),
    makeWallet(launch, { name: 'Second <b>Wallet</b>' }),
    makeWallet(launch, { name: long, icon: 'https://elsewhere.example/icon.svg' }),
    makeWallet(launch, { name: '', icon: 'javascript:alert(1)' }),
  ]
  await install(context, wallets)
  const page = await context.newPage()
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await page.goto('/howtobuy')
  const choice = page.getByRole('region', { name: 'Which wallet do you want to use?' })
  await expect(choice.getByRole('radio')).toHaveCount(4)
  await expect(choice.getByRole('img', { includeHidden: true })).toHaveCount(0)
  await expect(choice.locator('img')).toHaveCount(2)
  await expect(choice.getByRole('radio', { name: 'First Wallet' })).toBeChecked()
  const foreign = choice.locator('label').nth(2)
  await expect(foreign).toHaveText('א'.repeat(32))
  await expect(foreign.locator('[dir="auto"]')).toHaveCSS('direction', 'rtl')
  await expect(choice.locator('label').nth(3)).toHaveText('Wallet')
  await expectAccessible(page, 'several wallets')

  await choice.getByRole('radio', { name: 'Second <b>Wallet</b>' }).check()
  await press(page, ADD_CHAIN)
  await expect(messageBelow(page, ADD_CHAIN)).toContainText('Second <b>Wallet</b>')
  await expect(messageBelow(page, ADD_CHAIN)).toContainText('is now on PulseChain.')
  await press(page, ADD_TOKEN)
  await expect(messageBelow(page, ADD_TOKEN)).toContainText('lists PF.')
  expect(wallets.map(({ chain }) => chain)).toEqual([1, 369, 1, 1])
  expect(wallets.map(({ methods }) => methods.length > 0)).toEqual([false, true, false, false])
  expect(urls.filter((url) => url.includes('elsewhere'))).toEqual([])
})

test('finds a legacy wallet that announces nothing', async ({ context, launch }) => {
  const wallet = makeWallet(launch)
  await install(context, [wallet], { alone: true })
  const page = await context.newPage()
  await page.goto('/howtobuy')
  await press(page, ADD_CHAIN)
  await expect(messageBelow(page, ADD_CHAIN)).toContainText('is now on PulseChain.')
  expect(wallet.chain).toBe(369)
})

test('finds a wallet that announces itself late', async ({ page }) => {
  await page.goto('/howtobuy')
  await expect(page.getByText('We couldn’t find a wallet.')).toBeVisible()
  await page.evaluate(() => {
    const detail = { info: { uuid: 'late', name: 'Late Wallet' }, provider: { request: async () => null } }
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: {} }))
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  })
  await expect(page.getByText('Late Wallet')).toHaveCount(1)
  await expect(page.getByText('We couldn’t find a wallet.')).toHaveCount(0)
})

test('explains how to get a wallet when there is none', async ({ page }) => {
  await page.goto('/howtobuy')
  for (const button of [ADD_CHAIN, ADD_TOKEN]) {
    await press(page, button)
    await expect(messageBelow(page, button)).toContainText('We couldn’t find a wallet. Install one')
  }
  await expectAccessible(page, 'no wallet')
})

test('replays a press made before hydration', async ({ context, launch }) => {
  const wallet = makeWallet(launch)
  await install(context, [wallet])
  const page = await context.newPage()
  const hydration = page.waitForRequest(HYDRATION)
  const held = await hold(page, HYDRATION)
  await page.goto('/howtobuy', { waitUntil: 'domcontentloaded' })
  await press(page, ADD_CHAIN)
  await hydration
  expect(wallet.methods).toEqual([])
  held.release()
  await expect(messageBelow(page, ADD_CHAIN)).toContainText('is now on PulseChain.')
  expect(wallet.methods.filter((method) => method === 'wallet_addEthereumChain')).toHaveLength(1)
})
