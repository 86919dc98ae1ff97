import type { BrowserContext, Page } from '@playwright/test'

/** Holds calls back until they are released, to examine the pending state. The product then answers them. */
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
 * Requests answers to GET calls at once, but delivers them only when they are released, so that they can be
 * out of date. `read` resolves when the first answer is here.
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

/** Changes the JSON of the product's replies from now on. @param change gets a reply of the call's type */
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

/** Lets the product carry out the next call, and loses its answer. */
export const loseAnswer = (page: Page, address: string): Promise<unknown> =>
  page.route(
    address,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
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
 * Makes other sites open as an empty page, titled “Elsewhere”, from now on. Without this, they cannot be
 * reached (`launchOptions`). Use it only if the test reads the other page: a context with a route sends every
 * request through the test and has no HTTP cache, so opening a page takes a fifth more processor time.
 */
export async function fakeOtherSites(context: BrowserContext, { url }: { url: string }): Promise<void> {
  await context.route(
    (address) => address.origin !== url,
    (route) => route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' }),
  )
}
