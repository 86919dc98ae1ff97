import type { Page } from '@playwright/test'
import { LOCALE_KEY } from '#contract/locales.ts'
import type { Participant } from './people.ts'

/** Puts values into localStorage. A new page has no origin, and first opens a document without scripts. */
export async function store(page: Page, values: Record<string, string>): Promise<void> {
  if (page.url() === 'about:blank') await page.goto('/robots.txt')
  await page.evaluate(putIntoStorage, values)
}

/** Runs in a page. */
export function putIntoStorage(values: Record<string, string>): void {
  for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value)
}

/** The values that the login screen stores. */
export const sessionOf = ({ token, user }: Pick<Participant, 'token' | 'user'>) => ({
  token,
  user: JSON.stringify(user),
})

export const storedValue = (page: Page, key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(name), key)

export const storedValues = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => ({ ...localStorage }))

/** The session's binding cookie for a Cookie header; empty if there is none. */
export async function bindingCookie(page: Page): Promise<string> {
  const value = await cookieValue(page, 'binding')
  return value === undefined ? '' : `binding=${value}`
}

export const chosenLanguage = (page: Page): Promise<string | undefined> => cookieValue(page, LOCALE_KEY)

async function cookieValue(page: Page, wanted: string): Promise<string | undefined> {
  return (await page.context().cookies()).find(({ name }) => name === wanted)?.value
}
