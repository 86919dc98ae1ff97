import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'

/** Tells the page that its tab is visible again, upon which it loads anew what it shows. */
export const returnToTab = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

/** Clicks the button and waits until the file that it downloads is complete. */
export async function download(page: Page, button: Locator): Promise<{ name: string; content: Buffer }> {
  const downloading = page.waitForEvent('download')
  await button.click()
  const file = await downloading
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}
