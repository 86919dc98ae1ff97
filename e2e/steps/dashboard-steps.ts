import { expect, type Locator, type Page } from '@playwright/test'
import { profile } from '#contract/accounts/accounts.ts'
import { approveClaim, ownClaim } from '#contract/claims/claims.ts'
import { grantedPoints } from '#contract/claims/granted-points.ts'
import { rejectClaim, reviewClaim } from '#contract/dashboard/review.ts'
import { changeSettings, settings } from '#contract/dashboard/settings.ts'
import type { BodyInput } from '#contract/protocol/endpoint.ts'
import campaign from '#server/testing/campaign.ts'
import type { Participant } from '../support/people.ts'
import type { Product } from '../support/product.ts'

/** A participant's latest claim, as the participant sees it. @throws if there is none. */
export async function claimOf({ callOrFail }: Product, { token }: Participant) {
  const { claim } = (await callOrFail(ownClaim, { token })).data
  if (!claim) throw new Error('There is no claim.')
  return claim
}

/** A participant's latest claim, as an administrator sees it. @param by by default `product.admin()` */
export async function reviewOf(product: Product, who: Participant, by?: Participant) {
  const { _id: claimId } = await claimOf(product, who)
  const { token } = by ?? (await product.admin())
  return (await product.callOrFail(reviewClaim, { token, params: { claimId } })).data
}

/** The outcomes of the checks of a participant's latest claim. */
export async function evidenceOf(product: Product, who: Participant): Promise<Record<string, string>> {
  const { evidence } = await reviewOf(product, who)
  return Object.fromEntries(evidence.map(({ check, outcome }) => [check, outcome]))
}

/** Approves a participant's latest claim over the API, which calls it a task. @param by as in reviewOf */
export async function approve(product: Product, who: Participant, by?: Participant): Promise<void> {
  const { _id: taskId } = await claimOf(product, who)
  const { token } = by ?? (await product.admin())
  const body = grantedPoints(campaign.airdrop)
  await product.callOrFail(approveClaim, { token, params: { taskId }, body })
}

/** Rejects a participant's latest claim over the API. @param text for the participant */
export async function reject(product: Product, who: Participant, text = ''): Promise<void> {
  const { _id: claimId, revision } = await reviewOf(product, who)
  const { token } = await product.admin()
  const body = { reason: 'post_incomplete', text, revision } as const
  await product.callOrFail(rejectClaim, { token, params: { claimId }, body })
}

export const accountOf = async ({ call }: Product, { token }: Participant) =>
  (await call(profile, { token })).body.data

export async function saveSettings(
  { admin, callOrFail }: Product,
  changes: BodyInput<typeof changeSettings>['changes'],
): Promise<void> {
  const { token } = await admin()
  const { revision } = (await callOrFail(settings, { token })).data
  await callOrFail(changeSettings, { token, body: { revision, changes } })
}

/** Creates two participants with claims. A search for the first's username finds just these claims. */
export async function createTwoClaimants({ newClaimant }: Product) {
  const first = await newClaimant()
  return [first, await newClaimant({ email: `${first.username}.other@mail.example` })] as const
}

export const sectionLink = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name })

/** Follows the link to a section from another section, which has nothing to load but sessions. */
export async function openSection(page: Page, name: string): Promise<void> {
  await page.goto('/dashboard/security')
  await sectionLink(page, name).click()
}

export const evidenceCard = (page: Page): Locator => page.getByRole('complementary', { name: 'Evidence' })

/** Logs in as an administrator, searches for a participant's claim and opens its card. */
export async function openCard(page: Page, product: Product, { username }: Participant): Promise<Locator> {
  await product.openAs(page, await product.admin(), `/dashboard?view=waiting&search=${username}`)
  await page.getByRole('button', { name: username, exact: true }).click()
  await expect(evidenceCard(page).getByRole('heading', { name: username })).toBeVisible()
  return evidenceCard(page)
}

/** The rows of claims. The placeholders shown while claims load have no `data-row`. */
export const rows = (page: Page): Locator => page.locator('tbody tr[data-row]')

export const rowNamed = (page: Page, { username }: Pick<Participant, 'username'>): Locator =>
  rows(page).filter({ has: page.getByRole('button', { name: username, exact: true }) })
