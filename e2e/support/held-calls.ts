import type { Page } from '@playwright/test'

/**
 * Delays calls until they are released, so that a test can examine the pending state. The replies remain the
 * product's.
 */
export async function hold(
  page: Page,
  address: string | RegExp,
  method = 'GET',
): Promise<{ release: () => void }> {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    await released
    return route.fallback()
  })
  return { release: resolve }
}
