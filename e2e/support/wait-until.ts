import { expect, type Page } from '@playwright/test'

/** Waits until a marketing page is hydrated. It then deletes `earlyClick`, the last click before that. */
export const waitUntilHydrated = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    while ('earlyClick' in window) await new Promise(requestAnimationFrame)
  })

/** Waits until a screen has rendered its data, or the API page its endpoints. */
export async function waitUntilRendered(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // `data-lasting` marks a status that stays.
  await expect(
    page.locator(
      'main [aria-busy="true"], main[aria-busy="true"], main [role="status"]:not(:empty, [data-lasting])',
    ),
  ).toHaveCount(0)
  await expect(page.locator('[data-api-reader]:not(:has(.opblock))')).toHaveCount(0)
}

/**
 * Waits for the third idle callback. By then, all work that was deferred to idle time has run. On a busy
 * machine, a page with animations may never be idle, so each callback runs after two seconds at most.
 */
export const waitUntilIdle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let callbacks = 0; callbacks < 3; callbacks += 1)
      await new Promise((done) => requestIdleCallback(done, { timeout: 2_000 }))
  })
