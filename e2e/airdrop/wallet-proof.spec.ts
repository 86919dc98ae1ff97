import type { Page } from '@playwright/test'
import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expectAccessible } from '../checks/axe.ts'
import { expectAccessibleAndFits } from '../checks/fit.ts'
import { press } from '../checks/focus.ts'
import { toast } from '../steps/account-steps.ts'
import { fillProof, reachProof, submitProof } from '../steps/airdrop-steps.ts'
import { evidenceOf, openCard } from '../steps/dashboard-steps.ts'
import { newProof, type Participant } from '../support/people.ts'
import { expect, test, type Product } from '../support/product.ts'
import { install, makeSigningWallet, type SigningWallet } from '../support/wallet.ts'

const newAccount = () => privateKeyToAccount(generatePrivateKey())
const group = (page: Page) => page.getByRole('group', { name: 'Proof of ownership' })
/** Selects the {@link group}. Other tests check the rest of the form and of the profile. */
const GROUP = '[role="group"][aria-label="Proof of ownership"]'
const proveButton = (page: Page) => group(page).getByRole('button', { name: 'Prove it’s yours (optional)' })
const walletField = (page: Page) => page.getByLabel('Wallet Address')
const shorten = (address: string) => `${address.slice(0, 6)}…${address.slice(-5)}`

const expectProven = (page: Page) => expect(group(page).getByText('Proven', { exact: true })).toBeVisible()

/** Expects that wallets were asked only to connect and to sign a message, not for a transaction. */
function expectOnlySigning(...wallets: SigningWallet[]) {
  const asked = wallets.flatMap(({ methods }) => methods)
  expect(new Set(asked)).toEqual(new Set(['eth_requestAccounts', 'personal_sign']))
}

const expectOutcome = (product: Product, who: Participant, outcome: string) =>
  expect.poll(async () => (await evidenceOf(product, who))['wallet-owned']).toBe(outcome)

test.use({ hasTouch: true })

test('a participant proves a wallet, claims with it and removes the proof', async ({
  page,
  context,
  product,
}) => {
  const who = await product.newParticipant()
  const account = newAccount()
  const wallet = makeSigningWallet([account])
  await install(context, [wallet])
  await product.storeSession(page, who)
  await reachProof(page)

  await test.step('the form asks the wallet for nothing on its own', async () => {
    await fillProof(page, { ...newProof(), wallet: account.address })
    await expect(group(page)).toContainText('Signing is free and sends no transaction')
    expect(wallet.methods).toEqual([])
  })

  await test.step('with the keyboard, proves the wallet by signing a text that names site and participant', async () => {
    await press(page, proveButton(page))
    await expectProven(page)
    await expect(group(page)).toContainText(`You have signed with ${shorten(account.address)}.`)
    await expect(group(page)).toBeFocused()
    await expect(proveButton(page)).toHaveCount(0)
    const [text = ''] = wallet.signed
    expect(text).toContain(`${new URL(product.url).host} wants you to sign in with your Ethereum account:`)
    expect(text).toContain(`the participant ${who.username}. This is not a transaction`)
    await expectAccessibleAndFits(page, 'proven', GROUP)
  })

  await test.step('claims with the proven wallet', async () => {
    await submitProof(page)
    await expect(page).toHaveURL('/profile')
    await expectProven(page)
    await expectAccessible(page, 'proven on the profile', GROUP)
    await expectOutcome(product, who, 'confirmed')
  })

  await test.step('a reviewer reads that the participant signed', async () => {
    const card = await openCard(page, product, who)
    await expect(card).toContainText('Confirmed. The participant signed with this wallet.')
  })

  await test.step('removes the proof', async () => {
    await product.openAs(page, who, '/profile')
    await press(page, group(page).getByRole('button', { name: 'Remove the proof' }))
    await expect(proveButton(page)).toBeVisible()
    await expect(group(page)).toBeFocused()
    await expectOutcome(product, who, 'could_not_tell')
  })

  await test.step('declines to sign, and then proves the wallet again', async () => {
    wallet.answers = ['no']
    await proveButton(page).click()
    await expect(group(page).getByRole('status')).toHaveText(/^You declined/)
    await proveButton(page).click()
    await expectProven(page)
    await expect(group(page), 'after a click on a button that is gone, too').toBeFocused()
    await expectOutcome(product, who, 'confirmed')
  })
  expectOnlySigning(wallet)
})

