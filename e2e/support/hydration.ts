import type { Page } from '@playwright/test'

/**
 * Waits until all islands of a page are hydrated: from then on it no longer records early clicks, which screens never
 * do.
 */
export const waitUntilHydrated = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    while ('earlyClick' in window) await new Promise(requestAnimationFrame)
  })
