import type { Page } from '@playwright/test'
import campaign from '#server/testing/campaign.ts'
import { descriptionOf } from '#web/content/site/page-descriptions.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { routeText } from '#web/routes.ts'
import { expectAccessibleEverywhere, expectAccessibleExceptColors } from './checks/axe.ts'
import { type Accounts, createAccounts, EVERY_ROUTE, open, type Visit } from './checks/every-route.ts'
import { expectFits } from './checks/fit.ts'
import { recordPageErrors } from './support/page-messages.ts'
import { newAddress } from './support/people.ts'
import { expect, test } from './support/product.ts'
import { waitUntilIdle } from './support/wait-until.ts'

// Motion is on, because animations have to obey the Content-Security-Policy, too.
test.use({ hasTouch: true, contextOptions: { reducedMotion: 'no-preference' } })

/**
 * All routes open in one page. A new page for each would take three times as much processor time, because its
 * process would have to compile the product's scripts and axe.
 */
let page: Page
let accounts: Accounts
let pageErrors: string[]
const requestsElsewhere: string[] = []
/** The console's errors and warnings on the current route. */
let logged: string[] = []

test.beforeAll(async ({ browser, product }) => {
  accounts = await createAccounts(product)
  const context = await browser.newContext({ baseURL: product.url })
  pageErrors = recordPageErrors(context)
  page = await context.newPage()
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== product.url && protocol !== 'data:') requestsElsewhere.push(request.url())
  })
  page.on('console', (message) => {
    // On a busy machine, Chromium warns of preloaded fonts, because the first text takes seconds.
    const isLate = message.text().includes('was preloaded using link preload but not used')
    if (['error', 'warning'].includes(message.type()) && !isLate) logged.push(message.text())
  })
})

test.beforeEach(async () => {
  logged = []
  // For a new IP address, no rate limit is used up.
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': newAddress() })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
})

test.afterAll(() => page.context().close())

test('these tests visit every page of the site map, and each page has a different title', () => {
  // The documentation is not in the site map.
  const visited = EVERY_ROUTE.map(({ path }) => path).filter((path) => !path.startsWith('/docs'))
  expect(visited.toSorted()).toEqual(SITE_MAP.map(({ path }) => path).toSorted())
  const titles = SITE_MAP.map(({ title }) => routeText(title, campaign.token))
  expect(new Set(titles).size).toBe(titles.length)
})

for (const visit of EVERY_ROUTE)
  test(`${visit.path} has its own head, obeys its Content-Security-Policy, clips nothing and is accessible`, async ({
    product,
  }) => {
    await open(page, product, visit, accounts)
    await waitUntilIdle(page)
    await expectOwnHead(visit, product.url)
    await expectFrame(visit)
    await expectPolicy(visit)
    expect(logged).toEqual([])
    await reduceMotion()
    await expectFits(page, visit.path)
    if (visit.shorten) {
      await expectAccessibleExceptColors(page, `${visit.path}, in full`)
      await visit.shorten(page)
    }
    await expectAccessibleEverywhere(page, visit.path)
    expect(pageErrors, 'uncaught errors and violations of the Content-Security-Policy').toEqual([])
    expect(requestsElsewhere).toEqual([])
    // The privacy page promises that there are none.
    expect(await page.context().cookies()).toEqual([])
  })

/**
 * Reduces motion without a reload, because styles obey at once, and scripts before their next animation.
 * Waits for running animations. An animation that never ends fails the test.
 */
async function reduceMotion(): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
}

async function expectOwnHead({ path }: Visit, origin: string): Promise<void> {
  const route = SITE_MAP.find((entry) => entry.path === path)
  if (!route) return
  await expect(page).toHaveTitle(routeText(route.title, campaign.token))
  const head = page.locator('head')
  await expect(head.locator('title')).toHaveCount(1)
  await expect(head.locator('meta[name="description"]')).toHaveAttribute(
    'content',
    routeText(descriptionOf(route), campaign.token),
  )
  await expect(head.locator('link[rel="canonical"]')).toHaveAttribute('href', origin + path)
  await expect(head.locator('meta[name="robots"][content="noindex"]')).toHaveCount(route.isIndexed ? 0 : 1)
}

/** One h1; header and footer unless standalone. Links to other sites open in new tabs. */
async function expectFrame({ isStandalone }: Visit): Promise<void> {
  await expect(page.locator('h1')).toHaveCount(1)
  await expect(page.locator('header.site-header')).toHaveCount(isStandalone ? 0 : 1)
  await expect(page.locator('footer')).toHaveCount(isStandalone ? 0 : 1)
  await expect(page.locator('a[target="_blank"]:not([rel~="noopener"])')).toHaveCount(0)
  await expect(page.locator('a[href^="http"]:not([target="_blank"])')).toHaveCount(0)
}

async function expectPolicy({ path }: Visit): Promise<void> {
  const headers = (await page.request.get(path)).headers()
  expect(headers['x-frame-options']).toBe('DENY')
  // Only /check is a sandbox. The other pages must not be framed.
  expect(headers['content-security-policy']).toMatch(/^sandbox |frame-ancestors 'none'/)
  expect(headers['content-security-policy']).toContain("script-src 'self'; style-src 'self'")
  // Scripts may set inline styles, but do so only within main.
  expect(await page.locator('[style]:not(main *), script:not([src]):not([type$="json"])').count()).toBe(0)
}
