import type { Locator, Page } from '@playwright/test'

/** The browser's own dialogs that the page raises from now on, as `alert: words`; each is put away at once. */
export function alertsRaised(page: Page): string[] {
  const raised: string[] = []
  page.on('dialog', async (dialog) => {
    raised.push(`${dialog.type()}: ${dialog.message()}`)
    await dialog.accept()
  })
  return raised
}

/** What screen readers are told unasked. A status line is often there before it says anything. */
export const announced = (page: Page): Locator =>
  page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: /\S/ })
