import type { Page } from '@playwright/test'

/** What was copied last. */
export const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** From the next page on the browser refuses to copy, as one does whose owner said no. */
export async function refuseToCopy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator.clipboard, 'writeText', {
      value: () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError')),
    })
  })
}

/** What the page writes to its console as errors, from now on. */
export function errorsLogged(page: Page): string[] {
  const logged: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text())
  })
  return logged
}
