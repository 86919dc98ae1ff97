import type { Locator, Page } from '@playwright/test'
import type { Person } from '../support/people.ts'
import { expect } from '../support/product.ts'

export async function fillRegister(page: Page, person: Person, referralCode?: string): Promise<void> {
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  if (referralCode !== undefined) await page.getByLabel('Referral Code (optional)').fill(referralCode)
}

type Credentials = Pick<Person, 'email' | 'password'>

/** Opens the login screen and logs in. Toasts stay. */
export async function logIn(page: Page, credentials: Credentials): Promise<void> {
  await page.goto('/login')
  await keepToasts(page)
  await submitLogin(page, credentials)
}

export async function submitLogin(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

export async function requestReset(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send Reset Code' }).click()
}

export async function submitNewPassword(
  page: Page,
  password: string,
  confirmation = password,
): Promise<void> {
  await page.getByLabel('New Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password', { exact: true }).fill(confirmation)
  await page.getByRole('button', { name: 'Reset Password' }).click()
}

export const toast = (page: Page, words: string): Locator =>
  page.getByRole('region', { name: 'Notices' }).getByText(words, { exact: true })

/** Keeps toasts until the next document, like a pointer over them. A slow test could otherwise miss them. */
export const keepToasts = (page: Page): Promise<void> => page.getByLabel('Notices').dispatchEvent('mouseover')

/** The six boxes of a code screen, in order. */
export const boxes = (page: Page): Locator => page.getByRole('textbox', { name: /^Digit \d$/ })

/** @param values six characters; `_` is an empty box */
export async function expectBoxes(page: Page, values: string): Promise<void> {
  await expect(boxes(page)).toHaveCount(6)
  for (const [box, value] of [...values].entries())
    await expect(boxes(page).nth(box)).toHaveValue(value === '_' ? '' : value)
}

export async function typeCode(page: Page, code: string): Promise<void> {
  await boxes(page).first().click()
  await page.keyboard.type(code)
  await expectBoxes(page, code)
}

export const differentCode = (code: string): string =>
  String((Number(code) + 1) % 1_000_000).padStart(code.length, '0')

/**
 * Pauses the page's clock, which must be installed. It cannot be paused in the past, so it is paused half a
 * minute ahead. `advanceUntil` and `page.clock.runFor` advance it.
 */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 30_000)
}

/** Advances the paused clock in steps of 2 ms until the target is visible. */
export async function advanceUntil(page: Page, target: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(2)
    await expect(target).toBeVisible({ timeout: 100 })
  }).toPass({ timeout: 90_000, intervals: [50] })
}
