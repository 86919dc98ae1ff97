import { unzipSync } from 'fflate'
import { parseUnits } from 'viem'
import { allocation, allocationSummary } from '#contract/allocation.ts'
import { freezePayout } from '#contract/dashboard/payouts.ts'
import { expectAccessibleExceptColors, expectAccessibleOnPhone } from '../checks/axe.ts'
import { approve, openSection } from '../steps/dashboard-steps.ts'
import { download, returnToTab } from '../steps/page-steps.ts'
import { hold } from '../support/intercept.ts'
import { expect, test } from '../support/product.ts'

test('an administrator freezes the allocation and undoes the freeze', async ({ page, product }) => {
  test.slow()
  const inviter = await product.newParticipant()
  const claimant = await product.newClaimant({ referralCode: inviter.user.referralCode })
  await approve(product, claimant)
  await product.newClaimant()
  const previewHeading = page.getByRole('heading', { name: 'What would be frozen now' })

  await test.step('sees what would be frozen', async () => {
    await product.storeSession(page, await product.admin())
    await openSection(page, 'Payout')
    await expect(page).toHaveURL('/dashboard/payout')
    await expect(previewHeading).toBeVisible()
    await expect(page.getByText(/^The token contract 0x\w+ is still a placeholder/)).toBeVisible()
  })

  await test.step('sees when and why a freeze was refused', async () => {
    const { token } = await product.admin()
    await product.call(freezePayout, { token, body: {} })
    const refusal = page.getByText(/^Freezing, started .+, failed: \w/)
    await expect(async () => {
      await page.reload()
      await expect(refusal).toBeVisible({ timeout: 1_000 })
    }).toPass()
  })

  await test.step('freezes, and has to agree again to leaving out claims, because their number has changed', async () => {
    await page.getByRole('button', { name: 'Freeze the allocation' }).click()
    const dialog = page.getByRole('dialog', { name: 'Freeze the allocation?' })
    await dialog.getByRole('checkbox', { name: 'Freeze with the placeholder contract anyway' }).check()
    const leaveOut = dialog.getByRole('checkbox', { name: /^Leave out \d+ claims? waiting for a decision$/ })
    await leaveOut.check()
    const earlierLabel = await leaveOut.evaluate(({ labels }: HTMLInputElement) => labels?.[0]?.innerText)
    await product.newClaimant()
    await returnToTab(page)
    await expect(dialog.getByText(earlierLabel ?? '', { exact: true })).toHaveCount(0)
    await expect(leaveOut).not.toBeChecked()
    await leaveOut.check()
    await dialog.getByRole('button', { name: 'Freeze', exact: true }).click()
    await expect(page.getByText('Frozen', { exact: true })).toBeVisible()
    await expect(page.getByRole('main'), 'in place of the button, which is gone').toBeFocused()
    await expect(page.getByText('This was frozen with a placeholder for the token contract.')).toBeVisible()
    await expect(page.getByLabel('Campaign', { exact: true }), 'with one campaign, no choice').toBeHidden()
  })

  const root = (await product.call(allocationSummary)).body.data?.root ?? 'no root'
  await test.step('reads the Merkle root, and who is left out', async () => {
    await expect(page.getByText(root, { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Who is left out' }).press('Enter')
    const leftOut = page.getByRole('table', { name: 'Who is left out' })
    await expect(leftOut.getByRole('row', { name: inviter.user.username })).toContainText(
      'Points without an approved claim',
    )
    await expectAccessibleExceptColors(page, 'frozen', 'main')
    await expectAccessibleOnPhone(page, 'frozen', 'main')
  })

  await test.step('cannot read payments with an incomplete transaction hash', async () => {
    const [completeHash, incompleteHash] = [`0x${'12'.repeat(32)}`, '0x12']
    await page.getByLabel('Payer').fill(`0x${'12'.repeat(20)}`)
    await page.getByLabel('Transactions (optional)').fill(`${completeHash}\n${incompleteHash}`)
    await page.getByRole('button', { name: 'Read payments' }).click()
    await expect(page.getByText(/^Enter a transaction hash:/)).toBeVisible()
  })

  await test.step('downloads the pack of files for paying, whose README has the root', async () => {
    const pack = await download(page, page.getByRole('button', { name: 'Download the pack' }))
    expect(pack.name).toBe('payout.zip')
    const { 'README.md': readme = [] } = unzipSync(pack.content)
    expect(Buffer.from(readme).toString()).toContain(root)
  })

  await test.step('the claimant sees their share and checks it against the root', async () => {
    const { data } = (await product.call(allocation, { params: { wallet: claimant.proof.wallet } })).body
    expect(data.amounts.pf).toBe(parseUnits('20000', 18).toString())
    await product.openAs(page, claimant, '/profile')
    const share = page.getByRole('region', { name: 'Your payout' })
    await expect(share).toContainText('20,000 PF')
    await expect(share.getByText('Waiting')).toHaveCount(2)
    await expectAccessibleOnPhone(page, 'a share of the allocation', 'main')
    await share.getByRole('link', { name: 'Check your share against the published root' }).press('Enter')
    await expect(page.getByRole('article')).toContainText('Verified in this browser')
    await expect(page.getByRole('article')).toContainText(data.wallet)
  })

  await test.step('sees who was approved after the freeze, although the list fails to load at first', async () => {
    const approvedLater = await product.newClaimant()
    await approve(product, approvedLater)
    await page.route(/\/payout\/drift/, (route) => route.abort())
    await product.openAs(page, await product.admin(), '/dashboard/payout')
    await expect(page.getByText('We couldn’t load this.')).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText(approvedLater.username, { exact: true })).toBeVisible()
  })

  await test.step('undoes the freeze, and cannot do so twice while the call is pending', async () => {
    const thawButton = page.getByRole('button', { name: 'Undo the freeze' })
    const dialog = page.getByRole('dialog', { name: 'Undo the freeze?' })
    const confirmButton = dialog.getByRole('button', { name: 'Undo it' })
    await thawButton.click()
    await dialog.getByLabel('Reason').fill('The rates were wrong.')
    const thaw = await hold(page, '**/payout/thaw*', 'POST')
    await confirmButton.click()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await thawButton.click()
    await expect(confirmButton).toBeDisabled()
    thaw.release()
    await expect(previewHeading).toBeVisible()
    await expect(page.getByText('The rates were wrong.')).toBeVisible()
    await expect(page.getByRole('main'), 'in place of the button, which is gone').toBeFocused()
    expect((await product.call(allocationSummary)).body.data).toBeNull()
  })
})
