import type { Page } from '@playwright/test'
import { type Campaign, campaign } from '#contract/campaign.ts'
import { expect, type Product, test } from '../support/product.ts'

const LONG_AGO = '2026-02-01T12:00:00Z'
const FAR_AWAY = '2999-01-31T12:00:00Z'

/** Replaces dates and stage in the server's reply about the campaign. */
async function answerWith(page: Page, { callOrFail }: Product, changes: Partial<Campaign>) {
  const { data } = await callOrFail(campaign)
  await page.route('**/api/v1/campaign', (route) =>
    route.fulfill({ json: { data: { ...data, ...changes } } }),
  )
}

test('before and after the campaign, the airdrop offers no claim', async ({ page, product }) => {
  const main = page.getByRole('main')
  const leaderboardLink = main.getByRole('link', { name: 'See the leaderboard' })
  const openBeforeCampaign = async () => {
    await answerWith(page, product, { opensAt: FAR_AWAY, open: false, stage: 'before' })
    await page.goto('/airdrop')
  }
  const openAfterCampaign = async () => {
    await answerWith(page, product, { closesAt: LONG_AGO, open: false, stage: 'paying' })
    await page.goto('/airdrop')
  }

  await test.step('visitors may register before the campaign opens, and see the leaderboard after it has closed', async () => {
    await openBeforeCampaign()
    await expect(page.getByText('Not open yet')).toBeVisible()
    await expect(page.locator(`time[datetime="${FAR_AWAY}"]`)).toContainText('2999')
    await expect(page.getByRole('link', { name: 'Register Now' })).toBeVisible()
    await openAfterCampaign()
    await expect(main.getByText('Closed', { exact: true })).toBeVisible()
    await expect(page.locator(`time[datetime="${LONG_AGO}"]`)).toContainText('2026')
    await expect(leaderboardLink).toBeVisible()
    await expect(main.getByRole('link', { name: 'Register Now' })).toHaveCount(0)
  })

  await test.step('participants cannot claim', async () => {
    await product.storeSession(page, await product.newParticipant())
    await openBeforeCampaign()
    await expect(page.getByRole('button', { name: 'Claim Now' })).toBeDisabled()
    await openAfterCampaign()
    await expect(leaderboardLink).toBeVisible()
    await expect(page.getByRole('button', { name: 'Claim Now' })).toHaveCount(0)
  })
})
