import { register } from '#contract/accounts/accounts.ts'
import { fillProof, reachProof, startClaim, submitProof } from '../steps/airdrop-steps.ts'
import { expectAccessible, PHONE } from '../checks/axe.ts'
import { expectFits } from '../checks/fit.ts'
import { newProof, newPerson } from '../support/people.ts'
import { expect, test } from '../support/product.ts'

test.use({ viewport: PHONE, hasTouch: true })

test('the open side menu is accessible', async ({ page }) => {
  for (const path of ['/', '/leaderboard']) {
    await page.goto(path)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeInViewport({ ratio: 0.99 })
    await expectAccessible(page, `menu on ${path}`)
  }
})

test('an open dialog with its errors is accessible and returns focus', async ({ page, product }) => {
  await product.storeSession(page, await product.newParticipant())
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await expect(dialog).toBeVisible()
  await expectAccessible(page, 'dialog')
  await dialog.getByLabel('Current Password').fill('not the password')
  await dialog.getByLabel('New Password').fill('short')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.locator('[aria-invalid="true"]').first()).toBeVisible()
  await expectAccessible(page, 'refused dialog')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Change password' })).toBeFocused()
})

test('a refused registration is accessible', async ({ page, product }) => {
  const { username } = await product.newParticipant()
  await page.goto('/register')
  await page.getByLabel('Username').fill('a b')
  await page.getByLabel('Email').fill(newPerson().email)
  await page.getByLabel('Password', { exact: true }).fill('password')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.locator('[aria-invalid="true"]').first()).toBeFocused()
  await expectAccessible(page, 'refused registration')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(newPerson().password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('This username is taken.').first()).toBeVisible()
  await expectAccessible(page, 'username taken')
})

test('a refused login and a refused code are accessible with their toasts', async ({ page, product }) => {
  const person = newPerson()
  await product.call(register, { body: person })
  await page.goto('/login')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText('Invalid email or password.').first()).toBeVisible()
  await expectAccessible(page, 'refused login')
  await page.evaluate((email) => localStorage.setItem('userEmail', email), person.email)
  await page.goto('/verify-email')
  await page.getByLabel('Digit 1').click()
  await page.keyboard.type('000000')
  await page.getByRole('button', { name: 'Verify Email' }).click()
  await expect(
    page.getByText('This code is wrong or has expired. Check it or request a new one.').first(),
  ).toBeVisible()
  await expectAccessible(page, 'refused code')
})

test('the tasks step and a refused proof step are accessible', async ({ page, product }) => {
  await product.storeSession(page, await product.newParticipant())
  await startClaim(page)
  await page.locator('button[data-done]').first().click()
  await expect(page.locator('button[data-done="true"]')).toHaveCount(1)
  await page.bringToFront()
  await expectFits(page, 'tasks')
  await page.setViewportSize(PHONE)
  await expectAccessible(page, 'tasks')
  await page.evaluate(() => localStorage.removeItem('claimDraft'))
  await reachProof(page)
  await expectAccessible(page, 'proof')
  await fillProof(page, { ...newProof(), wallet: '0x1', telegram: '@' })
  await submitProof(page)
  await expect(page.getByLabel('Wallet Address')).toBeFocused()
  await expectAccessible(page, 'refused proof')
  await expectFits(page, 'refused proof')
})

test('airdrop and profile after a claim, and an unknown path, are accessible', async ({ page, product }) => {
  await product.storeSession(page, await product.newClaimant())
  await page.goto('/airdrop')
  await expect(page.getByRole('button', { name: 'Already Claimed' })).toBeVisible()
  await expectAccessible(page, 'already claimed')
  await page.goto('/profile')
  await expect(page.getByText(/^(Submitted|Under Review)$/)).toBeVisible()
  await expectAccessible(page, 'claimed')
  await page.goto('/presale')
  await expectAccessible(page, 'not found')
})

test('the card of a claim is accessible on a phone', async ({ page, product }) => {
  const { username } = await product.newClaimant()
  await product.storeSession(page, await product.admin())
  await page.goto(`/dashboard?view=waiting&search=${username}`)
  await page.getByRole('button', { name: username }).click()
  await expect(page.getByRole('complementary').getByRole('heading', { name: username })).toBeVisible()
  await expectAccessible(page, 'card')
  await expectFits(page, 'card')
})

test('leaderboard and dashboard are accessible when they fail to load, the dashboard also while loading', async ({
  page,
  product,
}) => {
  await page.route(/\/api\/v1\/users\/leaderboard/, (route) => route.abort())
  await page.goto('/leaderboard')
  await expect(page.getByText('Failed to load leaderboard')).toBeVisible()
  await expectAccessible(page, 'failed leaderboard')
  await product.storeSession(page, await product.admin())
  // Every time: an event of another claim makes the dashboard try again.
  await page.route(/\/api\/v1\/users\/\?/, (route) => route.abort())
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expectAccessible(page, 'failed dashboard')
  await page.route(/\/api\/v1\/users\/\?/, () => new Promise(() => {}))
  await page.goto('/dashboard')
  await expect(page.locator('[data-placeholder]')).toHaveCount(20)
  await expectAccessible(page, 'loading dashboard')
})
