import type { Page } from '@playwright/test'
import campaign from '#server/testing/campaign.ts'
import { descriptionOf } from '#web/content/site/page-descriptions.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { routeText } from '#web/routes.ts'
import { expectAccessibleEverywhere } from './checks/axe.ts'
import { type Accounts, createAccounts, EVERY_ROUTE, open, type Visit } from './checks/every-route.ts'
import { expectFits } from './checks/fit.ts'
import { recordPageErrors } from './support/page-messages.ts'
import { newAddress } from './support/people.ts'
import { expect, test } from './support/product.ts'
import { waitUntilIdle } from './support/wait-until.ts'

// Animations have to keep to the Content-Security-Policy, too.
test.use({ hasTouch: true, contextOptions: { reducedMotion: 'no-preference' } })

/**
 * All routes are opened in one page: opening one takes about a third of the processor time of a new page,
 * whose process has compiled nothing yet, neither the product's scripts nor axe.
 */
let page: Page
let accounts: Accounts
let complaints: string[]
/** Requests to other origins. */
const elsewhere: string[] = []
/** The console's errors and warnings about the current route. */
let logged: string[] = []

test.beforeAll(async ({ browser, product }) => {
  accounts = await createAccounts(product)
  const context = await browser.newContext({ baseURL: product.url })
  complaints = recordPageErrors(context)
  page = await context.newPage()
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== product.url && protocol !== 'data:') elsewhere.push(request.url())
  })
  page.on('console', (message) => {
    // Chromium warns of a preloaded font when a busy machine takes seconds to draw the first text.
    const isLate = message.text().includes('was preloaded using link preload but not used')
    if (['error', 'warning'].includes(message.type()) && !isLate) logged.push(message.text())
  })
})

test.beforeEach(async () => {
  logged = []
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': newAddress() })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
})

test.afterAll(() => page.context().close())

test('every page of the site map is visited, and no two have the same title', () => {
  // The documentation is not in the site map.
  const visited = EVERY_ROUTE.map(({ path }) => path).filter((path) => !path.startsWith('/docs'))
  expect(visited.toSorted()).toEqual(SITE_MAP.map(({ path }) => path).toSorted())
  const titles = SITE_MAP.map(({ title }) => routeText(title, campaign.token))
  expect(new Set(titles).size).toBe(titles.length)
})

for (const visit of EVERY_ROUTE)
  test(`${visit.path} has a head of its own, keeps to its policy, clips nothing and is accessible`, async ({
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
    await expectAccessibleEverywhere(page, visit.path)
    expect(complaints, 'uncaught errors and violations of the Content-Security-Policy').toEqual([])
    expect(elsewhere).toEqual([])
    // As the privacy page states.
    expect(await page.context().cookies()).toEqual([])
  })

/**
 * Reduces motion on the same visit: style sheets follow the preference at once, and scripts read it before
 * each animation. Waits for the animations that run now; one that never ends fails the test.
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

/** One h1; content pages share header and footer; tabs that open have no opener. */
async function expectFrame({ isStandalone, who }: Visit): Promise<void> {
  await expect(page.locator('h1')).toHaveCount(1)
  await expect(page.locator('header.site-header')).toHaveCount(isStandalone ? 0 : 1)
  await expect(page.locator('footer')).toHaveCount(isStandalone ? 0 : 1)
  if (isStandalone || who) return
  await expect(page.locator('a[target="_blank"]:not([rel~="noopener"])')).toHaveCount(0)
  await expect(page.locator('a[href^="http"]:not([target="_blank"])')).toHaveCount(0)
}

async function expectPolicy({ path }: Visit): Promise<void> {
  const headers = (await page.request.get(path)).headers()
  expect(headers['x-frame-options']).toBe('DENY')
  expect(headers['content-security-policy']).toMatch(/^sandbox |frame-ancestors 'none'/)
  expect(headers['content-security-policy']).toContain("script-src 'self'; style-src 'self'")
  // The policy lets scripts style elements, which they do only within main.
  expect(await page.locator('[style]:not(main *), script:not([src]):not([type$="json"])').count()).toBe(0)
}
