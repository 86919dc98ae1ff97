import { isDeepStrictEqual } from 'node:util'
import type { Page } from '@playwright/test'
import { DEFAULT_LOCALE, type Locale, localizedPath } from '#contract/locales.ts'
import type { Participant } from '../support/people.ts'
import { expect, type Product } from '../support/product.ts'
import { sessionOf, store } from '../support/storage.ts'
import { waitUntilRendered } from '../support/wait-until.ts'

/** A route, and the account and storage it requires. */
export type Visit = {
  path: `/${string}`
  /** Has no header and footer. */
  isStandalone?: true
  who?: 'participant' | 'administrator'
  stored?: Record<string, string>
  /** Leaves a few of hundreds of parts that look the same, for checks that would take seconds for all. */
  shorten?: (page: Page) => Promise<void>
}

/** What the screen for an emailed code requires: where the code was sent. */
const EMAIL = { userEmail: 'pip@mail.example' }

/** Every route, and three pages of the documentation. A test compares this list with the site map. */
export const EVERY_ROUTE: readonly Visit[] = [
  { path: '/' },
  { path: '/about' },
  { path: '/tokenomics' },
  { path: '/howtobuy' },
  { path: '/roadmap' },
  { path: '/rules' },
  { path: '/privacy' },
  { path: '/journal' },
  { path: '/allocation' },
  { path: '/archive' },
  { path: '/check', isStandalone: true },
  { path: '/api/docs', shorten: leaveOneCallOfEachMethod },
  { path: '/docs' },
  { path: '/docs/environment' },
  { path: '/docs/data-and-backups' },
  { path: '/airdrop' },
  { path: '/leaderboard' },
  { path: '/profile', who: 'participant' },
  { path: '/dashboard', who: 'administrator' },
  { path: '/dashboard/people', who: 'administrator' },
  { path: '/dashboard/insights', who: 'administrator', shorten: groupByWeek },
  { path: '/dashboard/campaign', who: 'administrator' },
  { path: '/dashboard/settings', who: 'administrator' },
  { path: '/dashboard/look', who: 'administrator' },
  { path: '/dashboard/mail', who: 'administrator' },
  { path: '/dashboard/webhooks', who: 'administrator' },
  { path: '/dashboard/payout', who: 'administrator' },
  { path: '/dashboard/checks', who: 'administrator' },
  { path: '/dashboard/security', who: 'administrator' },
  { path: '/setup', isStandalone: true },
  { path: '/register', isStandalone: true },
  { path: '/login', isStandalone: true },
  { path: '/verify-email', isStandalone: true, stored: EMAIL },
  { path: '/forgot-password', isStandalone: true },
  { path: '/forgot-password-otp', isStandalone: true, stored: EMAIL },
  { path: '/reset-password', isStandalone: true, stored: { ...EMAIL, resetPasswordToken: 'a token' } },
]

/** The classes of a call’s box include its method. */
async function leaveOneCallOfEachMethod(page: Page): Promise<void> {
  await page.locator('.opblock').evaluateAll((calls) => {
    const methods = new Set<string>()
    for (const call of calls) {
      if (methods.has(call.className)) call.remove()
      methods.add(call.className)
    }
  })
}

/** Leaves four bars of 28 in each chart. */
async function groupByWeek(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Week', exact: true }).click()
  await expect(page).toHaveURL(/by=week/)
  await waitUntilRendered(page)
}

export type Accounts = { participant: Participant; administrator: Participant }

export async function createAccounts(product: Product) {
  const [participant, administrator] = await Promise.all([product.newClaimant(), product.admin()])
  return { participant, administrator }
}

/** Opens a route with the account and storage it requires, and waits until it has loaded. */
export async function open(
  page: Page,
  product: Product,
  visit: Visit,
  accounts: Accounts,
  locale: Locale = DEFAULT_LOCALE,
): Promise<void> {
  const values = {
    ...visit.stored,
    ...(visit.who && sessionOf(accounts[visit.who])),
    // Screens that search engines do not list open in the chosen language, whatever their address.
    ...(locale !== DEFAULT_LOCALE && { locale }),
  }
  if (!(await hasStored(page, product, values))) {
    await page.goto(`${product.url}/robots.txt`)
    await page.evaluate(() => localStorage.clear())
    await store(page, values)
  }
  await page.goto(product.url + localizedPath(locale, visit.path))
  await waitUntilRendered(page)
}

/** Whether the page is of this product, and its storage has exactly these values. */
async function hasStored(page: Page, { url }: Product, values: Record<string, string>): Promise<boolean> {
  if (!page.url().startsWith(`${url}/`)) return false
  // /check is sandboxed and has no storage.
  const stored = await page.evaluate(() => (globalThis.origin === 'null' ? undefined : { ...localStorage }))
  return isDeepStrictEqual(stored, values)
}
