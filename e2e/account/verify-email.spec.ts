import type { Page } from '@playwright/test'
import { register, resendCode, verifyEmail } from '#contract/accounts/accounts.ts'
import { login } from '#contract/accounts/sessions.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { expectAccessibleOnPhone } from '../checks/axe.ts'
import { advanceUntil, boxes, differentCode, pauseClock, toast, typeCode } from '../steps/account-steps.ts'
import { hold, loseAnswer } from '../support/intercept.ts'
import { newAddress, newPerson } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { store, storedValue } from '../support/storage.ts'

const VERIFY = API_BASE + verifyEmail.path
const HOUR_MS = 3_600_000
const RESEND = API_BASE + resendCode.path

const verifyButton = (page: Page) => page.getByRole('button', { name: 'Verify Email' })
const resendButton = (page: Page) => page.getByRole('button', { name: 'Resend code' })

async function open(page: Page, email: string): Promise<void> {
  await store(page, { userEmail: email })
  await page.goto('/verify-email')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify Your Email')
}

/** @returns the status of the reply. */
async function verify(page: Page): Promise<number> {
  const answer = page.waitForResponse(`**${VERIFY}`)
  await verifyButton(page).click()
  return (await answer).status()
}

test('the emailed code verifies, and other codes are refused with a reason', async ({ page, product }) => {
  const person = newPerson()
  const { email } = person
  expect((await product.call(register, { body: person, from: newAddress() })).status).toBe(201)
  const { code } = await product.mailFor(email)
  const group = page.getByRole('group', { name: 'Verification code' })
  const wrong = 'This code is wrong or has expired. Check it or request a new one.'
  await page.clock.install()
  await open(page, email)
  await expect(page.getByText(`We sent a 6-digit code to ${email}.`)).toBeVisible()

  await test.step('an incomplete code', async () => {
    await boxes(page).first().click()
    await page.keyboard.type('123')
    expect(await verify(page)).toBe(400)
    await expect(group).toHaveAccessibleDescription('Enter all 6 digits of the code.')
    await expect(boxes(page).nth(3), 'the first empty box').toBeFocused()
  })

  await test.step('a wrong code', async () => {
    await typeCode(page, differentCode(code))
    expect(await verify(page)).toBe(400)
    await expect(toast(page, wrong)).toBeVisible()
    await expect(group).toHaveAccessibleDescription(wrong)
    await expect(boxes(page).first()).toBeFocused()
    expect(await storedValue(page, 'userEmail')).toBe(email)
    await expect(verifyButton(page)).toBeEnabled()
    await expectAccessibleOnPhone(page, 'refused code')
  })

  await test.step('a resend that is too early', async () => {
    await resendButton(page).click()
    const tooEarly = 'We just sent a code. Please wait before requesting another.'
    await expect(toast(page, tooEarly)).toBeVisible()
    await expect(page.getByRole('button', { name: /^Resend in \d+s$/ })).toBeDisabled()
  })

  await test.step('the right code leads to the login after 1.5 s', async () => {
    await typeCode(page, code)
    const call = await hold(page, `**${VERIFY}`, 'POST')
    await verifyButton(page).click()
    await expect(verifyButton(page)).toBeDisabled()
    await pauseClock(page)
    call.release()
    await advanceUntil(page, page.getByText('Email verified successfully!'))
    await expect(page.getByText(wrong), 'the reason of the previous attempt').toHaveCount(0)
    expect(await storedValue(page, 'userEmail')).toBeNull()
    await expect(verifyButton(page)).toBeDisabled()
    await page.clock.runFor(1_300)
    await expect(page).toHaveURL(/\/verify-email$/)
    await page.clock.runFor(200)
    await expect(page).toHaveURL(/\/login$/)
  })
})

test('a code sent again after a lost answer leads to the login', async ({ page, product }) => {
  const person = newPerson()
  expect((await product.call(register, { body: person, from: newAddress() })).status).toBe(201)
  await open(page, person.email)
  await typeCode(page, (await product.mailFor(person.email)).code)
  await loseAnswer(page, `**${VERIFY}`)
  await verifyButton(page).click()
  await expect(toast(page, 'Verification failed')).toBeVisible()
  await verifyButton(page).click()
  await expect(toast(page, 'Your email may be verified already. Try logging in.')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  const { email, password } = person
  expect((await product.call(login, { body: { email, password } })).status).toBe(200)
})

test('a code is sent with the email shown, even if another tab stores a different one', async ({ page }) => {
  const { email } = newPerson()
  const other = newPerson().email
  await open(page, email)
  await page.getByRole('link', { name: 'Wrong email?' }).click()
  await expect(page).toHaveURL(/\/register$/)
  await page.goBack()
  await page.route(`**${VERIFY}`, (route) => route.fulfill({ json: { message: 'Verified.' } }))
  await typeCode(page, '123456')
  await page.evaluate((address) => localStorage.setItem('userEmail', address), other)
  const call = page.waitForRequest(`**${VERIFY}`)
  await verifyButton(page).click()
  expect((await call).postDataJSON()).toEqual({ email, otp: '123456' })
  await expect(toast(page, 'Email verified successfully!')).toBeVisible()
  expect(await storedValue(page, 'userEmail')).toBe(other)
})

test('the button to resend counts down a minute, or the Retry-After of a refusal', async ({ page }) => {
  const waiting = (seconds: number) =>
    page.getByRole('button', { name: `Resend in ${seconds}s`, exact: true })
  await page.clock.install()
  await open(page, newPerson().email)
  await pauseClock(page)

  await test.step('the time of a refusal, second by second, whatever the system clock is set to', async () => {
    const message = 'Too many attempts. Please wait a moment and try again.'
    const json = { message, code: 'rate_limited' }
    await page.route(
      `**${RESEND}`,
      (route) => route.fulfill({ status: 429, headers: { 'retry-after': '7' }, json }),
      { times: 1 },
    )
    await resendButton(page).click()
    await advanceUntil(page, page.getByText(message))
    await advanceUntil(page, waiting(7))
    for (let left = 7; left > 0; left -= 1) {
      await expect(waiting(left)).toBeDisabled()
      await page.clock.setSystemTime(Date.now() + (left % 2 === 0 ? HOUR_MS : -HOUR_MS))
      await page.clock.runFor(1_000)
    }
    await expect(resendButton(page)).toBeEnabled()
  })

  await test.step('a minute', async () => {
    await resendButton(page).click()
    await advanceUntil(page, page.getByText('OTP resent successfully!'))
    await advanceUntil(page, waiting(60))
    await page.clock.fastForward(59_000)
    await expect(waiting(1)).toBeDisabled()
    await page.clock.runFor(1_000)
    await expect(resendButton(page)).toBeEnabled()
  })
})
