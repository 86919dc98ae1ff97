import type { Page } from '@playwright/test'
import { forgotPassword, profile } from '#contract/accounts/accounts.ts'
import { login } from '#contract/accounts/sessions.ts'
import { keepToasts, requestReset, submitNewPassword, toast } from '../steps/account-steps.ts'
import { differentCode, followCountdown, advanceUntil, pauseClock, typeCode } from '../steps/code-steps.ts'
import { newAddress, newPerson } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { storedValues, store, storedValue } from '../support/storage.ts'

const SENT = 'Password reset code sent! Check your email to continue.'
const NEW_PASSWORD = 'gravel lantern forty-two'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('resets a forgotten password and ends existing sessions', async ({ page, product }) => {
  const participant = await product.newParticipant()
  const { email } = participant

  await test.step('mails a code', async () => {
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot Password?' }).click()
    await page.getByLabel('Email').fill(email)
    await press(page, 'Send Reset Code')
    await expect(page.getByText(SENT)).toBeVisible()
    await expect(page).toHaveURL(/\/forgot-password-otp$/)
    await expect(page.getByText(`We sent a 6-digit code to ${email}.`)).toBeVisible()
    expect(await storedValues(page)).toEqual({ userEmail: email })
  })

  await test.step('refuses a wrong code and exchanges the right one for a token', async () => {
    const { code } = await product.mailFor(email)
    await typeCode(page, differentCode(code))
    await press(page, 'Verify OTP')
    await expect(
      toast(page, 'This code is wrong or has expired. Check it or request a new one.'),
    ).toBeVisible()
    expect(await storedValue(page, 'resetPasswordToken')).toBeNull()
    await keepToasts(page)
    await typeCode(page, code)
    await press(page, 'Verify OTP')
    await expect(page.getByText('OTP verified successfully')).toBeVisible()
    await expect(page).toHaveURL(/\/reset-password$/)
    expect(await storedValue(page, 'userEmail')).toBe(email)
  })

  const token = (await storedValue(page, 'resetPasswordToken')) ?? ''
  expect(token).not.toBe('')

  await test.step('requires two matching, valid passwords', async () => {
    await press(page, 'Reset Password')
    await expect(page.getByLabel('New Password', { exact: true })).toBeFocused()
    await submitNewPassword(page, NEW_PASSWORD, `${NEW_PASSWORD}!`)
    await expect(toast(page, 'Passwords do not match!')).toBeVisible()
    const again = page.getByLabel('Confirm Password', { exact: true })
    await expect(again).toHaveAccessibleDescription('Passwords do not match!')
    await submitNewPassword(page, 'short')
    await expect(again).toHaveAccessibleDescription('')
    await expect(page.getByText('Use at least 8 characters.')).toBeVisible()
    expect(await storedValue(page, 'resetPasswordToken')).toBe(token)
  })

  await test.step('accepts only the new password', async () => {
    await submitNewPassword(page, NEW_PASSWORD)
    await expect(page.getByText('Password reset successfully!')).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
    expect(await storedValues(page)).toEqual({})
    expect((await product.mailFor(email)).code).toBe('')
    expect((await product.call(profile, { token: participant.token })).status).toBe(401)
    const old = { email, password: participant.password }
    expect((await product.call(login, { body: old, from: newAddress() })).status).toBe(401)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await press(page, 'Login')
    await expect(page).toHaveURL(/\/profile$/)
    await expect(page.getByText(participant.username).first()).toBeVisible()
  })

  await test.step('accepts the token only once', async () => {
    await store(page, { userEmail: email, resetPasswordToken: token })
    await page.goto('/reset-password')
    await submitNewPassword(page, 'another lantern forty-three')
    await expect(
      page.getByText('This password reset is no longer valid. Please request a new one.'),
    ).toBeVisible()
    await expect(page).toHaveURL(/\/reset-password$/)
    // The expired token is removed, and a retry leads to the start of a new reset.
    expect(await storedValues(page)).not.toHaveProperty('resetPasswordToken')
    expect(await storedValues(page)).not.toHaveProperty('userEmail')
    await submitNewPassword(page, 'another lantern forty-three')
    await expect(page).toHaveURL(/\/forgot-password$/)
    await product.logInAgain({ ...participant, password: NEW_PASSWORD })
  })
})

