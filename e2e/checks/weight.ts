import path from 'node:path'
import type { Browser, Page, Request } from '@playwright/test'
import { waitUntilHydrated } from '../support/wait-until.ts'

/** `bytes`: the compressed body of the response, without headers. */
type Weighed = { url: URL; kind: string; bytes: number; encoding: string | undefined }
/** What a first visit to a page or screen requests. */
export type FirstVisit = {
  /** Of a marketing page: the requests before the browser becomes idle. Of a screen: the same as `all`. */
  beforeIdle: readonly Weighed[]
  /** Of a marketing page: until it opens its event stream. Of a screen: until it has a heading. */
  all: readonly Weighed[]
  preloadedFonts: number
}
export type Budget = { name: string; atMost: number; measure: (visit: FirstVisit) => number }

/** The budgets of a first visit, in bytes unless the name says number. */
export const BUDGETS: Record<'page' | 'screen', readonly Budget[]> = {
  page: [
    {
      name: 'JavaScript before idle',
      atMost: 3_000,
      measure: ({ beforeIdle }) => bytesOf(beforeIdle, 'script'),
    },
    { name: 'JavaScript', atMost: 75_000, measure: ({ all }) => bytesOf(all, 'script') },
    { name: 'CSS', atMost: 14_000, measure: ({ all }) => bytesOf(all, 'stylesheet') },
    { name: 'fonts', atMost: 70_000, measure: ({ all }) => bytesOf(all, 'font') },
    { name: 'fonts preloaded, number', atMost: 2, measure: ({ preloadedFonts }) => preloadedFonts },
    { name: 'all together', atMost: 190_000, measure: ({ all }) => bytesOf(all) },
    { name: 'requests, number', atMost: 16, measure: ({ all }) => all.length },
    {
      name: 'origins, number',
      atMost: 1,
      measure: ({ all }) => new Set(all.map(({ url }) => url.origin)).size,
    },
  ],
  screen: [{ name: 'JavaScript', atMost: 95_000, measure: ({ all }) => bytesOf(all, 'script') }],
}

/**
 * What a page requests before its first paint, and how many bytes each body may have. With 1.4 kB of headers
 * per response, all of this arrives in 1,212 ms on the slow connection that Lighthouse models. Larger files
 * would need another round trip of 150 ms (docs/speed.md).
 */
export const FIRST_PAINT: ReadonlyMap<string, number> = new Map([
  ['document', 13_000],
  ['speculation-rules.json', 5_800],
  ['head.js', 8_700],
  ['site.js', 8_700],
  ['site.css', 10_100],
  ['instrument-sans-latin-core.woff2', 16_000],
  ['bricolage-grotesque-latin-core.woff2', 16_000],
  ['jetbrains-mono-latin-core.woff2', 8_700],
])

/**
 * Opens a page of a phone's size without a cache, so that every visit is like the first. Visits control its
 * clock and idle callbacks. Use one page for all visits: a new page costs as much as three visits.
 */
export async function openVisitor(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    reducedMotion: 'no-preference',
  })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.clock.install()
  await page.addInitScript(holdIdle)
  return page
}

/** The sizes of what a page requests before its first paint, by the names in `FIRST_PAINT`. */
export async function visitUntilPaint(visitor: Page, url: string): Promise<Map<string, number>> {
  const { beforeIdle } = await visit(visitor, url, async (weighSoFar) => {
    await waitUntilIdleWanted(visitor)
    return { beforeIdle: await weighSoFar() }
  })
  return new Map(
    beforeIdle
      .filter(({ url: { pathname } }) => !AFTER_PAINT.test(pathname))
      .map((request) => [nameOf(request), request.bytes]),
  )
}

/** The chunk that `site.js` imports. It runs after the first paint. */
const AFTER_PAINT = /\/assets\/start-/

/** The name of a file without its hash. */
const nameOf = ({ url, kind }: Weighed): string =>
  kind === 'document' ? kind : path.posix.basename(url.pathname).replace(/-[\w-]{8}(?=\.\w+$)/, '')

export function bytesOf(requests: readonly Weighed[], kind?: string): number {
  return requests
    .filter((request) => kind === undefined || request.kind === kind)
    .reduce((sum, { bytes }) => sum + bytes, 0)
}

export const visitPage = (visitor: Page, url: string): Promise<FirstVisit> =>
  visit(visitor, url, async (weighSoFar) => {
    await waitUntilIdleWanted(visitor)
    const beforeIdle = await weighSoFar()
    const streaming = visitor.waitForRequest(/\/events\?/)
    await visitor.evaluate(() => (window as unknown as IdleSwitch).becomeIdle())
    await waitUntilHydrated(visitor)
    // The page opens the stream after three seconds.
    await visitor.clock.fastForward(3_000)
    await streaming
    return { beforeIdle, all: await weighSoFar(), preloadedFonts: await countPreloadedFonts(visitor) }
  })

export const visitScreen = (visitor: Page, url: string): Promise<FirstVisit> =>
  visit(visitor, url, async (weighSoFar) => {
    await visitor.getByRole('heading').waitFor()
    const requests = await weighSoFar()
    return { beforeIdle: requests, all: requests, preloadedFonts: await countPreloadedFonts(visitor) }
  })

const countPreloadedFonts = (page: Page) => page.locator('link[rel="preload"][as="font"]').count()

/** Holds idle callbacks until `becomeIdle` is called. Marks the page as soon as it requests one. */
function holdIdle(): void {
  const held: IdleRequestCallback[] = []
  window.requestIdleCallback = (callback) => {
    document.documentElement.dataset['wantsIdle'] = ''
    return held.push(callback)
  }
  const becomeIdle = () => {
    for (const callback of held.splice(0)) callback({ didTimeout: false, timeRemaining: () => 50 })
  }
  Object.assign(window, { becomeIdle })
}
type IdleSwitch = { becomeIdle: () => void }
const waitUntilIdleWanted = (page: Page) => page.locator('html[data-wants-idle]').waitFor()

/** Opens a URL. @param observe gets a function that weighs the requests so far. @returns its result. */
async function visit<T>(
  page: Page,
  url: string,
  observe: (weighSoFar: () => Promise<Weighed[]>) => Promise<T>,
): Promise<T> {
  const sent: Request[] = []
  const record = (request: Request) => void sent.push(request)
  page.on('request', record)
  await page.goto(url)
  const observed = await observe(() => Promise.all(sent.map(weigh)))
  page.off('request', record)
  return observed
}

async function weigh(request: Request): Promise<Weighed> {
  const url = new URL(request.url())
  const kind = request.resourceType()
  const encoding = (await request.response())?.headers()['content-encoding']
  // An event stream never ends and has no size.
  const bytes = kind === 'eventsource' ? 0 : (await request.sizes()).responseBodySize
  return { url, kind, bytes, encoding }
}
