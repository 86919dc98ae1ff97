import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type AllocationSummary, allocationSummary } from '#contract/allocation.ts'
import { freezePayout, payout, thawPayout } from '#contract/dashboard/payouts.ts'
import { expectAccessible } from '../checks/axe.ts'
import { approve } from '../steps/dashboard-steps.ts'
import { download } from '../steps/page-steps.ts'
import type { Participant } from '../support/people.ts'
import { expect, type Product, test } from '../support/product.ts'
import { install, makeSigningWallet } from '../support/wallet.ts'

const readSummary = async (product: Product): Promise<AllocationSummary | null> =>
  (await product.call(allocationSummary)).body.data

async function freezeWith(product: Product, claimant: Participant): Promise<void> {
  const { token } = await product.admin()
  await approve(product, claimant)
  const { data } = (await product.call(payout, { token })).body
  const undecided = data.plan?.undecided ?? 0
  expect((await product.call(freezePayout, { token, body: { undecided } })).status).toBe(200)
  await expect.poll(() => readSummary(product)).not.toBeNull()
}

test('verifies what a wallet gets from the frozen allocation', async ({ page, product }) => {
  const walletField = page.getByLabel('Wallet address')
  const lookUp = async (wallet: string) => {
    await walletField.fill(wallet)
    await walletField.press('Enter')
  }

  await test.step('a script that cannot be loaded', async () => {
    const script = /\/assets\/allocation-check-[^/]+\.js$/
    await page.route(script, (route) => route.abort())
    await page.goto('/allocation')
    await expect(page.getByRole('alert')).toHaveText(/^We couldn’t load the allocation\./)
    await page.unroute(script)
  })

  await test.step('nothing frozen', async () => {
    await page.goto('/allocation')
    await expect(page.getByText('Nothing is frozen yet.')).toBeVisible()
    await expect(walletField).toBeHidden()
  })

  const claimant = await product.newClaimant()
  const wallet = getAddress(claimant.proof.wallet)
  await freezeWith(product, claimant)
  const result = page.getByRole('article')
  try {
    await test.step('an earlier campaign, with the symbols of its own token and coin', async () => {
      const summary = await readSummary(product)
      const token = { ...summary?.token, symbol: 'OLD' }
      const coin = { ...summary?.coin, symbol: 'OLDCOIN' }
      const call = /\/api\/v1\/allocation\?campaign=earlier$/
      await page.route(call, (route) => route.fulfill({ json: { data: { ...summary, token, coin } } }))
      await page.goto('/allocation?campaign=earlier')
      const facts = page.getByRole('region', { name: 'The frozen allocation' })
      await expect(facts.getByRole('term')).toContainText(['OLD', 'OLDCOIN'])
      await page.unroute(call)
    })

    await test.step('a wallet in the allocation, whose address an extension provides', async () => {
      // Signs nothing, so the key need not belong to the address.
      const account = { ...privateKeyToAccount(generatePrivateKey()), address: wallet }
      await install(page.context(), [makeSigningWallet([account])])
      await page.goto('/allocation')
      const { root = '' } = (await readSummary(product)) ?? {}
      expect(root).toMatch(/^0x[0-9a-f]{64}$/)
      await expect(page.getByRole('region', { name: 'The frozen allocation' })).toContainText(root)
      await page.getByRole('button', { name: 'Use Test Wallet' }).click()
      await expect(result.getByText('Verified in this browser')).toBeVisible()
      await expect(result).toContainText(wallet)
      await result.getByText('Leaf, proof and root').click()
      await expect(result).toContainText(root)
      await expectAccessible(page, 'a verified wallet', 'main')
      const { name } = await download(page, result.getByRole('button', { name: 'Download this proof' }))
      expect(name).toBe(`allocation-${wallet}.json`)
    })

    await test.step('a wallet that is not in the allocation', async () => {
      await lookUp(`0x${'12'.repeat(20)}`)
      await expect(result).toContainText('This wallet is not in the allocation.')
      await expect(page.getByText('Verified in this browser')).toHaveCount(0)
    })
  } finally {
    const { token } = await product.admin()
    await product.call(thawPayout, { token, body: { reason: 'Only tried.' } })
  }

  await test.step('an open page notices the thaw', async () => {
    await expect.poll(() => readSummary(product)).toBeNull()
    await lookUp(wallet)
    await expect(page.getByText('Nothing is frozen yet.')).toBeVisible()
  })
})
