import type { Page } from '@playwright/test'
import type { Participant } from './people.ts'
import { expect, type Product } from './product.ts'

/** A route, and what somebody must have in the browser to stay on it. */
export type Stop = {
  path: string
  /** No header and footer around it. */
  standalone?: true
  who?: 'participant' | 'administrator'
  kept?: Record<string, string>
}

const UNDERWAY = { userEmail: 'pip@mail.example' }

/**
 * Every route of the specification, and the pages of small print and of the journal; written out, because the product's own
 * site map is what is tested.
 */
export const EVERY_ROUTE: readonly Stop[] = [
  { path: '/' },
  { path: '/about' },
  { path: '/tokenomics' },
  { path: '/howtobuy' },
  { path: '/roadmap' },
  { path: '/rules' },
  { path: '/privacy' },
  { path: '/journal' },
  { path: '/airdrop' },
  { path: '/leaderboard' },
  { path: '/profile', who: 'participant' },
  { path: '/dashboard', who: 'administrator' },
  { path: '/register', standalone: true },
  { path: '/login', standalone: true },
  { path: '/verify-email', standalone: true, kept: UNDERWAY },
  { path: '/forgot-password', standalone: true },
  { path: '/forgot-password-otp', standalone: true, kept: UNDERWAY },
  { path: '/reset-password', standalone: true, kept: { ...UNDERWAY, resetPasswordToken: 'a token' } },
]

/** Those who have to be there for a walk over all routes. */
export type Cast = { participant: Participant; administrator: Participant }

export async function castOf(product: Product): Promise<Cast> {
  const [participant, administrator] = await Promise.all([product.newClaimant(), product.admin()])
  return { participant, administrator }
}

/** Opens a route as somebody who may stay there, and waits until it stands. */
export async function open(page: Page, product: Product, stop: Stop, cast: Cast): Promise<void> {
  const kept = { ...stop.kept, ...(stop.who && sessionOf(cast[stop.who])) }
  await page.goto(`${product.url}/robots.txt`)
  await page.evaluate((entries) => {
    localStorage.clear()
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  }, kept)
  await page.goto(stop.path)
  await standing(page)
}

/** Waits until a screen has drawn what it loads. */
export async function standing(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(
    page.locator('main [aria-busy="true"], main[aria-busy="true"], main [role="status"]:not(:empty)'),
  ).toHaveCount(0)
}

function sessionOf({ token, user }: Participant): Record<string, string> {
  return { token, user: JSON.stringify(user) }
}
