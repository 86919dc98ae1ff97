import { expect, type Locator, type Page } from '@playwright/test'
import { profile } from '#contract/accounts/accounts.ts'
import { approveClaim } from '#contract/claims/claims.ts'
import { callOrFail } from '../support/caller.ts'
import type { Participant } from '../support/people.ts'
import type { Product } from '../support/product.ts'

/**
 * Approves a participant's latest claim over the API.
 * @param by the administrator, if not the product's own
 */
export async function approve(product: Product, who: Participant, by?: Participant): Promise<void> {
  const { token } = by ?? (await product.admin())
  const { data: user } = await callOrFail(product.url, profile, { token: who.token })
  const params = { taskId: user.taskId?._id ?? '' }
  await callOrFail(product.url, approveClaim, {
    token,
    params,
    body: { pfPoints: 20_000, plsPoints: 20_000 },
  })
}

/** The claims in the list; placeholder rows have no `data-row`. */
export const rows = (page: Page): Locator => page.locator('tbody tr[data-row]')

/**
 * The row of a participant; turns the pages of the list to find it.
 * @param words the labels of its pages, if not in English
 */
export async function rowOf(
  page: Page,
  username: string,
  words = { nav: 'Pages of claims', next: 'Next' },
): Promise<Locator> {
  const row = rows(page).filter({ hasText: username })
  const next = page.getByRole('button', { name: words.next })
  const current = page.getByRole('navigation', { name: words.nav }).locator('[aria-current]')
  for (;;) {
    // In this order: before the dashboard has rendered there are no placeholders either.
    await expect(rows(page)).not.toHaveCount(0)
    await expect(page.locator('[data-placeholder]')).toHaveCount(0)
    if ((await row.count()) > 0 || (await next.count()) === 0 || (await next.isDisabled())) return row
    const turned = String(Number(await current.textContent()) + 1)
    await next.click()
    await expect(current).toHaveText(turned)
  }
}
