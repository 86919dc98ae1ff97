import { archiveCampaign, closeCampaign } from '#contract/dashboard/campaign-life.ts'
import { freezePayout, payout } from '#contract/dashboard/payouts.ts'
import campaign from '#server/testing/campaign.ts'
import { approve } from '../steps/dashboard-steps.ts'
import { callOrFail } from '../support/caller.ts'
import { writeCampaign } from '../support/campaign-file.ts'
import { prepareProduct } from '../support/operator.ts'
import { startFakeServices } from '../support/fake-services.ts'
import type { Participant } from '../support/people.ts'
import { expect, productOf, test, type Product } from '../support/product.ts'

const SECOND = { ...campaign, id: 'second-airdrop', name: 'Second Airdrop' }

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
  const next = await writeCampaign(SECOND)
  try {
    await operator.start()
    const product = productOf(operator, services)
    const admin = await product.admin()
    const { token } = admin
    const first = await approved(product)
    const confirmed = { token, body: { campaign: campaign.id } }
    await callOrFail(product.url, closeCampaign, confirmed)
    const page = await browser.newPage({ baseURL: product.url })
    await product.storeSession(page, admin)
    await page.goto('/dashboard/payout')
    await expect(page.getByRole('heading', { name: 'What would be frozen now' })).toBeVisible()
    await expect(page.getByLabel('Campaign', { exact: true }), 'there is only one').toBeHidden()

    await callOrFail(product.url, archiveCampaign, confirmed)
    await operator.stop()
    operator.settings['CAMPAIGN_CONFIG'] = next.file
    await operator.start()
    const [second, another] = [await approved(product), await approved(product)]

    const choice = page.getByLabel('Campaign', { exact: true })
    const approvedClaims = page
      .getByText('Approved claims', { exact: true })
      .locator('xpath=following-sibling::dd')
    await page.goto('/dashboard/payout')
    await expect(choice).toHaveValue(SECOND.id)
    await expect(choice.getByRole('option')).toHaveText([
      `${SECOND.name} (current)`,
      `${campaign.name} (archived)`,
    ])
    await expect(approvedClaims).toHaveText('2')

    await choice.selectOption(campaign.id)
    await expect(page).toHaveURL(`/dashboard/payout?campaign=${campaign.id}`)
    await expect(approvedClaims).toHaveText('1')
    await page.getByRole('button', { name: 'Freeze the allocation' }).click()
    const dialog = page.getByRole('dialog', { name: 'Freeze the allocation?' })
    await dialog.getByRole('checkbox', { name: 'Freeze with the placeholder contract anyway' }).check()
    await dialog.getByRole('button', { name: 'Freeze', exact: true }).click()
    await expect(page.getByText('Frozen allocation #1')).toBeVisible()
    const rows = page.getByRole('table', { name: 'Rows of the allocation' })
    await expect(rows).toContainText(first.username)
    await expect(rows).not.toContainText(second.username)

    // The other campaign is as it was.
    await choice.selectOption(SECOND.id)
    await expect(page).toHaveURL('/dashboard/payout')
    await expect(page.getByRole('heading', { name: 'What would be frozen now' })).toBeVisible()
    await expect(approvedClaims).toHaveText('2')
    expect((await callOrFail(product.url, payout, { token })).data.frozen).toBeNull()

    // With both frozen, each shows its own; the address keeps the choice, and so does the way back.
    await callOrFail(product.url, freezePayout, { token, body: {} })
    await page.goBack()
    await expect(choice).toHaveValue(campaign.id)
    await expect(rows).toContainText(first.username)
    await page.reload()
    await expect(choice).toHaveValue(campaign.id)
    await expect(rows).toContainText(first.username)
    await expect(rows).not.toContainText(second.username)
    await choice.selectOption(SECOND.id)
    await expect(rows).toContainText(second.username)
    await expect(rows).toContainText(another.username)
    await expect(rows).not.toContainText(first.username)
    await page.close()
  } finally {
    await operator.remove()
    await services.close()
    await next.remove()
  }
})
