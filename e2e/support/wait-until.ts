import { expect, type Locator, type Page } from '@playwright/test'

/** Waits until a page's islands are hydrated: it then stops recording early clicks. Screens record none. */
export const waitUntilHydrated = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    while ('earlyClick' in window) await new Promise(requestAnimationFrame)
  })

/** Opens a page until it shows the target: while the database is busy, it may show older values at first. */
export const openUntilVisible = (page: Page, path: string, target: Locator): Promise<void> =>
  expect(async () => {
    await page.goto(path)
    await expect(target).toBeVisible({ timeout: 2_000 })
  }).toPass()

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
 * animation takes up a busy machine is never idle: its callbacks run after two seconds each.
 */
export const waitUntilIdle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let callbacks = 0; callbacks < 3; callbacks += 1)
      await new Promise((done) => requestIdleCallback(done, { timeout: 2_000 }))
  })
