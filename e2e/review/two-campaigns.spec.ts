import { freezePayout, payout } from '#contract/dashboard/payouts.ts'
import campaign from '#server/testing/campaign.ts'
import { approve } from '../steps/dashboard-steps.ts'
import { addArchivedCampaign } from '../support/archived-campaign.ts'
import { callOrFail } from '../support/caller.ts'
import { prepareProduct } from '../support/operator.ts'
import { startFakeServices } from '../support/fake-services.ts'
import type { Participant } from '../support/people.ts'
import { expect, productOf, test, type Product } from '../support/product.ts'

const ARCHIVED = { ...campaign, id: 'earlier-airdrop', name: 'Earlier Airdrop' }

async function approved(product: Product): Promise<Participant> {
  const claimant = await product.newClaimant()
  await approve(product, claimant)
  return claimant
}

test('the payout screen switches between the current and an archived campaign, and acts on the one it shows', async ({
  browser,
}, { workerIndex }) => {
  test.slow()
  const services = await startFakeServices()
  const operator = await prepareProduct(`two-campaigns-${workerIndex}`, {
    PRICE_API_URL: `${services.url}/price`,
    CHAIN_RPC_URL: `${services.url}/rpc`,
    OEMBED_URL: `${services.url}/oembed`,
  })
  try {
    await operator.start()
    const product = productOf(operator, services)
    const admin = await product.admin()
    const { token } = admin
    const first = await addArchivedCampaign(operator, ARCHIVED)
    const [second, another] = [await approved(product), await approved(product)]
    const page = await browser.newPage({ baseURL: product.url })
    await product.storeSession(page, admin)

    const choice = page.getByLabel('Campaign', { exact: true })
    const approvedClaims = page
      .getByText('Approved claims', { exact: true })
      .locator('xpath=following-sibling::dd')
    await page.goto('/dashboard/payout')
    await expect(choice).toHaveValue(campaign.id)
    await expect(choice.getByRole('option')).toHaveText([
      `${campaign.name} (current)`,
      `${ARCHIVED.name} (archived)`,
    ])
    await expect(approvedClaims).toHaveText('2')

    await choice.selectOption(ARCHIVED.id)
    await expect(page).toHaveURL(`/dashboard/payout?campaign=${ARCHIVED.id}`)
    await expect(approvedClaims).toHaveText('1')
    await page.getByRole('button', { name: 'Freeze the allocation' }).click()
    const dialog = page.getByRole('dialog', { name: 'Freeze the allocation?' })
    await dialog.getByRole('checkbox', { name: 'Freeze with the placeholder contract anyway' }).check()
    await dialog.getByRole('button', { name: 'Freeze', exact: true }).click()
    await expect(page.getByText('Frozen allocation #1')).toBeVisible()
    const rows = page.getByRole('table', { name: 'Rows of the allocation' })
    await expect(rows).toContainText(first)
    await expect(rows).not.toContainText(second.username)

    // The other campaign is as it was.
    await choice.selectOption(campaign.id)
    await expect(page).toHaveURL('/dashboard/payout')
    await expect(page.getByRole('heading', { name: 'What would be frozen now' })).toBeVisible()
    await expect(approvedClaims).toHaveText('2')
    expect((await callOrFail(product.url, payout, { token })).data.frozen).toBeNull()

    // With both frozen, each shows its own; the address keeps the choice, and so does the way back.
    await callOrFail(product.url, freezePayout, { token, body: {} })
    await page.goBack()
    await expect(choice).toHaveValue(ARCHIVED.id)
    await expect(rows).toContainText(first)
    await page.reload()
    await expect(choice).toHaveValue(ARCHIVED.id)
    await expect(rows).toContainText(first)
    await expect(rows).not.toContainText(second.username)
    await choice.selectOption(campaign.id)
    await expect(rows).toContainText(second.username)
    await expect(rows).toContainText(another.username)
    await expect(rows).not.toContainText(first)
    await page.close()
  } finally {
    await operator.remove()
    await services.close()
  }
})
