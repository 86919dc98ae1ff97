import { expect, type Locator, type Page } from '@playwright/test'

/** The text in the clipboard. */
export const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/**
 * Clicks the button on a paused clock, and expects that the value is copied, and that this button alone says
 * so for a while.
 * @param confirmedMs how long the button's text is “Copied!”.
 */
export async function expectCopies(page: Page, button: Locator, value: string, confirmedMs: number) {
  const text = (await button.textContent()) ?? ''
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
