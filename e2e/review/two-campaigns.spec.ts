import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { freezePayout, payout } from '#contract/dashboard/payouts.ts'
import campaign from '#server/testing/campaign.ts'
import { approve } from '../steps/dashboard-steps.ts'
import { callOrFail } from '../support/caller.ts'
import { newPerson, type Participant } from '../support/people.ts'
import { expect, test, type Product, withProduct } from '../support/product.ts'

const ARCHIVED = { ...campaign, id: 'earlier-airdrop', name: 'Earlier Airdrop' }

/**
 * Adds {@link ARCHIVED} to a running product, with one participant, whose claim was approved. Closing and
 * archiving a campaign has tests of its own, and afterwards the next one would have to be started.
 *
 * In a process of its own: the server requires its texts, and in the process of the tests Node cannot require
 * a module that a test has imported.
 * @returns the participant's username.
 */
async function addArchivedCampaign({ server }: Product): Promise<string> {
  const program = path.join(import.meta.dirname, '../support/add-archived-campaign.ts')
  const { username } = newPerson()
  const args = [program, server.dataDir, JSON.stringify(ARCHIVED), username]
  await promisify(execFile)(process.execPath, args)
  return username
}

async function approved(product: Product): Promise<Participant> {
  const claimant = await product.newClaimant()
  await approve(product, claimant)
  return claimant
}

test('the payout screen switches between the current and an archived campaign, and acts on the one it shows', async ({
  browser,
}, { workerIndex }) => {
  test.slow()
  await withProduct(`two-campaigns-${workerIndex}`, {}, async (product) => {
    const admin = await product.admin()
    const { token } = admin
    const first = await addArchivedCampaign(product)
    const [second, another] = [await approved(product), await approved(product)]
    const page = await product.pageOf(browser, admin)

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
  })
})