test('discards a reset that is not finished within ten minutes', async ({ page }) => {
  const underWay = { userEmail: newPerson().email, resetPasswordToken: 'x'.repeat(43) }
  await page.clock.install()
  const begin = async () => {
    await store(page, underWay)
    await page.goto('/reset-password')
    await expect(page.getByLabel('New Password', { exact: true })).toBeVisible()
  }

  await begin()
  await page.clock.fastForward('09:30')
  await page.reload()
  await expect(page.getByLabel('New Password', { exact: true })).toBeVisible()
  await page.clock.fastForward('00:31')
  await submitNewPassword(page, NEW_PASSWORD)
  await expect(
    page.getByText('Missing email or reset token. Please request a new password reset.'),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/forgot-password$/)
  expect(await storedValues(page)).toEqual({})

  await begin()
  await page.getByRole('link', { name: 'Back to Login' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.clock.fastForward('10:01')
  expect(await storedValues(page)).toEqual({})
})

test('requires an email to send a code', async ({ page }) => {
  let calls = 0
  page.on('request', (request) => (calls += Number(request.url().endsWith(forgotPassword.path))))
  await page.goto('/forgot-password')
  await press(page, 'Send Reset Code')
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByText('Please enter your email')).toHaveCount(0)
  // Without the browser's own validation.
  await page.locator('form').evaluate((form: HTMLFormElement) => (form.noValidate = true))
  await press(page, 'Send Reset Code')
  await expect(page.getByText('Please enter your email')).toBeVisible()
  await expect(page).toHaveURL(/\/forgot-password$/)
  expect(calls).toBe(0)
  await page.getByRole('link', { name: 'Back to Login' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('answers an unknown email like a known one, and asks to wait before a retry', async ({ page }) => {
  const { email } = newPerson()
  await requestReset(page, email)
  await expect(page.getByText(SENT)).toBeVisible()
  await expect(page).toHaveURL(/\/forgot-password-otp$/)
  expect(await storedValue(page, 'userEmail')).toBe(email)
  await page.getByRole('link', { name: 'Wrong email?' }).click()
  await expect(page).toHaveURL(/\/forgot-password$/)
  await requestReset(page, email)
  await expect(page.getByText('We just sent a code. Please wait before requesting another.')).toBeVisible()
})

test('a reset screen without its prerequisites leads back to the start', async ({ page }) => {
  const missingEmail = 'Missing email. Please register again.'
  const missingToken = 'Missing email or reset token. Please request a new password reset.'
  const email = newPerson().email
  const resetPasswordToken = 'x'.repeat(43)
  const tries: [path: string, storage: Record<string, string>, message: string][] = [
    ['/forgot-password-otp', {}, missingEmail],
    ['/reset-password', {}, missingToken],
    ['/reset-password', { userEmail: email }, missingToken],
    ['/reset-password', { resetPasswordToken }, missingToken],
  ]
  for (const [path, storage, message] of tries) {
    await store(page, storage)
    await page.goto(path)
    await expect(page).toHaveURL(/\/forgot-password$/)
    await expect(page.getByText(message)).toHaveCount(1)
    await page.evaluate(() => localStorage.clear())
  }

  const gone: [path: string, act: () => Promise<void>, message: string][] = [
    ['/forgot-password-otp', () => press(page, 'Verify OTP'), missingEmail],
    ['/forgot-password-otp', () => press(page, 'Resend code'), missingEmail],
    ['/reset-password', () => submitNewPassword(page, NEW_PASSWORD), missingToken],
  ]
  for (const [path, act, message] of gone) {
    await store(page, { userEmail: email, resetPasswordToken })
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate(() => localStorage.clear())
    await act()
    await expect(page).toHaveURL(/\/forgot-password$/)
    await expect(page.getByText(message)).toBeVisible()
  }
})

test('resends a reset code that works', async ({ page, product }) => {
  const { email } = await product.newParticipant()
  await page.clock.install()
  await store(page, { userEmail: email })
  await page.goto('/forgot-password-otp')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify OTP')
  await pauseClock(page)
  await press(page, 'Resend code')
  await advanceUntil(page, page.getByText('OTP resent successfully!'))
  await advanceUntil(page, page.getByRole('button', { name: 'Resend in 60s' }))
  await followCountdown(page, 60)
  await page.clock.resume()
  const { code } = await product.mailFor(email)
  await page.route(`**/users/verify-otp`, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      json: { ...(await answer.json()), message: 'The code is right.' },
    })
  })
  await typeCode(page, code)
  await press(page, 'Verify OTP')
  await expect(page.getByText('The code is right.')).toBeVisible()
  await expect(page).toHaveURL(/\/reset-password$/)
})
