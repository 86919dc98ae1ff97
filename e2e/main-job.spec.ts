import { PHONE } from './checks/axe.ts'
import { fillRegister, keepToasts, logIn, submitLogin, typeCode } from './steps/account-steps.ts'
import {
  continueToProof,
  fillProof,
  rememberTasks,
  startClaim,
  submitProof,
  waitForStatus,
} from './steps/airdrop-steps.ts'
import { newProof, newPerson } from './support/people.ts'
import { rowNamed } from './steps/dashboard-steps.ts'
import { expect, test } from './support/product.ts'

test.use({ viewport: PHONE, hasTouch: true, contextOptions: { reducedMotion: 'no-preference' } })

test('a visitor becomes a participant whose claim is verified', async ({ page, browser, product }) => {
  const referrer = await product.newParticipant()
  const person = newPerson()

  await test.step('sees the price', async () => {
    await page.goto('/')
    await expect(page.getByText('$0.000123').first()).toBeVisible()
  })

  await test.step('registers with a referral code', async () => {
    await page.goto(`/register?ref=${referrer.user.referralCode}`)
    await expect(page.getByLabel('Referral Code (optional)')).toHaveValue(referrer.user.referralCode)
    await fillRegister(page, person)
    await keepToasts(page)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByText('Registration successful! Please verify your email.')).toBeVisible()
    await expect(page).toHaveURL(/\/verify-email$/)
    await expect(page.getByText(person.email)).toBeVisible()
  })

  await test.step('finds the code in the email and verifies', async () => {
    const mail = await product.mailFor(person.email)
    expect(mail.text).toContain(person.username)
    await typeCode(page, mail.code)
    await page.getByRole('button', { name: 'Verify Email' }).click()
    await expect(page.getByText('Email verified successfully!')).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
  })

  await test.step('logs in', async () => {
    await keepToasts(page)
    await submitLogin(page, person)
    await expect(page.getByText('Logged in successfully!')).toBeVisible()
    await expect(page).toHaveURL(/\/profile$/)
    await expect(page.getByText('Not Submitted')).toBeVisible()
    // Three tasks count as done, which saves opening their pages.
    await rememberTasks(page, 3)
  })

  await test.step('does the last of the four tasks', async () => {
    await startClaim(page)
    await expect(page.getByRole('button', { name: 'Complete All Tasks to Continue' })).toBeDisabled()
    const opened = page.waitForEvent('popup')
    await page.locator('button[data-done="false"]').click()
    await (await opened).close()
    await continueToProof(page)
  })

  await test.step('submits the proof', async () => {
    await fillProof(page, newProof())
    await submitProof(page)
    await expect(page).toHaveURL(/\/profile$/)
    await expect(page.getByText(/^(Submitted|Under Review)$/)).toBeVisible()
  })

  await test.step('the claim is under review after its automatic checks', async () => {
    await waitForStatus(page, 'Under Review')
  })

  await test.step('an administrator verifies the task', async () => {
    const admin = await product.admin()
    const extraHTTPHeaders = { 'x-forwarded-for': admin.from }
    const dashboard = await browser.newPage({ baseURL: product.url, extraHTTPHeaders })
    await logIn(dashboard, admin)
    await expect(dashboard).toHaveURL(/\/dashboard$/)
    await dashboard.getByRole('searchbox').fill(person.username)
    await dashboard.getByRole('button', { name: 'Search', exact: true }).click()
    const row = rowNamed(dashboard, person)
    await row.getByRole('button', { name: 'Verify Task' }).click()
    await expect(row.getByRole('button', { name: 'Verified' })).toBeDisabled()
    await dashboard.close()
  })

  await test.step('the participant has points and a rank, the referrer a reward', async () => {
    await page.goto('/profile')
    await expect(page.getByText('Approved', { exact: true })).toBeVisible()
    await expect(page.getByText(/^20,000/).first()).toBeVisible()
    await page.goto('/leaderboard')
    await expect(page.getByRole('row').filter({ hasText: person.username })).toContainText('40,000')
    await product.openAs(page, referrer, '/profile')
    const tile = (name: string) => page.locator('dl > div', { hasText: name }).locator('dd')
    await expect(tile('Referral Reward')).toHaveText('1,000')
    await expect(tile('Total Points')).toHaveText('1,000')
    await expect(tile('PF Points')).toHaveText('0')
  })
})
