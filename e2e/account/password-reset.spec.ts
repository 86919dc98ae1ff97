import type { Page } from '@playwright/test'
import { forgotPassword, profile, verifyOtp } from '#contract/accounts/accounts.ts'
import {
  differentCode,
  keepToasts,
  requestReset,
  submitLogin,
  submitNewPassword,
  toast,
  typeCode,
} from '../steps/account-steps.ts'
import { changeReplies, loseAnswer, recordCalls } from '../support/intercept.ts'
import { newPerson } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { storedValues, store, storedValue } from '../support/storage.ts'

const SENT = 'Password reset code sent! Check your email to continue.'
const NEW_PASSWORD = 'gravel lantern forty-two'
const VERIFY_OTP = '**/users/verify-otp'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('resetting a forgotten password ends existing sessions', async ({ page, product }) => {
  const participant = await product.newParticipant()
  const { email } = participant

  await test.step('emails a code', async () => {
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot Password?' }).click()
    await requestReset(page, email)
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
    // Without the server's message, the screen shows its own.
    await changeReplies(page, VERIFY_OTP, (reply: object) => ({ ...reply, message: undefined }), { times: 1 })
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
    const confirmation = page.getByLabel('Confirm Password', { exact: true })
    await expect(confirmation).toHaveAccessibleDescription('Passwords do not match!')
    await expect(confirmation).toBeFocused()
    await submitNewPassword(page, 'short')
    await expect(confirmation).toHaveAccessibleDescription('')
    await expect(page.getByText('Use at least 8 characters.')).toBeVisible()
    expect(await storedValue(page, 'resetPasswordToken')).toBe(token)
  })

  await test.step('sets the new password', async () => {
    await submitNewPassword(page, NEW_PASSWORD)
    await expect(page.getByText('Password reset successfully!')).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
    expect(await storedValues(page)).toEqual({})
    expect((await product.call(profile, { token: participant.token })).status).toBe(401)
    await submitLogin(page, { email, password: NEW_PASSWORD })
    await expect(page).toHaveURL(/\/profile$/)
    await expect(page.getByText(participant.username).first()).toBeVisible()
  })

  await test.step('discards a token that is refused', async () => {
    await store(page, { userEmail: email, resetPasswordToken: token })
    await page.goto('/reset-password')
    await submitNewPassword(page, 'another lantern forty-three')
    await expect(
      page.getByText('This password reset is no longer valid. Please request a new one.'),
    ).toBeVisible()
    await expect(page).toHaveURL(/\/reset-password$/)
    // Only the login's values are left, so another attempt leads to the start of a new reset.
    expect(Object.keys(await storedValues(page)).toSorted()).toEqual(['token', 'user'])
    await submitNewPassword(page, 'another lantern forty-three')
    await expect(page).toHaveURL(/\/forgot-password$/)
  })
})

test('a reset sent again after a lost answer leads to the login', async ({ page, product }) => {
  const { email } = await product.newParticipant()
  await product.callOrFail(forgotPassword, { body: { email } })
  const { code: otp } = await product.mailFor(email)
  const { resetPasswordToken } = await product.callOrFail(verifyOtp, { body: { email, otp } })
  await store(page, { userEmail: email, resetPasswordToken })
  await page.goto('/reset-password')
  await loseAnswer(page, '**/users/reset-password')
  await submitNewPassword(page, NEW_PASSWORD)
  await expect(toast(page, 'Failed to reset password')).toBeVisible()
  await press(page, 'Reset Password')
  await expect(
    toast(page, 'Your password may be reset already. Try logging in with the new one.'),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  await submitLogin(page, { email, password: NEW_PASSWORD })
  await expect(page).toHaveURL(/\/profile$/)
})

test('a reset code sent again after a lost answer is not called wrong', async ({ page, product }) => {
  const { email } = await product.newParticipant()
  await product.callOrFail(forgotPassword, { body: { email } })
  await store(page, { userEmail: email })
  await page.goto('/forgot-password-otp')
  await typeCode(page, (await product.mailFor(email)).code)
  await loseAnswer(page, VERIFY_OTP)
  await press(page, 'Verify OTP')
  await expect(toast(page, 'Verification failed')).toBeVisible()
  await press(page, 'Verify OTP')
  await expect(toast(page, 'This code may be used up already. Request a new one.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Resend code' })).toBeEnabled()
})

