import type { Locator, Page } from '@playwright/test'
import type { Person } from '../support/people.ts'

/** Fills in the register screen without submitting it. */
export async function fillRegister(page: Page, person: Person, referralCode?: string): Promise<void> {
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  if (referralCode !== undefined) await page.getByLabel('Referral Code (optional)').fill(referralCode)
}

type Credentials = Pick<Person, 'email' | 'password'>

/** Opens the login screen and logs in; its toasts stay. */
export async function logIn(page: Page, credentials: Credentials): Promise<void> {
  await page.goto('/login')
  await keepToasts(page)
  await submitLogin(page, credentials)
}

/** On the login screen, fills in the form and submits it. */
export async function submitLogin(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** On the screen for forgotten passwords, requests a reset code. */
export async function requestReset(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send Reset Code' }).click()
}

/** Submits a new password on the reset screen. */
export async function submitNewPassword(
  page: Page,
  password: string,
  confirmation = password,
): Promise<void> {
  await page.getByLabel('New Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password', { exact: true }).fill(confirmation)
  await page.getByRole('button', { name: 'Reset Password' }).click()
}

/** A toast with exactly this text. */
export const toast = (page: Page, words: string): Locator =>
  page.getByRole('region', { name: 'Notices' }).getByText(words, { exact: true })

/** Keeps toasts until the next document, as a pointer over them would: a slow test may look too late. */
export const keepToasts = (page: Page): Promise<void> => page.getByLabel('Notices').dispatchEvent('mouseover')
