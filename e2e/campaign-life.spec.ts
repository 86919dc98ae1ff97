import type { Page } from '@playwright/test'
import campaign from '#server/testing/campaign.ts'
import { toast } from './steps/account-steps.ts'
import { approve, saveSettings } from './steps/dashboard-steps.ts'
import { changeReplies } from './support/intercept.ts'
import { expect, test, withProduct } from './support/product.ts'

const NOTICE = 'The chain is slow today. We will be back soon.'

/** Requests a page until it has the text: while the database is busy, the server may render older values. */
const expectServed = (page: Page, path: string, text: string): Promise<void> =>
  expect.poll(async () => (await page.request.get(path)).text()).toContain(text)

test('an administrator pauses, closes and archives the campaign', async ({ browser }, { workerIndex }) => {
  // A product of its own, because other tests need an open campaign.
  await withProduct(`life-${workerIndex}`, {}, async (product) => {
    const claimant = await product.newClaimant()
    const dashboard = await product.pageOf(browser, await product.admin())
    const site = await product.pageOf(browser, await product.newParticipant())

    await test.step('without an end, the dashboard says where to set one', async () => {
      await dashboard.goto('/dashboard/campaign')
      await expect(dashboard.getByText('To set an end, open Settings')).toBeVisible()
      await expect(dashboard.getByRole('button', { name: 'Move the end' })).toHaveCount(0)
    })

    await test.step('adding slots keeps the unsaved value of “Closes at”', async () => {
      await saveSettings(product, [{ path: 'airdrop.closesAt', value: '2098-01-01T00:00:00Z' }])
      await dashboard.goto('/dashboard/campaign')
      const end = dashboard.getByLabel('Closes at')
      await end.fill('2099-06-15T12:30')
      const slots = dashboard.getByLabel('Slots', { exact: true })
      const total = campaign.airdrop.slots + 1
      await slots.fill(String(total))
      await dashboard.getByRole('button', { name: 'Add slots' }).click()
      await expect(dashboard.getByText(`At least ${(total + 1).toLocaleString('en')}.`)).toBeVisible()
      await expect(end).toHaveValue('2099-06-15T12:30')
    })

    await test.step('a pause is announced and disables Claim Now', async () => {
      await dashboard.goto('/dashboard/campaign')
      await dashboard.getByRole('textbox', { name: 'Notice' }).fill(NOTICE)
      await dashboard.getByRole('button', { name: 'Pause the campaign' }).click()
      await expect(toast(dashboard, 'The campaign is paused.')).toBeVisible()
      await expect(dashboard.getByText(/^Paused /)).toBeVisible()
      await site.goto('/airdrop')
      await expect(site.getByText(NOTICE)).toBeVisible()
      await expect(site.getByRole('button', { name: 'Claim Now' })).toBeDisabled()
      for (const path of ['/', '/rules']) await expectServed(site, path, NOTICE)
    })

    await test.step('resuming the campaign enables Claim Now again', async () => {
      await dashboard.getByRole('button', { name: 'Resume the campaign' }).click()
      await expect(toast(dashboard, 'The campaign has resumed.')).toBeVisible()
      await site.goto('/airdrop')
      await expect(site.getByRole('button', { name: 'Claim Now' })).toBeEnabled()
    })

    const dialog = dashboard.getByRole('dialog')
    const confirmation = dialog.getByLabel(`Type ${campaign.id} to confirm`)

    await test.step('closing requires typing the campaign’s ID', async () => {
      const closeButton = dashboard.getByRole('button', { name: 'Close now' })
      const mismatch = dialog.getByText('This doesn’t match the campaign’s ID.')
      await closeButton.click()
      await confirmation.fill('something')
      await dialog.getByRole('button', { name: 'Close now' }).click()
      await expect(mismatch).toBeVisible()
      await dashboard.keyboard.press('Escape')
      await closeButton.click()
      await expect(confirmation).toBeVisible()
      await expect(mismatch).toHaveCount(0)
      await confirmation.fill(campaign.id)
      await dialog.getByRole('button', { name: 'Close now' }).click()
    })

    await test.step('after closing, the dashboard and the site say what comes next', async () => {
      await expect(dashboard.getByText('Closed, in review')).toBeVisible()
      await expect(dashboard.getByRole('button', { name: 'Resume the campaign' })).toBeHidden()
      await expect(dashboard.getByRole('button', { name: 'Archive the campaign' })).toBeDisabled()
      await expect(dashboard.getByText('1 claim is waiting for a decision.')).toBeVisible()
      expect((await dashboard.request.get(`/archive/${campaign.id}`)).status()).toBe(404)
      await expectServed(site, '/', 'The airdrop is closed')
      await expectServed(site, '/', '1 claim is still waiting for a reviewer.')
      await site.goto('/airdrop')
      await expect(site.getByRole('heading', { name: 'The airdrop is closed' })).toBeVisible()
      await expect(site.getByText('1 claim is still waiting for a reviewer.')).toBeVisible()
    })

    await test.step('a closed airdrop says that its results could not be loaded, and loads them again', async () => {
      const results = `**/api/v1/campaigns/${campaign.id}`
      await site.route(results, (route) => route.abort())
      await site.goto('/airdrop')
      await expect(site.getByText('We couldn’t load this part of the page.')).toBeVisible()
      await site.unroute(results)
      await site.getByRole('button', { name: 'Try again' }).click()
      await expect(site.getByText('People who claimed')).toBeVisible()
    })

    await test.step('a campaign that closed during a pause can be resumed, but its notice cannot be changed', async () => {
      const paused = { since: new Date().toISOString(), notice: NOTICE, until: null }
      const withPause = ({ data }: { data: object }) => ({ data: { ...data, paused } })
      await changeReplies(dashboard, '**/api/v1/campaign/life', withPause)
      await dashboard.reload()
      await expect(dashboard.getByText('The campaign has closed during this pause.')).toBeVisible()
      await expect(dashboard.getByRole('button', { name: 'Resume the campaign' })).toBeVisible()
      await expect(dashboard.getByRole('textbox', { name: 'Notice' })).toBeHidden()
      await dashboard.unrouteAll({ behavior: 'wait' })
    })

    await test.step('when every claim is decided, the campaign can be archived', async () => {
      await approve(product, claimant)
      await dashboard.reload()
      await expect(dashboard.getByText('Closed, payout due')).toBeVisible()
      await expect(dashboard.getByRole('button', { name: 'Resume the campaign' })).toBeHidden()
      await expect(dashboard.getByText('Before you can archive it:')).toBeHidden()
      await dashboard.getByRole('button', { name: 'Archive the campaign' }).click()
      await confirmation.fill(campaign.id)
      await dialog.getByRole('button', { name: 'Archive the campaign' }).click()
      await dashboard.getByRole('link', { name: 'See its page' }).click()
      await expect(dashboard).toHaveURL(`/archive/${campaign.id}`)
      await expect(dashboard.getByRole('heading', { name: campaign.name })).toBeVisible()
      const row = dashboard.getByRole('row').filter({ hasText: claimant.user.username })
      // 20,000 points each in token and coin.
      await expect(row.getByRole('cell').last()).toHaveText('40,000')
      await expectServed(site, '/archive', `href="/archive/${campaign.id}"`)
    })
    await Promise.all([dashboard.close(), site.close()])
  })
})