test('the chosen wallet signs if there are several', async ({ page, context, product }) => {
  const [account, otherAccount] = [newAccount(), newAccount()]
  const [name, otherName] = ['First Wallet', 'Second <b>Wallet</b>']
  const wallet = makeSigningWallet([account], { name })
  const icon = 'https://elsewhere.example/icon.svg'
  const otherWallet = makeSigningWallet([otherAccount], { name: otherName, icon })
  await install(context, [wallet, otherWallet])
  await product.storeSession(page, await product.newParticipant())
  await reachProof(page)

  await test.step('lists the wallets without asking them, and without pictures of other sites', async () => {
    await proveButton(page).click()
    await expect(group(page)).toContainText('Which wallet do you want to sign with?')
    await expect(group(page).locator('img')).toHaveCount(1)
    expect([...wallet.methods, ...otherWallet.methods]).toEqual([])
    await expectAccessibleAndFits(page, 'several wallets', GROUP)
  })

  await test.step('the chosen wallet fills in its address and signs', async () => {
    await group(page).getByRole('button', { name: otherName }).click()
    await expect(walletField(page)).toHaveValue(getAddress(otherAccount.address))
    await expectProven(page)
    expect(otherWallet.signed).toHaveLength(1)
    expect(wallet.signed).toEqual([])
  })

  await test.step('another address in the field is not proven, and can be replaced by the proven address', async () => {
    await walletField(page).fill(account.address)
    await expect(group(page)).toContainText(
      `You have proven a different wallet: ${shorten(otherAccount.address)}.`,
    )
    await expect(group(page).getByText('Proven', { exact: true })).toHaveCount(0)
    await group(page).getByRole('button', { name: 'Use that address' }).click()
    await expect(walletField(page)).toHaveValue(otherAccount.address)
    await expectProven(page)
  })

  await test.step('a late signature of another wallet replaces the proof, and the tasks step stays open', async () => {
    wallet.answers = ['later']
    await walletField(page).fill(account.address)
    await proveButton(page).click()
    await group(page).getByRole('button', { name }).click()
    await expect.poll(() => wallet.methods).toContain('personal_sign')
    await page.getByRole('button', { name: 'Back' }).click()
    const tasksDone = page.getByRole('button', { name: 'All Tasks Done — Continue' })
    await expect(tasksDone).toBeVisible()
    wallet.answerPrompt('yes')
    await expect(toast(page, 'You’ve proven that this wallet is yours.')).toBeVisible()
    await tasksDone.click()
    await expect(group(page)).toContainText(`You have signed with ${shorten(account.address)}.`)
  })
  expectOnlySigning(wallet, otherWallet)
})

test('the form says why nothing was proven', async ({ page, context, product }) => {
  const status = group(page).getByRole('status')
  await product.storeSession(page, await product.newParticipant())

  await test.step('without a wallet, a script that is loaded when needed explains what to do', async () => {
    await reachProof(page)
    const fetched: string[] = []
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname))
    await proveButton(page).click()
    await expect(status).toContainText('open this page in your wallet app’s browser')
    await expectAccessible(page, 'no wallet', GROUP)
    expect(fetched).toContainEqual(expect.stringMatching(/\.js$/))
  })

  const [account, otherAccount] = [newAccount(), newAccount()]
  const wallet = makeSigningWallet([account])
  await install(context, [wallet])
  await reachProof(page)
  await fillProof(page, { ...newProof(), wallet: account.address })
  const proveAndExpect = async (words: string | RegExp) => {
    const callsBefore = wallet.methods.length
    await proveButton(page).click()
    // Once the wallet is called, the words of the previous attempt are gone.
    await expect.poll(() => wallet.methods.length).toBeGreaterThan(callsBefore)
    await expect(status).toHaveText(words)
  }

  await test.step('the user declines to sign, or to unlock the wallet', async () => {
    wallet.answers = ['no']
    await proveAndExpect(/^You declined in .*so nothing was signed/)
    wallet.isLocked = true
    wallet.answers = ['no']
    await proveAndExpect(/^You declined in/)
  })

  await test.step('a wallet without accounts, or with another account', async () => {
    wallet.accounts = []
    await proveAndExpect(/isn’t sharing an account with this page\. Unlock it/)
    wallet.accounts = [otherAccount]
    const otherAddress = shorten(otherAccount.address.toLowerCase())
    await proveAndExpect(
      new RegExp(`is set to ${otherAddress}, but the address here is ${shorten(account.address)}`),
    )
    wallet.accounts = [account]
  })

  await test.step('an error of the wallet, with a code of EIP-1193 or EIP-1474', async () => {
    for (const [code, words] of [
      [4100, /is locked\. Unlock it/],
      [4200, /can’t sign messages/],
      [-32002, /is still waiting for your earlier response/],
      [-32603, /couldn’t sign/],
    ] as const) {
      wallet.refusals.set('personal_sign', { code, message: 'No.' })
      await proveAndExpect(words)
    }
    await expectAccessible(page, 'refused by the wallet', GROUP)
    wallet.refusals.clear()
  })

  await test.step('an incomplete address in the field', async () => {
    await walletField(page).fill('0x123')
    await proveButton(page).click()
    await expect(status).toHaveText(/Enter the full wallet address first/)
    await walletField(page).fill(account.address)
  })

  await test.step('a wallet that signs with the key of another account', async () => {
    account.signMessage = otherAccount.signMessage
    await proveAndExpect(
      'This signature is from a different wallet. Please sign with the wallet whose address you entered.',
    )
  })

  await test.step('a wallet that is still asking its user', async () => {
    wallet.answers = ['later']
    await proveAndExpect(/is asking you to sign a message/)
    // The prompt is open once the wallet has taken `later` from its answers.
    await expect.poll(() => wallet.answers).toEqual([])
    wallet.answerPrompt('no')
    await expect(status).toHaveText(/^You declined in/)
  })

  await test.step('the claim can be submitted without proving the wallet', async () => {
    expectOnlySigning(wallet)
    await submitProof(page)
    await expect(page).toHaveURL('/profile')
    await expect(proveButton(page)).toBeVisible()
  })
})
