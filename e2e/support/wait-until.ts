import { expect, type Page } from '@playwright/test'

/** Waits until all islands are hydrated: then a page stops recording early clicks. Screens record none. */
export const waitUntilHydrated = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    while ('earlyClick' in window) await new Promise(requestAnimationFrame)
  })

/** Waits until a screen has rendered its data, and the API page its reader. */
export async function waitUntilRendered(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(
    page.locator(
      'main [aria-busy="true"], main[aria-busy="true"], main [role="status"]:not(:empty, [data-lasting])',
    ),
  ).toHaveCount(0)
  await expect(page.locator('[data-api-reader]:not(:has(.opblock))')).toHaveCount(0)
}

/**
 * Waits for the third idle callback: by then, all work that was deferred to idle time has run. A page whose
 * animation takes all of a busy machine is never idle: its callbacks run after two seconds.
 */
export const waitUntilIdle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let rests = 0; rests < 3; rests += 1)
      await new Promise((done) => requestIdleCallback(done, { timeout: 2_000 }))
  })