test('a code can be resent, and a reset has to be finished within ten minutes', async ({ page, product }) => {
  const { email } = await product.newParticipant()
  await page.clock.install()

  await test.step('resends a code that works, and shows the server’s message', async () => {
    await store(page, { userEmail: email })
    await page.goto('/forgot-password-otp')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify OTP')
    await press(page, 'Resend code')
    await expect(page.getByText('OTP resent successfully!')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Resend in \d+s$/ })).toBeDisabled()
    await changeReplies(page, VERIFY_OTP, (reply: object) => ({ ...reply, message: 'The code is right.' }))
    await typeCode(page, (await product.mailFor(email)).code)
    await press(page, 'Verify OTP')
    await expect(page.getByText('The code is right.')).toBeVisible()
    await expect(page).toHaveURL(/\/reset-password$/)
  })

  await test.step('discards the reset after ten minutes, even if the page was reloaded', async () => {
    const newPassword = page.getByLabel('New Password', { exact: true })
    await expect(newPassword).toBeVisible()
    await page.clock.fastForward('05:00')
    await page.reload()
    await expect(newPassword).toBeVisible()
    await page.clock.fastForward('05:01')
    await submitNewPassword(page, NEW_PASSWORD)
    await expect(
      page.getByText('Missing email or reset token. Please request a new password reset.'),
    ).toBeVisible()
    await expect(page).toHaveURL(/\/forgot-password$/)
    expect(await storedValues(page)).toEqual({})
  })

  await test.step('discards the reset after ten minutes on another screen', async () => {
    await store(page, { userEmail: email, resetPasswordToken: 'x'.repeat(43) })
    await page.goto('/reset-password')
    await page.getByRole('link', { name: 'Back to Login' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await page.clock.fastForward('10:01')
    expect(await storedValues(page)).toEqual({})
  })
})

test('an unknown email is answered like a known one', async ({ page }) => {
  const calls = recordCalls(page)
  await page.goto('/forgot-password')

  await test.step('without an email nothing is sent', async () => {
    await press(page, 'Send Reset Code')
    await expect(page.getByLabel('Email')).toBeFocused()
    await expect(page.getByText('Please enter your email')).toHaveCount(0)
    // Disables the browser's own validation.
    await page.locator('form').evaluate((form: HTMLFormElement) => (form.noValidate = true))
    await press(page, 'Send Reset Code')
    await expect(page.getByText('Please enter your email')).toBeVisible()
    await expect(page).toHaveURL(/\/forgot-password$/)
    expect(calls).toEqual([])
  })

  await test.step('an unknown email', async () => {
    const { email } = newPerson()
    await requestReset(page, email)
    await expect(page.getByText(SENT)).toBeVisible()
    await expect(page).toHaveURL(/\/forgot-password-otp$/)
    expect(await storedValue(page, 'userEmail')).toBe(email)
    await page.getByRole('link', { name: 'Wrong email?' }).click()
    await expect(page).toHaveURL(/\/forgot-password$/)
    await requestReset(page, email)
    await expect(page.getByText('We just sent a code. Please wait before requesting another.')).toBeVisible()
    // This is the screen on which that code can be entered.
    await expect(page).toHaveURL(/\/forgot-password-otp$/)
    expect(await storedValue(page, 'userEmail')).toBe(email)
  })

  await page.getByRole('link', { name: 'Wrong email?' }).click()
  await page.getByRole('link', { name: 'Back to Login' }).click()
  await expect(page).toHaveURL(/\/login$/)
})
