import type { Page } from '@playwright/test'

/**
 * Holds calls to an address of the product back until they are released, so that what a screen shows
 * meanwhile can be looked at. The answers stay the product's own.
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
