import type { Locator, Page } from '@playwright/test'
import type { Person } from './people.ts'

/** Fills in the register screen, without sending it. */
export async function fillRegister(page: Page, person: Person, referralCode?: string): Promise<void> {
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  if (referralCode !== undefined) await page.getByLabel('Referral Code (optional)').fill(referralCode)
}

/** Logs in through the screen. */
export async function logIn(
  page: Page,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** Asks for a reset code through the screen. */
export async function askForReset(page: Page, email: string): Promise<void> {
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send Reset Code' }).click()
}

/** Chooses a new password on the reset screen. */
export async function chooseNew(page: Page, password: string, again = password): Promise<void> {
  await page.getByLabel('New Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password', { exact: true }).fill(again)
  await page.getByRole('button', { name: 'Reset Password' }).click()
}

/** A toast with exactly these words. */
export const toast = (page: Page, words: string): Locator =>
  page.getByRole('region', { name: 'Notices' }).getByText(words, { exact: true })

/** Answers the calls to an address without words, as a broken proxy does: the screen must find its own. */
export async function answerWithoutWords(page: Page, address: string | RegExp, status = 500): Promise<void> {
  await page.route(address, (route) => route.fulfill({ status, contentType: 'text/html', body: '' }))
}
