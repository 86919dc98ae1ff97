import type { Locator, Page } from '@playwright/test'

/** Records and accepts the browser dialogs that the page raises from now on, as `alert: text`. */
export function recordDialogs(page: Page): string[] {
  const raised: string[] = []
  page.on('dialog', async (dialog) => {
    raised.push(`${dialog.type()}: ${dialog.message()}`)
    await dialog.accept()
  })
  return raised
}

/** The live regions with content; status lines often exist before they have any. */
export const announced = (page: Page): Locator =>
  page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: /\S/ })
