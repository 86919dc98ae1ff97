import { profile } from '#contract/accounts/accounts.ts'
import {
  fillRegister,
  keepToasts,
  logIn,
  submitNewPassword,
  toast,
  typeCode,
} from '../steps/account-steps.ts'
import { hold, recordCalls } from '../support/intercept.ts'
import { newPerson } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { store, storedValues, bindingCookie } from '../support/storage.ts'

test('storage has only what each step needs, and a double click is one call', async ({ page, product }) => {
  const person = newPerson()
  const calls = recordCalls(page)
  const registerCall = 'POST /api/v1/users/register'
  const loginCall = 'POST /api/v1/users/login'
  const verifyCall = 'POST /api/v1/users/verify-email'

  await test.step('registering stores only the email, and loads no code for challenges below the rate limit', async () => {
    const challengeScripts: string[] = []
    page.on('request', (request) => {
      if (/\/(solve|work|solver)[.-][^/]*\.js$/.test(request.url())) challengeScripts.push(request.url())
    })
    await page.goto('/register')
    await fillRegister(page, person)
    await keepToasts(page)
    await page.getByRole('button', { name: 'Create Account' }).dblclick()
    await expect(toast(page, 'Registration successful! Please verify your email.')).toBeVisible()
    await expect(page).toHaveURL(/\/verify-email$/)
    expect(await storedValues(page)).toEqual({ userEmail: person.email })
    expect(challengeScripts).toEqual([])
  })

  await test.step('going back shows an empty form and sends nothing', async () => {
    await page.goBack()
    await expect(page).toHaveURL(/\/register$/)
    await expect(page.getByLabel('Username')).toHaveValue('')
    await expect(page.getByRole('button', { name: 'Create Account' })).toBeEnabled()
    expect(calls).toEqual([registerCall])
    await page.goForward()
    await expect(page.getByRole('heading', { level: 1, name: 'Verify Your Email' })).toBeVisible()
  })

  await test.step('logging in before verification leads to the code screen', async () => {
    await page.evaluate(() => localStorage.clear())
    await logIn(page, person)
    await expect(toast(page, 'Please verify your email first!')).toBeVisible()
    await expect(toast(page, 'Please verify your email before logging in.')).toHaveCount(0)
    await expect(page).toHaveURL(/\/verify-email$/)
    expect(await storedValues(page)).toEqual({ userEmail: person.email })
  })

  await test.step('verifying clears the storage', async () => {
    await typeCode(page, (await product.mailFor(person.email)).code)
    await keepToasts(page)
    await page.getByRole('button', { name: 'Verify Email' }).dblclick()
    await expect(toast(page, 'Email verified successfully!')).toBeVisible()
    expect(await storedValues(page)).toEqual({})
    await expect(page).toHaveURL(/\/login$/)
  })

  await test.step('going back finds nothing to verify', async () => {
    await page.goBack()
    await expect(toast(page, 'Missing email. Please register again.')).toBeVisible()
    await expect(page).toHaveURL(/\/register$/)
    expect(calls).toEqual([registerCall, loginCall, verifyCall])
  })

  await test.step('logging in stores the user and a token that needs a cookie which scripts cannot read', async () => {
    // A login also discards a stored referral code.
    await store(page, { referral: 'AHEAD22222' })
    await logIn(page, person)
    await expect(toast(page, 'Logged in successfully!')).toBeVisible()
    await expect(page).toHaveURL(/\/profile$/)
    const { token = '', user = '', ...others } = await storedValues(page)
    expect(others).toEqual({})
    expect(token).toMatch(/^[\w-]{43}$/)
    expect((await product.call(profile, { token })).status, 'a token without its cookie').toBe(401)
    expect(await page.evaluate(() => document.cookie)).toBe('')
    const { status, body } = await product.call(profile, { token, cookie: await bindingCookie(page) })
    expect(status).toBe(200)
    const { rank: _, ...account } = body.data // The rank is not stored.
    expect(JSON.parse(user)).toEqual(account)
    expect(account).toMatchObject({ username: person.username, email: person.email, role: 'user' })
    await page.reload()
    await expect(page.getByText(person.username, { exact: true })).toBeVisible()
  })

  await test.step('logging out clears the storage and ends the session, and going back leads to the login', async () => {
    const { token = '' } = await storedValues(page)
    const cookie = await bindingCookie(page)
    await keepToasts(page)
    const call = await hold(page, '**/users/logout', 'POST')
    await page.getByRole('button', { name: 'Logout' }).dblclick()
    await expect(page.getByRole('button', { name: 'Logout' })).toBeDisabled()
    call.release()
    await expect(toast(page, 'Logged out successfully!')).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
    expect(calls.filter((logout) => logout === 'POST /api/v1/users/logout')).toHaveLength(1)
    expect(await storedValues(page)).toEqual({})
    expect((await product.call(profile, { token, cookie })).status).toBe(401)
    expect(await bindingCookie(page)).toBe('')
    await page.goBack()
    await expect(toast(page, 'Please login to access your profile.')).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByText(person.username)).toHaveCount(0)
  })
})

test('a screen whose stored values are missing leads back to the first step', async ({ page }) => {
  const userEmail = newPerson().email
  const resetPasswordToken = 'x'.repeat(43)
  const missingEmail = 'Missing email. Please register again.'
  const missingToken = 'Missing email or reset token. Please request a new password reset.'
  const press = (name: string) => page.getByRole('button', { name }).click()

  const incomplete: [path: string, storage: Record<string, string>, start: string, message: string][] = [
    ['/verify-email', {}, '/register', missingEmail],
    ['/forgot-password-otp', {}, '/forgot-password', missingEmail],
    ['/reset-password', {}, '/forgot-password', missingToken],
    ['/reset-password', { userEmail }, '/forgot-password', missingToken],
    ['/reset-password', { resetPasswordToken }, '/forgot-password', missingToken],
  ]
  for (const [path, storage, start, message] of incomplete) {
    await store(page, storage)
    await page.goto(path)
    await expect(page.getByText(message)).toHaveCount(1)
    await expect(page).toHaveURL(start)
    await page.evaluate(() => localStorage.clear())
  }

  const clearedWhileOpen: [path: string, act: () => Promise<void>, start: string, message: string][] = [
    ['/verify-email', () => press('Verify Email'), '/register', missingEmail],
    ['/verify-email', () => press('Resend code'), '/register', missingEmail],
    ['/forgot-password-otp', () => press('Verify OTP'), '/forgot-password', missingEmail],
    ['/forgot-password-otp', () => press('Resend code'), '/forgot-password', missingEmail],
    ['/reset-password', () => submitNewPassword(page, 'gravel lantern'), '/forgot-password', missingToken],
  ]
  for (const [path, act, start, message] of clearedWhileOpen) {
    await store(page, { userEmail, resetPasswordToken })
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate(() => localStorage.clear())
    await keepToasts(page)
    await act()
    await expect(page).toHaveURL(start)
    await expect(page.getByText(message)).toBeVisible()
  }
})
