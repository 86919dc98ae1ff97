import { readFile } from 'node:fs/promises'
import { unzipSync } from 'fflate'
import { allocation, allocationSummary } from '#contract/allocation.ts'
import { expectAccessibleEverywhere } from '../checks/axe.ts'
import { approve, openSection } from '../steps/dashboard-steps.ts'
import { hold } from '../support/intercept.ts'
import { expect, test } from '../support/product.ts'

test('an administrator freezes the allocation, downloads its pack and undoes the freeze', async ({
  browser,
  page,
  product,
}) => {
  test.slow()
  const admin = await product.admin()
  const inviter = await product.newParticipant()
  const claimant = await product.newClaimant({ referralCode: inviter.user.referralCode })
  const { proof } = claimant
  await product.newClaimant()
  await approve(product, claimant)

  await product.storeSession(page, admin)
  await openSection(page, 'Payout')
  await expect(page).toHaveURL('/dashboard/payout')
  await expect(page.getByRole('heading', { name: 'What would be frozen now' })).toBeVisible()
  await expect(page.getByText(/^The token contract 0x\w+ is still a placeholder/)).toBeVisible()
  await page.getByRole('button', { name: 'Freeze the allocation' }).click()
  const dialog = page.getByRole('dialog', { name: 'Freeze the allocation?' })
  await dialog.getByRole('checkbox', { name: 'Freeze with the placeholder contract anyway' }).check()
  const leaveOut = dialog.getByRole('checkbox', { name: /^Leave out \d+ claims? waiting for a decision$/ })
  await leaveOut.check()
  // Another number has to be ticked anew.
  const number = await leaveOut.evaluate(({ labels }: HTMLInputElement) => labels?.[0]?.innerText)
  await product.newClaimant()
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await expect(dialog.getByText(number ?? '', { exact: true })).toHaveCount(0)
  await expect(leaveOut).not.toBeChecked()
  await leaveOut.check()
  await dialog.getByRole('button', { name: 'Freeze', exact: true }).click()
  await expect(page.getByText('Frozen', { exact: true })).toBeVisible()
  await expect(page.getByRole('main'), 'what had the focus has gone').toBeFocused()
  await expect(page.getByText('This was frozen with a placeholder for the token contract.')).toBeVisible()
  await expect(page.getByLabel('Campaign', { exact: true }), 'there is only one').toBeHidden()
  const { body: summary } = await product.call(allocationSummary)
  await expect(page.getByText(summary.data?.root ?? 'no root', { exact: true })).toBeVisible()
  const { body: found } = await product.call(allocation, { params: { wallet: proof.wallet } })
  expect(found.data.amounts.pf).toBe('20000000000000000000000')
  await page.getByRole('button', { name: 'Who is left out' }).press('Enter')
  const leftOut = page.getByRole('table', { name: 'Who is left out' })
  await expect(leftOut.getByRole('row', { name: inviter.user.username })).toContainText(
    'Points without an approved claim',
  )
  await expectAccessibleEverywhere(page, 'frozen', 'main')

  await page.getByLabel('Payer').fill(`0x${'12'.repeat(20)}`)
  await page.getByLabel('Transactions (optional)').fill(`0x${'12'.repeat(32)}\n0x12`)
  await page.getByRole('button', { name: 'Read payments' }).click()
  await expect(page.getByText(/^Enter a transaction hash:/), 'of the second').toBeVisible()

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the pack' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('payout.zip')
  const files = unzipSync(await readFile(await download.path()))
  expect(Buffer.from(files['README.md'] ?? []).toString()).toContain(summary.data?.root)

  const claimantPage = await product.pageOf(browser, claimant)
  await claimantPage.goto('/profile')
  const share = claimantPage.getByRole('region', { name: 'Your payout' })
  await expect(share).toContainText('20,000 PF')
  await expect(share.getByText('Waiting')).toHaveCount(2)
  await expectAccessibleEverywhere(claimantPage, 'a share of the allocation', 'main')
  await share.getByRole('link', { name: 'Check your share against the published root' }).press('Enter')
  await expect(claimantPage.getByRole('article')).toContainText('Verified in this browser')
  await expect(claimantPage.getByRole('article')).toContainText(found.data.wallet)
  await claimantPage.close()

  const drifting = await product.newClaimant()
  await approve(product, drifting)
  const driftCall = /\/payout\/drift/
  await page.route(driftCall, (route) => route.abort())
  await page.reload()
  await expect(page.getByText('We couldn’t load this.')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(drifting.username, { exact: true })).toBeVisible()

  const undoFreeze = page.getByRole('button', { name: 'Undo the freeze' })
  await undoFreeze.click()
  const thaw = page.getByRole('dialog', { name: 'Undo the freeze?' })
  await thaw.getByLabel('Reason').fill('The rates were wrong.')
  const thawing = await hold(page, '**/payout/thaw*', 'POST')
  await thaw.getByRole('button', { name: 'Undo it' }).click()
  await page.keyboard.press('Escape')
  await expect(thaw).toHaveCount(0)
  await undoFreeze.click()
  await expect(thaw.getByRole('button', { name: 'Undo it' }), 'still pending').toBeDisabled()
  thawing.release()
  await expect(page.getByRole('heading', { name: 'What would be frozen now' })).toBeVisible()
  await expect(page.getByText('The rates were wrong.')).toBeVisible()
  await expect(page.getByRole('main'), 'what had the focus has gone').toBeFocused()
  expect((await product.call(allocationSummary)).body.data).toBeNull()
})
