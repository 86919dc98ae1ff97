import type { Page } from '@playwright/test'
import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expectAccessible } from '../checks/axe.ts'
import { expectFits } from '../checks/fit.ts'
import { press } from '../checks/focus.ts'
import { toast } from '../steps/account-steps.ts'
import { fillProof, reachProof, submitProof } from '../steps/airdrop-steps.ts'
import { evidenceOf } from '../steps/dashboard-steps.ts'
import { newProof, type Participant } from '../support/people.ts'
import { expect, test, type Product } from '../support/product.ts'
import { install, makeSigningWallet, type SigningWallet } from '../support/wallet.ts'

const newAccount = () => privateKeyToAccount(generatePrivateKey())
const proof = (page: Page) => page.getByRole('group', { name: 'Proof of ownership' })
/** The rest of the form and of the profile is checked in `e2e/accessibility`. */
const PART = '[role="group"][aria-label="Proof of ownership"]'
const proveButton = (page: Page) => proof(page).getByRole('button', { name: 'Prove it’s yours (optional)' })
const walletField = (page: Page) => page.getByLabel('Wallet Address')
const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-5)}`

test.use({ hasTouch: true })

/** Expects that wallets were asked to connect and to sign, and for nothing else, such as a transaction. */
function expectOnlySigning(...wallets: SigningWallet[]) {
  const asked = wallets.flatMap(({ methods }) => methods)
  expect(new Set(asked)).toEqual(new Set(['eth_requestAccounts', 'personal_sign']))
}

/** The outcome of the check, as a reviewer reads it. */
const ownershipOutcome = async (product: Product, who: Participant) =>
  (await evidenceOf(product, who))['wallet-owned']

test('proves the wallet with the keyboard, claims with it, and removes the proof on the profile', async ({
  page,
  context,
  product,
}) => {
  const [who, admin, account] = [await product.newParticipant(), await product.admin(), newAccount()]
  const wallet = makeSigningWallet([account])
  await install(context, [wallet])
  await product.storeSession(page, who)
  await reachProof(page)
  await fillProof(page, { ...newProof(), wallet: account.address })
  await expect(proof(page)).toContainText('Signing is free and sends no transaction')
  expect(wallet.methods).toEqual([])

  await press(page, proveButton(page))
  await expect(proof(page).getByText('Proven', { exact: true })).toBeVisible()
  await expect(proof(page)).toContainText(`You have signed with ${short(account.address)}.`)
  await expect(proof(page)).toBeFocused()
  await expect(proveButton(page)).toHaveCount(0)
  const [text = ''] = wallet.signed
  expect(text).toContain(`${new URL(product.url).host} wants you to sign in with your Ethereum account:`)
  expect(text).toContain(`the participant ${who.username}. This is not a transaction`)
  await expectAccessible(page, 'proven', PART)
  await expectFits(page, 'proven')

  await submitProof(page)
  await expect(page).toHaveURL('/profile')
  await expect(proof(page).getByText('Proven', { exact: true })).toBeVisible()
  await expectAccessible(page, 'proven on the profile', PART)
  await expect.poll(() => ownershipOutcome(product, who)).toBe('confirmed')

  await product.storeSession(page, admin)
  await page.goto(`/dashboard?view=waiting&search=${who.username}`)
  await page.getByRole('button', { name: who.username, exact: true }).click()
  const card = page.getByRole('complementary', { name: 'Evidence' })
  await expect(card).toContainText('Confirmed. The participant signed with this wallet.')

  await product.storeSession(page, who)
  await page.goto('/profile')
  await press(page, proof(page).getByRole('button', { name: 'Remove the proof' }))
  await expect(proveButton(page)).toBeVisible()
  await expect(proof(page)).toBeFocused()
  await expect.poll(() => ownershipOutcome(product, who)).toBe('could_not_tell')
  wallet.answers = ['no']
  await proveButton(page).click()
  await expect(proof(page).getByRole('status')).toHaveText(/^You declined/)
  await proveButton(page).click()
  await expect(proof(page).getByText('Proven', { exact: true })).toBeVisible()
  await expect(proof(page), 'after a press on what already had the focus').toBeFocused()
  await expect.poll(() => ownershipOutcome(product, who)).toBe('confirmed')
  expectOnlySigning(wallet)
})

test('uses the chosen one of several wallets, and fills in its address', async ({
  page,
  context,
  product,
}) => {
  const [first, second] = [newAccount(), newAccount()]
  const wallets = [
    makeSigningWallet([first], { name: 'First Wallet' }),
    makeSigningWallet([second], { name: 'Second <b>Wallet</b>', icon: 'https://elsewhere.example/icon.svg' }),
  ]
  await install(context, wallets)
  await product.storeSession(page, await product.newParticipant())
  await reachProof(page)
  await proveButton(page).click()
  await expect(proof(page)).toContainText('Which wallet do you want to sign with?')
  await expect(proof(page).locator('img')).toHaveCount(1)
  expect(wallets.map(({ methods }) => methods)).toEqual([[], []])
  await expectAccessible(page, 'several wallets', PART)
  await expectFits(page, 'several wallets')
  await proof(page).getByRole('button', { name: 'Second <b>Wallet</b>' }).click()
  await expect(walletField(page)).toHaveValue(getAddress(second.address))
  await expect(proof(page).getByText('Proven', { exact: true })).toBeVisible()
  expect(wallets.map(({ signed }) => signed.length)).toEqual([0, 1])

  await test.step('another address in the field is not proven; the proven one can be taken again', async () => {
    await walletField(page).fill(first.address)
    await expect(proof(page)).toContainText(`You have proven a different wallet: ${short(second.address)}.`)
    await expect(proof(page).getByText('Proven', { exact: true })).toHaveCount(0)
    await proof(page).getByRole('button', { name: 'Use that address' }).click()
    await expect(walletField(page)).toHaveValue(second.address)
    await expect(proof(page).getByText('Proven', { exact: true })).toBeVisible()
  })

  await test.step('another wallet replaces the proven one', async () => {
    await walletField(page).fill(first.address)
    await proveButton(page).click()
    await proof(page).getByRole('button', { name: 'First Wallet' }).click()
    await expect(proof(page)).toContainText(`You have signed with ${short(first.address)}.`)
  })
  expectOnlySigning(...wallets)
})

test('a signature that comes after going back to the tasks does not leave them', async ({
  page,
  context,
  product,
}) => {
  const wallet = makeSigningWallet([newAccount()])
  wallet.answers.push('later')
  await install(context, [wallet])
  await product.storeSession(page, await product.newParticipant())
  await reachProof(page)
  await proveButton(page).click()
  await expect.poll(() => wallet.methods).toContain('personal_sign')
  await page.getByRole('button', { name: 'Back' }).click()
  const tasks = page.getByRole('button', { name: 'All Tasks Done — Continue' })
  await expect(tasks).toBeVisible()
  wallet.answerPrompt('yes')
  await expect(toast(page, 'You’ve proven that this wallet is yours.')).toBeVisible()
  await expect(tasks).toBeVisible()
})

test('says in words why nothing was proven, and lets the participant go on', async ({
  page,
  context,
  product,
}) => {
  await product.storeSession(page, await product.newParticipant())
  await reachProof(page)
  await test.step('without a wallet, explains what to do', async () => {
    const fetched: string[] = []
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname))
    await proveButton(page).click()
    await expect(proof(page).getByRole('status')).toContainText('open this page in your wallet app’s browser')
    await expectAccessible(page, 'no wallet', PART)
    expect(fetched.filter((path) => path.endsWith('.js')).length, 'loaded when needed').toBeGreaterThan(0)
  })

  const [account, another] = [newAccount(), newAccount()]
  const wallet = makeSigningWallet([account])
  await install(context, [wallet])
  await reachProof(page)
  const claimed = { ...newProof(), wallet: account.address }
  await fillProof(page, claimed)
  const says = async (words: string | RegExp) => {
    const before = wallet.methods.length
    await proveButton(page).click()
    // By then, the words of the previous attempt are gone.
    await expect.poll(() => wallet.methods.length).toBeGreaterThan(before)
    await expect(proof(page).getByRole('status')).toHaveText(words)
  }
  wallet.answers = ['no']
  await says(/^You declined in .*so nothing was signed/)
  wallet.isLocked = true
  wallet.answers = ['no']
  await says(/^You declined in/)
  wallet.accounts = []
  await says(/isn’t sharing an account with this page\. Unlock it/)
  wallet.accounts = [another]
  await says(
    new RegExp(
      `is set to ${short(another.address.toLowerCase())}, but the address here is ${short(account.address)}`,
    ),
  )
  expect(wallet.methods).toContain('personal_sign')
  wallet.accounts = [account]
  for (const [code, words] of [
    [4100, /is locked\. Unlock it/],
    [4200, /can’t sign messages/],
    [-32002, /is still waiting for your earlier response/],
    [-32603, /couldn’t sign/],
  ] as const) {
    wallet.refusals.set('personal_sign', { code, message: 'No.' })
    await says(words)
  }
  await expectAccessible(page, 'refused by the wallet', PART)
  wallet.refusals.clear()
  await walletField(page).fill('0x123')
  await proveButton(page).click()
  await expect(proof(page).getByRole('status')).toHaveText(/Enter the full wallet address first/)
  await walletField(page).fill(claimed.wallet)
  // A wallet that signs with another key than it says.
  account.signMessage = another.signMessage
  await says(
    'This signature is from a different wallet. Please sign with the wallet whose address you entered.',
  )
  wallet.answers = ['later']
  await says(/is asking you to sign a message/)
  await expect.poll(() => wallet.answers).toEqual([])
  wallet.answerPrompt('no')
  await expect(proof(page).getByRole('status')).toHaveText(/^You declined in/)
  expectOnlySigning(wallet)
  await submitProof(page)
  await expect(page).toHaveURL('/profile')
  await expect(proveButton(page)).toBeVisible()
})
