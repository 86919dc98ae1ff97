import type { Page } from '@playwright/test'

/** Puts into the browser's storage what an earlier screen would have left there. */
export async function keep(page: Page, values: Record<string, string>): Promise<void> {
  await page.goto('/robots.txt')
  await page.evaluate((given) => {
    for (const [key, value] of Object.entries(given)) localStorage.setItem(key, value)
  }, values)
}

/** What the browser keeps under a key, or null. */
export const kept = (page: Page, key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(name), key)

/** The cookie that the browser's session counts together with, as it is sent; empty when there is none. */
export async function bindingOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies()
  const binding = cookies.find(({ name }) => name === 'binding')
  return binding ? `binding=${binding.value}` : ''
}

/** Everything that the browser keeps for the site. */
export const allKept = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => ({ ...localStorage }))
