import type { BrowserContext, Page } from '@playwright/test'

/** Delays calls until they are released, to examine the pending state. The replies remain the product's. */
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

/**
 * Reads the product's answers to GET calls at once, but delivers them only when they are released. By then
 * they are out of date. `read` resolves when the first has been read.
 */
export async function holdAnswer(
  page: Page,
  address: string,
): Promise<{ read: Promise<void>; release: () => void }> {
  const read = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    read.resolve()
    await released.promise
    return route.fulfill({ response })
  })
  return { read: read.promise, release: released.resolve }
}

/** Changes the JSON of the product's replies from now on. @param change takes a reply of the call's type. */
export const changeReplies = (
  page: Page,
  address: string | RegExp,
  change: (reply: never) => object,
  options: { times?: number } = {},
): Promise<unknown> =>
  page.route(
    address,
    async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: change((await response.json()) as never) })
    },
    options,
  )

/** Records the page's calls other than GET from now on, as `POST /api/v1/…`. */
export function recordCalls(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') calls.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  return calls
}

/**
 * Lets other sites open as an empty page, titled “Elsewhere”, from now on. Otherwise they cannot be reached
 * (`launchOptions`), which is enough for a test that only closes what it opened. A context with a route sends
 * every request through the test and has no HTTP cache: opening a page takes a fifth more processor time.
 */
export async function fakeOtherSites(context: BrowserContext, { url }: { url: string }): Promise<void> {
  await context.route(
    (address) => address.origin !== url,
    (route) => route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' }),
  )
}
