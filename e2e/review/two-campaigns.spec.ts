import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { freezePayout, payout } from '#contract/dashboard/payouts.ts'
import campaign from '#server/testing/campaign.ts'
import { approve } from '../steps/dashboard-steps.ts'
import { newPerson, type Participant } from '../support/people.ts'
import { expect, test, type Product, withProduct } from '../support/product.ts'

const ARCHIVED = { ...campaign, id: 'earlier-airdrop', name: 'Earlier Airdrop' }

/**
 * Adds {@link ARCHIVED} to the database of a running product, with one approved claim.
 *
 * In a separate process: the server loads its texts with `require`, which fails in a process in which a test
 * has imported the same module.
 * @returns the participant's username
 */
async function addArchivedCampaign({ server }: Product): Promise<string> {
  const program = path.join(import.meta.dirname, '../support/add-archived-campaign.ts')
  const { username } = newPerson()
  const args = [program, server.dataDir, JSON.stringify(ARCHIVED), username]
  await promisify(execFile)(process.execPath, args)
  return username
}

async function createApprovedClaimant(product: Product): Promise<Participant> {
  const claimant = await product.newClaimant()
  await approve(product, claimant)
  return claimant
}

test('the payout screen acts on the campaign that it shows', async ({ browser }, { workerIndex }) => {
  test.slow()
  await withProduct(`two-campaigns-${workerIndex}`, {}, async (product) => {
    const admin = await product.admin()
    const { token } = admin
    const archivedUsername = await addArchivedCampaign(product)
    const claimants = [await createApprovedClaimant(product), await createApprovedClaimant(product)]
    const page = await product.pageOf(browser, admin)

    const campaignChoice = page.getByLabel('Campaign', { exact: true })
    const approvedClaims = page
      .getByText('Approved claims', { exact: true })
      .locator('xpath=following-sibling::dd')
    const rows = page.getByRole('table', { name: 'Rows of the allocation' })
    const expectArchivedRows = async () => {
      await expect(campaignChoice).toHaveValue(ARCHIVED.id)
      await expect(rows).toContainText(archivedUsername)
      for (const { username } of claimants) await expect(rows).not.toContainText(username)
    }

    await test.step('the current campaign is shown at first', async () => {
      await page.goto('/dashboard/payout')
      await expect(campaignChoice).toHaveValue(campaign.id)
      await expect(campaignChoice.getByRole('option')).toHaveText([
        `${campaign.name} (current)`,
        `${ARCHIVED.name} (archived)`,
      ])
      await expect(approvedClaims).toHaveText('2')
    })

    await test.step('freezes the archived campaign', async () => {
      await campaignChoice.selectOption(ARCHIVED.id)
      await expect(page).toHaveURL(`/dashboard/payout?campaign=${ARCHIVED.id}`)
      await expect(approvedClaims).toHaveText('1')
      await page.getByRole('button', { name: 'Freeze the allocation' }).click()
      const dialog = page.getByRole('dialog', { name: 'Freeze the allocation?' })
      await dialog.getByRole('checkbox', { name: 'Freeze with the placeholder contract anyway' }).check()
      await dialog.getByRole('button', { name: 'Freeze', exact: true }).click()
      await expect(page.getByText('Frozen allocation #1')).toBeVisible()
      await expectArchivedRows()
    })

    await test.step('the current campaign is not frozen', async () => {
      await campaignChoice.selectOption(campaign.id)
      await expect(page).toHaveURL('/dashboard/payout')
      await expect(page.getByRole('heading', { name: 'What would be frozen now' })).toBeVisible()
      await expect(approvedClaims).toHaveText('2')
      expect((await product.callOrFail(payout, { token })).data.frozen).toBeNull()
    })

    await test.step('each frozen campaign shows its own rows, and going back and reloading keep the choice', async () => {
      await product.callOrFail(freezePayout, { token, body: {} })
      await page.goBack()
      await expectArchivedRows()
      await page.reload()
      await expectArchivedRows()
      await campaignChoice.selectOption(campaign.id)
      for (const { username } of claimants) await expect(rows).toContainText(username)
      await expect(rows).not.toContainText(archivedUsername)
    })
    await page.close()
  })
})
