import type { Browser, Page, Request } from '@playwright/test'

/** What crossed the wire for a page, in bytes as they were sent: bodies compressed, headers apart. */
type Weighed = { url: URL; kind: string; bytes: number; encoding: string | undefined }
export type Visit = {
  /** All that is asked for while the browser never says that it is idle. */
  beforeIdle: readonly Weighed[]
  /** All that is asked for, the stream of the heartbeat included, which comes last. */
  inAll: readonly Weighed[]
  /** Faces that the page names ahead. */
  preloads: number
}
export type Budget = { what: string; atMost: number; of: (visit: Visit) => number }

/** What a first visit may cost: bytes, or a number where it says so. A screen of the application has its script at once. */
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

/** The bytes of a kind of resource, or of all. */
export function bytesOf(requests: readonly Weighed[], kind?: string): number {
  return requests
    .filter((request) => kind === undefined || request.kind === kind)
    .reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Opens a marketing page twice as somebody who never was here. */
export async function visitPage(browser: Browser, url: string): Promise<Visit> {
  const { requests: beforeIdle } = await visit(browser, url, wantsIdle, NEVER_IDLE)
  const whole = await visit(browser, url, (page) => page.waitForRequest(/\/events\?/))
  return { beforeIdle, inAll: whole.requests, preloads: whole.preloads }
}

/** Opens a screen of the application as somebody who never was here; it stands when it has a heading. */
export async function visitScreen(browser: Browser, url: string): Promise<Visit> {
  const { requests, preloads } = await visit(browser, url, (page) => page.getByRole('heading').waitFor())
  return { beforeIdle: requests, inAll: requests, preloads }
}

/** The page never gets the idle moment that it asks for. */
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
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const asked: Request[] = []
  page.on('request', (request) => asked.push(request))
  await page.addInitScript(before)
  const stands = untilItStands(page)
  await page.goto(url)
  await stands
  const preloads = await page.locator('link[rel="preload"][as="font"]').count()
  const requests = await Promise.all(asked.map(weigh))
  await context.close()
  return { requests, preloads }
}

async function weigh(request: Request): Promise<Weighed> {
  const url = new URL(request.url())
  const kind = request.resourceType()
  const encoding = (await request.response())?.headers()['content-encoding']
  // A stream never ends, so it has no size.
  const bytes = kind === 'eventsource' ? 0 : (await request.sizes()).responseBodySize
  return { url, kind, bytes, encoding }
}
