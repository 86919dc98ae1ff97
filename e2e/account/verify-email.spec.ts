import type { APIResponse, Page } from '@playwright/test'
import { register, resendCode, verifyEmail } from '#contract/accounts.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import type { ErrorBody } from '#contract/protocol/errors.ts'
import { solve } from '#server/testing/solve.ts'
import {
  differentCode,
  boxes,
  followCountdown,
  advanceUntil,
  pauseClock,
  typeCode,
} from '../steps/code-steps.ts'
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

/** Requests codes, first free and then for solved challenges, until the network's limit is spent. */
async function useUpAllCodes(page: Page): Promise<void> {
  const ask = async (headers: Record<string, string> = {}) =>
    page.request.post(RESEND, { data: { email: newPerson().email }, headers })
  for (
    let answer = await ask();
    answer.status() !== 429 || (await challengeOf(answer));
    answer = await ask()
  ) {
    const challenge = await challengeOf(answer)
    if (challenge) expect((await ask(await solve(challenge))).status()).toBe(200)
  }
}

async function challengeOf(answer: APIResponse): Promise<ErrorBody['challenge']> {
  return ((await answer.json()) as Partial<ErrorBody>).challenge
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
  await expect(page.getByText('The code is wrong or has expired.')).toBeVisible()
  expect(await storedValue(page, 'userEmail')).toBe(email)
  await expect(button(page)).toBeEnabled()

  await typeCode(page, code)
  const call = await hold(page, `**${VERIFY}`, 'POST')
  await button(page).click()
  await expect(button(page)).toBeDisabled()
  await pauseClock(page)
  call.release()
  await advanceUntil(page, page.getByText('Email verified successfully!'))
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
  await expect(
    page.getByText('A code was sent a moment ago. Please wait before requesting another.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /^Resend in \d+s$/ })).toBeDisabled()
})

test('waits as long as the reply says once the challenges of a network are spent', async ({ page }) => {
  await useUpAllCodes(page)
  await page.clock.install()
  await open(page, newPerson().email)
  const answer = page.waitForResponse(`**${RESEND}`)
  const call = await hold(page, `**${RESEND}`, 'POST')
  await resend(page).click()
  await expect(page.getByRole('button', { name: 'Resending...' })).toBeDisabled()
  await pauseClock(page)
  call.release()
  const seconds = Number((await answer).headers()['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThan(60)
  await advanceUntil(page, page.getByText('Too many attempts. Please wait a little and try again.'))
  await advanceUntil(page, page.getByRole('button', { name: `Resend in ${seconds}s`, exact: true }))
  await followCountdown(page, seconds)
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
  await expect(page.getByText('Too many wrong codes. Please request a new one.')).toBeVisible()
  await expect(page).toHaveURL(/\/verify-email$/)
})
