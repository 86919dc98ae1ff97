import { expectAccessible, PHONE } from '../checks/axe.ts'
import { expectAccessibleAndFits } from '../checks/fit.ts'
import { fillProof, reachProof, rememberTasks, startClaim, submitProof } from '../steps/airdrop-steps.ts'
import { openCard } from '../steps/dashboard-steps.ts'
import { hold } from '../support/intercept.ts'
import { newProof, submitClaim } from '../support/people.ts'
import { expect, test } from '../support/product.ts'

test.use({ viewport: PHONE, hasTouch: true })

test('an unknown path, a failed leaderboard and the side menu are accessible', async ({ page }) => {
  await page.goto('/presale')
  await expectAccessible(page, 'not found')

  await page.route(/\/api\/v1\/users\/leaderboard/, (route) => route.abort())
  await page.goto('/leaderboard')
  await expect(page.getByText('Failed to load leaderboard')).toBeVisible()
  await expectAccessible(page, 'failed leaderboard')

  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeInViewport({ ratio: 0.99 })
  await expectAccessible(page, 'menu', '#side-menu')
})

test('tasks, a refused proof and the airdrop after a claim are accessible', async ({ page, product }) => {
  const participant = await product.newParticipant()
  await product.storeSession(page, participant)

  await test.step('the tasks step', async () => {
    await rememberTasks(page, 1)
    await startClaim(page)
    await expect(page.locator('button[data-done="true"]')).toHaveCount(1)
    await expectAccessibleAndFits(page, 'tasks')
  })

  await test.step('a refused proof step', async () => {
    await reachProof(page)
    await fillProof(page, { ...newProof(), wallet: '0x1', telegram: '@' })
    await submitProof(page)
    await expect(page.getByLabel('Wallet Address')).toBeFocused()
    await expectAccessibleAndFits(page, 'refused proof')
  })

  await test.step('the airdrop after a claim', async () => {
    await submitClaim(product.url, participant)
    await page.goto('/airdrop')
    await expect(page.getByRole('button', { name: 'Already Claimed' })).toBeVisible()
    await expectAccessible(page, 'already claimed', 'main')
  })
})

test('the dashboard is accessible with a card, while loading, and on failure', async ({ page, product }) => {
  await openCard(page, product, await product.newClaimant())
  await expectAccessibleAndFits(page, 'card')

  const list = /\/api\/v1\/users\/\?/
  // Not just once: an event of another claim makes the dashboard try again.
  await page.route(list, (route) => route.abort())
  const call = await hold(page, list)
  await page.goto('/dashboard')
  await expect(page.locator('[data-placeholder]')).toHaveCount(20)
  await expectAccessible(page, 'loading dashboard')
  call.release()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expectAccessible(page, 'failed dashboard')
})
