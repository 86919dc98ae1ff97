import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { pauseClock } from './account-steps.ts'

/** Tells the page that its tab is visible again. The page then reloads its data. */
export const returnToTab = (page: Page): Promise<unknown> =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

/** Makes documents that the page opens from now on look prerendered, until {@link showPrerendered}. */
export const fakePrerendering = (page: Page) =>
  page.addInitScript(() =>
    Object.defineProperty(document, 'prerendering', {
      get: () => !('isShown' in window),
      configurable: true,
    }),
  )

export const showPrerendered = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.assign(window, { isShown: true })
    document.dispatchEvent(new Event('prerenderingchange'))
  })

export async function download(page: Page, button: Locator): Promise<{ name: string; content: Buffer }> {
  const downloading = page.waitForEvent('download')
  await button.click()
  const file = await downloading
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}

/** Pastes text into an empty field. */
export async function paste(field: Locator, text: string): Promise<void> {
  await field.evaluate((_, copy) => navigator.clipboard.writeText(copy), text)
  await field.focus()
  await field.press('ControlOrMeta+v')
}

export const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/**
 * Expects that a click on the button copies the value, and that only this button then shows “Copied!” for a
 * while. Pauses the page's clock, which must be installed.
 * @param confirmedMs how long the button shows “Copied!”
 */
export async function expectCopies(page: Page, button: Locator, value: string, confirmedMs: number) {
  const text = (await button.textContent()) ?? ''
  await pauseClock(page)
  await button.click()
  await expect(button).toHaveText('Copied!')
  await expect(page.getByRole('button', { name: 'Copied!', exact: true })).toHaveCount(1)
  expect(await copied(page)).toBe(value)
  await page.clock.runFor(confirmedMs - 100)
  await expect(button).toHaveText('Copied!')
  await page.clock.runFor(200)
  await expect(button).toHaveText(text)
}

/** Denies clipboard access from the next page on. */
export async function denyClipboard(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator.clipboard, 'writeText', {
      value: () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError')),
    })
  })
}
