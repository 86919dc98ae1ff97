import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { DEFAULT_LOCALE, type Locale, LOCALES } from '#contract/locales.ts'
import { type Browser, chromium, type Page, type Request } from '@playwright/test'
import { reachProof, startClaim } from '../e2e/steps/airdrop-steps.ts'
import { launchOptions } from '../e2e/support/chromium.ts'
import { type Accounts, createAccounts, EVERY_ROUTE, open, type Visit } from '../e2e/checks/every-route.ts'
import { prepareProduct, type ProductProcess } from '../e2e/support/product-process.ts'
import { startFakeServices } from '../e2e/support/fake-services.ts'
import { expect, type Product, productOf } from '../e2e/support/product.ts'
import { waitUntilIdle, waitUntilRendered } from '../e2e/support/wait-until.ts'
import { findBrowser } from './testing/browser.ts'

/**
 * `npm run screenshots -- [--locale ar] [part of a name]…`: screenshots of every route and of some states
 * behind a click, at each width and in both themes, in `screenshots/`. The clicks look for English names, so
 * states behind a click are skipped in other languages. Starts its own product, filled by `npm run seed`.
 */

const ROOT = path.resolve(import.meta.dirname, '..')
const FOLDER = path.join(ROOT, 'screenshots')
const WIDTHS = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]
const THEMES = ['light', 'dark'] as const

type Shot = {
  name: string
  visit: Visit
  /** Replaces the participant by one without a claim. */
  asNewcomer?: true
  act?: (page: Page) => Promise<unknown>
}

const AIRDROP: Visit = { path: '/airdrop', who: 'participant' }
const PEOPLE: Visit = { path: '/dashboard/people?filter=claimed', who: 'administrator' }

const STATES: readonly Shot[] = [
  { name: 'airdrop-claimed', visit: AIRDROP },
  { name: 'airdrop-tasks', visit: AIRDROP, asNewcomer: true, act: startClaim },
  { name: 'airdrop-proof', visit: AIRDROP, asNewcomer: true, act: reachProof },
  { name: 'profile-new', visit: { path: '/profile', who: 'participant' }, asNewcomer: true },
  {
    name: 'menu',
    visit: { path: '/about' },
    act: async (page) => {
      const button = page.getByRole('button', { name: 'Open menu' })
      // Only narrow screens have the menu.
      if (await button.isVisible()) await button.click()
    },
  },
  { name: 'person', visit: PEOPLE, act: openFirstPerson },
  {
    name: 'person-ban',
    visit: PEOPLE,
    act: async (page) => {
      await openFirstPerson(page)
      await page.getByRole('button', { name: 'Ban', exact: true }).click()
    },
  },
  { name: 'not-found', visit: { path: '/presale' } },
]
const SHOTS: readonly Shot[] = [
  ...EVERY_ROUTE.map((visit) => ({ name: visit.path.slice(1) || 'home', visit })),
  ...STATES,
]

const USAGE = `Usage: npm run screenshots -- [--locale ${LOCALES.join(' | ')}] [PART OF A NAME]…`
const { locale, filters } = readArguments()
const wanted = SHOTS.filter(
  ({ name, act }) =>
    (filters.length === 0 || filters.some((part) => name.includes(part))) &&
    (locale === DEFAULT_LOCALE || !act),
)
if (wanted.length === 0) fail(`No screenshot has ${filters.join(' or ')} in its name.`)

const services = await startFakeServices()
const server = await prepareProduct('screenshots', {
  env: {
    TRUST_PROXY: 'loopback',
    ...services.env,
    CAMPAIGN_CONFIG: process.env['CAMPAIGN_CONFIG'] ?? path.join(ROOT, 'campaign.config.ts'),
  },
})
try {
  if (filters.length === 0) await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER, { recursive: true })
  await seed(server)
  await server.start()
  const browser = await chromium.launch(launchOptions(await findBrowser(process.env)))
  const product = productOf(server, services)
  await photograph(browser, product, await createAccounts(product), locale).finally(() => browser.close())
} finally {
  await server.remove()
  await services.close()
}

function readArguments(): { locale: Locale; filters: string[] } {
  try {
    const options = { locale: { type: 'string', default: DEFAULT_LOCALE } } as const
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    const known = LOCALES.find((each) => each === values.locale)
    return known ? { locale: known, filters: positionals } : fail(USAGE)
  } catch {
    return fail(USAGE)
  }
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

async function openFirstPerson(page: Page): Promise<void> {
  await page.getByRole('table').getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'Claims' })).toBeVisible()
}

/** Must run first: seeding refuses a database with real accounts. */
async function seed({ env }: ProductProcess): Promise<void> {
  const bootstrap = path.join(ROOT, 'tools/bootstrap.mjs')
  const args = [bootstrap, 'seed', '--users', '73']
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env })
}

async function photograph(
  browser: Browser,
  product: Product,
  accounts: Accounts,
  pageLocale: Locale,
): Promise<void> {
  const newcomers = { ...accounts, participant: await product.newParticipant() }
  for (const viewport of WIDTHS)
    for (const colorScheme of THEMES) {
      const context = await browser.newContext({
        viewport,
        colorScheme,
        reducedMotion: 'reduce',
        locale: pageLocale,
        baseURL: product.url,
      })
      const page = await context.newPage()
      const pending = trackPending(page)
      for (const { name, visit, asNewcomer, act } of wanted) {
        await open(page, product, visit, asNewcomer ? newcomers : accounts, pageLocale)
        await act?.(page)
        await waitUntilStable(page, pending)
        const suffix = pageLocale === DEFAULT_LOCALE ? '' : `-${pageLocale}`
        const file = `${name}${suffix}-${viewport.width}-${colorScheme}.png`
        await page.screenshot({ path: path.join(FOLDER, file), fullPage: true })
        console.log(file)
      }
      await context.close()
    }
}

/** The page's unanswered requests. The event stream never ends, so it is left out. */
function trackPending(page: Page): ReadonlySet<Request> {
  const pending = new Set<Request>()
  page.on('request', (request) => {
    if (!/\/events(\?|$)/.test(request.url())) pending.add(request)
  })
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  return pending
}

/** Waits for calls, lazily loaded code and all pictures, including those off screen. */
async function waitUntilStable(page: Page, pending: ReadonlySet<Request>): Promise<void> {
  await page.evaluate(() => {
    for (const picture of document.images) picture.loading = 'eager'
  })
  do {
    await waitUntilRendered(page)
    await expect(page.getByText('Loading...', { exact: true })).toHaveCount(0)
    await expect.poll(() => pending.size).toBe(0)
    await page.waitForFunction(() => [...document.images].every((picture) => picture.complete))
    await waitUntilIdle(page)
  } while (pending.size > 0)
}
