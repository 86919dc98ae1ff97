import type { BrowserContext } from '@playwright/test'

/**
 * Other sites open as an empty page from now on, titled “Elsewhere”. Without it they cannot be reached
 * (`launchOptions`), which is enough for a test that only closes what it opened. A context with a route sends every
 * request through the test and has no HTTP cache: opening a page takes a fifth more processor time.
 */
export async function fakeOtherSites(context: BrowserContext, { url }: { url: string }): Promise<void> {
  await context.route(
    (address) => address.origin !== url,
    (route) => route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' }),
  )
}
