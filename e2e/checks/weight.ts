import path from 'node:path'
import type { Browser, Page, Request } from '@playwright/test'

/** A request with the size of its compressed body, without headers. */
type Weighed = { url: URL; kind: string; bytes: number; encoding: string | undefined }
export type Visit = {
  /** The requests while the browser never becomes idle. */
  beforeIdle: readonly Weighed[]
  /** All requests up to and including the event stream, which is last. */
  inAll: readonly Weighed[]
  /** The number of preloaded fonts. */
  preloads: number
}
export type Budget = { what: string; atMost: number; of: (visit: Visit) => number }

/** The budgets of a first visit, in bytes unless they say number. Screens load their scripts at once. */
export const BUDGETS: Record<'page' | 'screen', readonly Budget[]> = {
  page: [
    { what: 'JavaScript before idle', atMost: 3_000, of: ({ beforeIdle }) => bytesOf(beforeIdle, 'script') },
    { what: 'JavaScript', atMost: 75_000, of: ({ inAll }) => bytesOf(inAll, 'script') },
    { what: 'CSS', atMost: 14_000, of: ({ inAll }) => bytesOf(inAll, 'stylesheet') },
    { what: 'fonts', atMost: 70_000, of: ({ inAll }) => bytesOf(inAll, 'font') },
    { what: 'fonts preloaded, number', atMost: 2, of: ({ preloads }) => preloads },
    { what: 'all together', atMost: 190_000, of: ({ inAll }) => bytesOf(inAll) },
    { what: 'requests, number', atMost: 16, of: ({ inAll }) => inAll.length },
    {
      what: 'origins, number',
      atMost: 1,
      of: ({ inAll }) => new Set(inAll.map(({ url }) => url.origin)).size,
    },
  ],
  screen: [{ what: 'JavaScript', atMost: 95_000, of: ({ inAll }) => bytesOf(inAll, 'script') }],
}

/**
 * What a page requests before its first paint, and how large each may be: on a slow connection, as Lighthouse
 * models it, all of this arrives in 1,212 ms, and larger files a round trip of 150 ms later (docs/speed.md).
 * The response headers, 1.4 kB each, are allowed for.
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

/** The sizes of what a page requests before it is painted, by the names in `FIRST_PAINT`. */
export async function visitUntilPaint(browser: Browser, url: string): Promise<Map<string, number>> {
  const { requests } = await visit(browser, url, wantsIdle, NEVER_IDLE)
  return new Map(
    requests
      .filter(({ url: { pathname } }) => !AFTER_PAINT.test(pathname))
      .map((request) => [nameOf(request), request.bytes]),
  )
}

/** The chunk that `site.js` imports. */
const AFTER_PAINT = /\/assets\/start-/

/** The name of a file without its hash. */
const nameOf = ({ url, kind }: Weighed): string =>
  kind === 'document' ? kind : path.posix.basename(url.pathname).replace(/-[\w-]{8}(?=\.\w+$)/, '')

/** The total size of the requests of a kind, or of all. */
export function bytesOf(requests: readonly Weighed[], kind?: string): number {
  return requests
    .filter((request) => kind === undefined || request.kind === kind)
    .reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Visits a marketing page twice at once, each time with an empty cache: never idle, and in full. */
export async function visitPage(browser: Browser, url: string): Promise<Visit> {
  const [busy, whole] = await Promise.all([
    visit(browser, url, wantsIdle, NEVER_IDLE),
    visit(browser, url, (page) => page.waitForRequest(/\/events\?/)),
  ])
  return { beforeIdle: busy.requests, inAll: whole.requests, preloads: whole.preloads }
}

/** Visits a screen of the application with an empty cache until its heading is visible. */
export async function visitScreen(browser: Browser, url: string): Promise<Visit> {
  const { requests, preloads } = await visit(browser, url, (page) => page.getByRole('heading').waitFor())
  return { beforeIdle: requests, inAll: requests, preloads }
}

/** Never runs idle callbacks; marks the page once it requests one. */
const NEVER_IDLE = () => {
  window.requestIdleCallback = () => {
    document.documentElement.dataset['wantsIdle'] = ''
    return 0
  }
}
const wantsIdle = (page: Page) => page.locator('html[data-wants-idle]').waitFor()

async function visit(
  browser: Browser,
  url: string,
  untilItStands: (page: Page) => Promise<unknown>,
  before: () => void = () => {},
) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    reducedMotion: 'no-preference',
  })
  const page = await context.newPage()
  const sent: Request[] = []
  page.on('request', (request) => sent.push(request))
  await page.addInitScript(before)
  const stands = untilItStands(page)
  await page.goto(url)
  await stands
  const preloads = await page.locator('link[rel="preload"][as="font"]').count()
  const requests = await Promise.all(sent.map(weigh))
  await context.close()
  return { requests, preloads }
}

async function weigh(request: Request): Promise<Weighed> {
  const url = new URL(request.url())
  const kind = request.resourceType()
  const encoding = (await request.response())?.headers()['content-encoding']
  // An event stream never ends and has no size.
  const bytes = kind === 'eventsource' ? 0 : (await request.sizes()).responseBodySize
  return { url, kind, bytes, encoding }
}
