import type { BrowserContext, Locator, Page } from '@playwright/test'

/** Records uncaught errors and Content-Security-Policy violations from now on. */
export function recordPageErrors(context: BrowserContext): string[] {
  const errors: string[] = []
  context.on('weberror', (error) => {
    errors.push(`uncaught on ${error.page()?.url()}: ${error.error().message}`)
  })
  context.on('console', (message) => {
    if (/content.security.policy/i.test(message.text())) errors.push(message.text())
  })
  return errors
}

/** Records logged errors, including those that the browser logs about refused calls. */
export function recordConsoleErrors(page: Page): string[] {
  const logged: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text())
  })
  return logged
}

/** Accepts the page's dialogs from now on, and records them as `alert: text`. */
export function recordDialogs(page: Page): string[] {
  const raised: string[] = []
  page.on('dialog', async (dialog) => {
    raised.push(`${dialog.type()}: ${dialog.message()}`)
    await dialog.accept()
  })
  return raised
}

/** The live regions with content. Status lines often exist before they have content. */
export const announced = (page: Page): Locator =>
  page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: /\S/ })
