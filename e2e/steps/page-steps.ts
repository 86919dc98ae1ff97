import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'

/** Tells the page that its tab is visible again, upon which it loads anew what it shows. */
export const returnToTab = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

/** Makes the documents that the page opens from now on look prerendered until {@link showPrerendered}. */
export const fakePrerendering = (page: Page) =>
  page.addInitScript(() =>
    Object.defineProperty(document, 'prerendering', {
      get: () => !('isShown' in window),
      configurable: true,
    }),
  )

/** Shows a document that looks prerendered. */
export const showPrerendered = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.assign(window, { isShown: true })
    document.dispatchEvent(new Event('prerenderingchange'))
  })

/** Clicks the button and waits until the file that it downloads is complete. */
export async function download(page: Page, button: Locator): Promise<{ name: string; content: Buffer }> {
  const downloading = page.waitForEvent('download')
  await button.click()
  const file = await downloading
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}
