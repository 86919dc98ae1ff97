import type { Page } from '@playwright/test'
import { register, resendCode, verifyEmail } from '#contract/accounts/accounts.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import {
  differentCode,
  boxes,
  followCountdown,
  advanceUntil,
  pauseClock,
  typeCode,
} from '../steps/code-steps.ts'
import { toast } from '../steps/account-steps.ts'
import { hold } from '../support/held-calls.ts'
import { newAddress, type Person, newPerson } from '../support/people.ts'
import { expect, type Product, test } from '../support/product.ts'
import { store, storedValue } from '../support/storage.ts'

const VERIFY = API_BASE + verifyEmail.path
const RESEND = API_BASE + resendCode.path

const button = (page: Page) => page.getByRole('button', { name: 'Verify Email' })
const resend = (page: Page) => page.getByRole('button', { name: 'Resend code' })

/** Opens the screen with a stored email. */
async function open(page: Page, email: string): Promise<void> {
  await store(page, { userEmail: email })
  await page.goto('/verify-email')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify Your Email')
}

/** A registered person with their code. */
async function registered(product: Product): Promise<Person & { code: string }> {
  const person = newPerson()
  expect((await product.call(register, { body: person, from: newAddress() })).status).toBe(201)
  return { ...person, code: (await product.mailFor(person.email)).code }
}

/** Presses the button. @returns the status of the reply. */
async function verify(page: Page): Promise<number> {
  const answer = page.waitForResponse(`**${VERIFY}`)
  await button(page).click()
  return (await answer).status()
}

test('verifies the mailed code, rejects a wrong one, and leads to the login after 1.5 s', async ({
  page,
  product,
}) => {
  const { email, code } = await registered(product)
  await page.clock.install()
  await open(page, email)
  await expect(page.getByText(`We sent a 6-digit code to ${email}.`)).toBeVisible()
  await typeCode(page, differentCode(code))
  expect(await verify(page)).toBe(400)
  const wrong = 'This code is wrong or has expired. Check it or request a new one.'
  await expect(toast(page, wrong)).toBeVisible()
  await expect(page.getByRole('group', { name: 'Verification code' })).toHaveAccessibleDescription(wrong)
  await expect(page.getByLabel('Digit 1', { exact: true })).toBeFocused()
  expect(await storedValue(page, 'userEmail')).toBe(email)
  await expect(button(page)).toBeEnabled()

  await typeCode(page, code)
  const call = await hold(page, `**${VERIFY}`, 'POST')
  await button(page).click()
  await expect(button(page)).toBeDisabled()
  await pauseClock(page)
  call.release()
  await advanceUntil(page, page.getByText('Email verified successfully!'))
  await expect(page.getByText(wrong), 'the reason of the attempt before').toHaveCount(0)
  expect(await storedValue(page, 'userEmail')).toBeNull()
  await expect(button(page)).toBeDisabled()
  await page.clock.runFor(1_300)
  await expect(page).toHaveURL(/\/verify-email$/)
  await page.clock.runFor(200)
  await expect(page).toHaveURL(/\/login$/)
})

test('refuses an incomplete code at the boxes', async ({ page }) => {
  await open(page, newPerson().email)
  await page.keyboard.type('123')
  expect(await verify(page)).toBe(400)
  await expect(page.getByRole('group')).toHaveAccessibleDescription('Enter all 6 digits of the code.')
  await expect(boxes(page).first()).toBeFocused()
})

test('leads to registration without an email to verify', async ({ page }) => {
  await page.goto('/verify-email')
  await expect(page).toHaveURL(/\/register$/)
  await expect(page.getByText('Missing email. Please register again.')).toHaveCount(1)

  for (const name of ['Verify Email', 'Resend code']) {
    await open(page, newPerson().email)
    await page.evaluate(() => localStorage.removeItem('userEmail'))
    await page.getByRole('button', { name }).click()
    await expect(page).toHaveURL(/\/register$/)
    await expect(page.getByText('Missing email. Please register again.')).toBeVisible()
  }
})

test('offers to register again for a wrong email', async ({ page }) => {
  await open(page, newPerson().email)
  await page.getByRole('link', { name: 'Wrong email?' }).click()
  await expect(page).toHaveURL(/\/register$/)
})

test('resends a code once per minute', async ({ page }) => {
  await page.clock.install()
  await open(page, newPerson().email)
  const call = await hold(page, `**${RESEND}`, 'POST')
  await resend(page).click()
  await expect(page.getByRole('button', { name: 'Resending...' })).toBeDisabled()
  await pauseClock(page)
  call.release()
  await advanceUntil(page, page.getByText('OTP resent successfully!'))
  await advanceUntil(page, page.getByRole('button', { name: 'Resend in 60s' }))
  await followCountdown(page, 60)
})

test('shows how long to wait after a resend that is too early', async ({ page, product }) => {
  const { email } = await registered(product)
  await open(page, email)
  await resend(page).click()
  await expect(page.getByText('We just sent a code. Please wait before requesting another.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Resend in \d+s$/ })).toBeDisabled()
})

test('waits as long as a refusal without a challenge says', async ({ page }) => {
  await page.clock.install()
  await open(page, newPerson().email)
  const message = 'Too many attempts. Please wait a moment and try again.'
  await page.route(`**${RESEND}`, (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '7' }, json: { message, code: 'rate_limited' } }),
  )
  const call = await hold(page, `**${RESEND}`, 'POST')
  await resend(page).click()
  await expect(page.getByRole('button', { name: 'Resending...' })).toBeDisabled()
  await pauseClock(page)
  call.release()
  await advanceUntil(page, page.getByText(message))
  await advanceUntil(page, page.getByRole('button', { name: 'Resend in 7s', exact: true }))
  await followCountdown(page, 7)
})

test('refuses the right code after five wrong ones', async ({ page, product }) => {
  const { email, code } = await registered(product)
  await open(page, email)
  await typeCode(page, differentCode(code))
  for (let wrong = 0; wrong < 5; wrong += 1) {
    expect(await verify(page)).toBe(400)
    await expect(button(page)).toBeEnabled()
  }
  await typeCode(page, code)
  expect(await verify(page)).toBe(429)
  await expect(toast(page, 'Too many wrong codes. Please request a new one.')).toBeVisible()
  await expect(page).toHaveURL(/\/verify-email$/)
})

test('sends the code with the email on the screen, whatever another tab is verifying', async ({
  page,
  product,
}) => {
  const { email, code } = await registered(product)
  const other = newPerson().email
  await open(page, email)
  await page.evaluate((address) => localStorage.setItem('userEmail', address), other)
  await typeCode(page, code)
  expect(await verify(page)).toBe(200)
  expect(await storedValue(page, 'userEmail')).toBe(other)
})
