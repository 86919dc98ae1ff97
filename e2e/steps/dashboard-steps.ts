import { expect, type Locator, type Page } from '@playwright/test'

/** The claims in the list; placeholder rows have no `data-row`. */
export const rows = (page: Page): Locator => page.locator('tbody tr[data-row]')

/** The row of a participant; turns the pages of the list to find it. @param words of its pages, if not in English */
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
