import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { reachProof, startClaim } from '../e2e/steps/airdrop-steps.ts'
import { launchOptions } from '../e2e/support/chromium.ts'
import { type Cast, createCast, EVERY_ROUTE, open, type Stop } from '../e2e/checks/every-route.ts'
import { operate, type Operated } from '../e2e/support/operator.ts'
import { startOutside } from '../e2e/support/outside.ts'
import { expect, type Product, productOf } from '../e2e/support/product.ts'
import { findBrowser } from './testing/browser.ts'

/**
 * `npm run screenshots -- [part of a name]…`: screenshots of every route and of some states behind a click, at each
 * width and in both themes, in `screenshots/`. Starts a product of its own, filled by `npm run seed`.
 */
const ROOT = path.resolve(import.meta.dirname, '..')
const FOLDER = path.join(ROOT, 'screenshots')
const WIDTHS = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]
const THEMES = ['light', 'dark'] as const

/** A screenshot: where to go, as whom, and what to do there. */
type Shot = {
  name: string
  stop: Stop
  /** Uses a participant without a claim. */
  asNewcomer?: true
  act?: (page: Page) => Promise<unknown>
}

const STATES: readonly Shot[] = [
  {
    name: 'airdrop-claimed',
    stop: { path: '/airdrop', who: 'participant' },
  },
  {
    name: 'airdrop-tasks',
    stop: { path: '/airdrop', who: 'participant' },
    asNewcomer: true,
    act: startClaim,
  },
  {
    name: 'airdrop-proof',
    stop: { path: '/airdrop', who: 'participant' },
    asNewcomer: true,
    act: reachProof,
  },
  { name: 'profile-new', stop: { path: '/profile', who: 'participant' }, asNewcomer: true },
  {
    name: 'menu',
    stop: { path: '/about' },
    act: async (page) => {
      const button = page.getByRole('button', { name: 'Open menu' })
      // Only narrow screens have the menu.
      if (await button.isVisible()) await button.click()
    },
  },
  { name: 'not-found', stop: { path: '/presale' } },
]
const SHOTS: readonly Shot[] = [
  ...EVERY_ROUTE.map((stop) => ({ name: stop.path.slice(1) || 'home', stop })),
  ...STATES,
]

const filters = process.argv.slice(2)
const wanted = SHOTS.filter(({ name }) => filters.length === 0 || filters.some((part) => name.includes(part)))

const outside = await startOutside()
const operator = await operate('screenshots', {
  CAMPAIGN_CONFIG: process.env['CAMPAIGN_CONFIG'] ?? path.join(ROOT, 'campaign.config.ts'),
  TRUST_PROXY: 'loopback',
  PRICE_API_URL: `${outside.url}/price`,
  CHAIN_RPC_URL: `${outside.url}/rpc`,
  OEMBED_URL: `${outside.url}/oembed`,
  TELEGRAM_API_URL: `${outside.url}/telegram`,
})
try {
  if (filters.length === 0) await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER, { recursive: true })
  await seed(operator)
  await operator.start()
  const browser = await chromium.launch(launchOptions(await findBrowser(process.env)))
  const product = productOf(operator, outside)
  await photograph(browser, product, await createCast(product)).finally(() => browser.close())
} finally {
  await operator.remove()
  await outside.close()
}

/** Must run first: seeding refuses a database with real accounts. */
async function seed({ settings }: Operated): Promise<void> {
  const bootstrap = path.join(ROOT, 'tools/bootstrap.mjs')
  const args = [bootstrap, 'seed', '--users', '73']
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env: settings })
}

async function photograph(browser: Browser, product: Product, cast: Cast): Promise<void> {
  const newcomers = { ...cast, participant: await product.newParticipant() }
  for (const viewport of WIDTHS)
    for (const colorScheme of THEMES) {
      const context = await browser.newContext({
        viewport,
        colorScheme,
        reducedMotion: 'reduce',
        baseURL: product.url,
      })
      const page = await context.newPage()
      for (const { name, stop, asNewcomer, act } of wanted) {
        await open(page, product, stop, asNewcomer ? newcomers : cast)
        await expect(page.getByText('Loading...', { exact: true })).toHaveCount(0)
        await act?.(page)
        const file = `${name}-${viewport.width}-${colorScheme}.png`
        await page.screenshot({ path: path.join(FOLDER, file), fullPage: true })
        console.log(file)
      }
      await context.close()
    }
}
