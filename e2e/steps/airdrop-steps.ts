import type { Page } from '@playwright/test'
import type { Proof } from '#contract/claims/proof.ts'
import type { Campaign } from '#contract/campaign.ts'
import { expect } from '../support/product.ts'

/** Opens the airdrop screen, and goes from the start step to the tasks step. */
export async function startClaim(page: Page): Promise<void> {
  await page.goto('/airdrop')
  await page.getByRole('button', { name: 'Claim Now' }).click()
  await expect(page.locator('button[data-done]')).not.toHaveCount(0)
}

export async function continueToProof(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Tasks? Done — Continue/ }).click()
  await expect(page.getByRole('heading', { name: 'Claim Your Airdrop' })).toBeVisible()
}

/**
 * Goes from the start to the proof step, with a draft in which all tasks have been opened: opening the pages
 * of four other sites takes longer than many tests. Requires a session in the browser.
 */
export async function reachProof(page: Page): Promise<void> {
  await rememberTasks(page)
  await startClaim(page)
  await continueToProof(page)
}

/** Stores a draft in which the first tasks, or all, have been opened. Requires a session in the browser. */
export async function rememberTasks(page: Page, count?: number): Promise<void> {
  const { data } = (await (await page.request.get('/api/v1/campaign')).json()) as { data: Campaign }
  await page.evaluate(
    (done) => {
      const read = (key: string): unknown => JSON.parse(localStorage.getItem(key) ?? '{}')
      const { _id } = read('user') as { _id: string }
      const drafts = { ...(read('claimDraft') as object), [_id]: { done } }
      localStorage.setItem('claimDraft', JSON.stringify(drafts))
    },
    data.tasks.slice(0, count).map(({ id }) => id),
  )
}

export async function fillProof(page: Page, proof: Proof): Promise<void> {
  await page.getByLabel('Wallet Address').fill(proof.wallet)
  await page.getByLabel('Telegram').fill(proof.telegram)
  await page.getByLabel('Twitter').fill(proof.twitter)
  await page.getByLabel('Retweet Link').fill(proof.retweetLink)
}

export const submitProof = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Submit', exact: true }).click()

/** Reloads the profile until the automatic checks of a claim have given it this status. */
export async function waitForStatus(page: Page, status: string): Promise<void> {
  await expect(async () => {
    await page.reload()
    await expect(page.getByText(status, { exact: true })).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 90_000 })
}
