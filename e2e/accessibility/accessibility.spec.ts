import { rememberTasks, fillProof, reachProof, startClaim, submitProof } from '../steps/airdrop-steps.ts'
import { expectAccessible, PHONE } from '../checks/axe.ts'
import { expectFits } from '../checks/fit.ts'
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

test('the tasks step, a refused proof step and the airdrop after a claim are accessible', async ({
  page,
  product,
}) => {
  const participant = await product.newParticipant()
  await product.storeSession(page, participant)
  await rememberTasks(page, 1)
  await startClaim(page)
  await expect(page.locator('button[data-done="true"]')).toHaveCount(1)
  await expectFits(page, 'tasks')
  await page.setViewportSize(PHONE)
  await expectAccessible(page, 'tasks')

  await reachProof(page)
  await fillProof(page, { ...newProof(), wallet: '0x1', telegram: '@' })
  await submitProof(page)
  await expect(page.getByLabel('Wallet Address')).toBeFocused()
  await expectAccessible(page, 'refused proof')
  await expectFits(page, 'refused proof')
  await page.setViewportSize(PHONE)

  await submitClaim(product.url, participant)
  await page.goto('/airdrop')
  await expect(page.getByRole('button', { name: 'Already Claimed' })).toBeVisible()
  await expectAccessible(page, 'already claimed', 'main')
})

test('the dashboard is accessible on a phone with an open card, while loading, and when it fails to load', async ({
  page,
  product,
}) => {
  const { username } = await product.newClaimant()
  await product.storeSession(page, await product.admin())
  await page.goto(`/dashboard?view=waiting&search=${username}`)
  await page.getByRole('button', { name: username }).click()
  await expect(page.getByRole('complementary').getByRole('heading', { name: username })).toBeVisible()
  await expectAccessible(page, 'card')
  await expectFits(page, 'card')
  await page.setViewportSize(PHONE)

  const loaded = Promise.withResolvers<void>()
  // Not just once: an event of another claim makes the dashboard try again.
  await page.route(/\/api\/v1\/users\/\?/, async (route) => {
    await loaded.promise
    return route.abort()
  })
  await page.goto('/dashboard')
  await expect(page.locator('[data-placeholder]')).toHaveCount(20)
  await expectAccessible(page, 'loading dashboard')
  loaded.resolve()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expectAccessible(page, 'failed dashboard')
})
