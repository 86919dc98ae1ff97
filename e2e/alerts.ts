import type { Page } from '@playwright/test'

/** The browser's own dialogs that the page raises from now on, as `alert: words`; each is put away at once. */
export function alertsRaised(page: Page): string[] {
  const raised: string[] = []
  page.on('dialog', async (dialog) => {
    raised.push(`${dialog.type()}: ${dialog.message()}`)
    await dialog.accept()
  })
  return raised
}
