import type { BrowserContext, Locator, Page } from '@playwright/test'

/** From now on, records uncaught errors and violations of the Content-Security-Policy, not refused calls. */
export function recordPageErrors(context: BrowserContext): string[] {
  const complaints: string[] = []
  context.on('weberror', (error) => {
    complaints.push(`uncaught on ${error.page()?.url()}: ${error.error().message}`)
  })
  context.on('console', (message) => {
    if (/content.security.policy/i.test(message.text())) complaints.push(message.text())
  })
  return complaints
}

/** Records the page's console errors from now on. */
export function recordConsoleErrors(page: Page): string[] {
  const logged: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text())
  })
  return logged
}

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
