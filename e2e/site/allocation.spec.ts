import type { Page } from '@playwright/test'
import { type AllocationSummary, allocationSummary } from '#contract/allocation.ts'
import { freezePayout, payout, thawPayout } from '#contract/dashboard/payouts.ts'
import { toChecksum } from '#server/platform/eip55.ts'
import { expectAccessible } from '../checks/axe.ts'
import { approve } from '../steps/dashboard-steps.ts'
import type { Participant } from '../support/people.ts'
import { expect, type Product, test } from '../support/product.ts'

const readSummary = async (product: Product): Promise<AllocationSummary | null> =>
  (await product.call(allocationSummary)).body.data

/** Approves a participant's claim, freezes what is approved, and waits for the summary. */
async function freezeWith(product: Product, claimant: Participant): Promise<void> {
  const { token } = await product.admin()
  await approve(product, claimant)
  const { data } = (await product.call(payout, { token })).body
  const undecided = data.plan?.undecided ?? 0
  expect((await product.call(freezePayout, { token, body: { undecided } })).status).toBe(200)
  await expect.poll(() => readSummary(product)).not.toBeNull()
}

/** A wallet extension that shares one account. */
const announceWallet = (page: Page, account: string) =>
  page.addInitScript((shared) => {
    const provider = {
      request: ({ method }: { method: string }) =>
        method === 'eth_requestAccounts' ? Promise.resolve([shared]) : Promise.reject(new Error(method)),
    }
    const detail = { info: { uuid: 'one', name: 'Test Wallet', icon: '', rdns: 'test' }, provider }
    addEventListener('eip6963:requestProvider', () =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
    )
  }, account)

test('says that it cannot load, or that nothing is frozen; then verifies what a wallet gets, and that another gets nothing', async ({
  page,
  product,
}) => {
  const script = /\/assets\/allocation-check-[^/]+\.js$/
  await page.route(script, (route) => route.abort())
  await page.goto('/allocation')
  await expect(page.getByRole('alert')).toHaveText(/^We couldn’t load the allocation\./)
  await page.unroute(script)

  await page.goto('/allocation')
  await expect(page.getByText('Nothing is frozen yet.')).toBeVisible()
  await expect(page.getByLabel('Wallet address')).toBeHidden()

  const claimant = await product.newClaimant()
  const wallet = toChecksum(claimant.proof.wallet)
  await freezeWith(product, claimant)
  try {
    await announceWallet(page, wallet.toLowerCase())
    await page.reload()
    const { root = '' } = (await readSummary(product)) ?? {}
    await expect(page.getByRole('region', { name: 'The frozen allocation' })).toContainText(root)

    await page.getByRole('button', { name: 'Use Test Wallet' }).click()
    const result = page.getByRole('article')
    await expect(result.getByText('Verified in this browser')).toBeVisible()
    await expect(result).toContainText(wallet)
    await result.getByText('Leaf, proof and root').click()
    await expect(result).toContainText(root)
    await expectAccessible(page, 'a verified wallet')
    const saved = page.waitForEvent('download')
    await result.getByRole('button', { name: 'Download this proof' }).click()
    expect((await saved).suggestedFilename()).toBe(`allocation-${wallet}.json`)

    await page.getByLabel('Wallet address').fill(`0x${'12'.repeat(20)}`)
    await page.getByLabel('Wallet address').press('Enter')
    await expect(result).toContainText('This wallet is not in the allocation.')
    await expect(page.getByText('Verified in this browser')).toHaveCount(0)
  } finally {
    const { token } = await product.admin()
    await product.call(thawPayout, { token, body: { reason: 'Only tried.' } })
  }
  await expect.poll(() => readSummary(product)).toBeNull()
  await page.getByLabel('Wallet address').fill(wallet)
  await page.getByLabel('Wallet address').press('Enter')
  await expect(page.getByText('Nothing is frozen yet.'), 'an open page notices the thaw').toBeVisible()
})
