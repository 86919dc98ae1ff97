import { expect, test } from '../support/product.ts'

const SMALL_PRINT = [
  { path: '/rules', title: 'Rules' },
  { path: '/privacy', title: 'Privacy and terms' },
]

test('rules and privacy are found at the foot of pages and screens', async ({ page }) => {
  for (const { path, title } of SMALL_PRINT)
    for (const from of ['/', '/leaderboard']) {
      await page.goto(from)
      await page.getByRole('contentinfo').getByRole('link', { name: title, exact: true }).click()
      await expect(page).toHaveURL(path)
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    }
})

test('the table of contents links to the clauses', async ({ page }) => {
  for (const { path } of SMALL_PRINT) {
    await page.goto(path)
    const contents = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
    const clauses = page.getByRole('main').getByRole('heading', { level: 2 })
    expect(await clauses.allTextContents()).toEqual(
      (await contents.allTextContents()).map((text) => text.replace(/^\d+/, '')),
    )
    await contents.last().click()
    await expect(clauses.last()).toBeInViewport()
  }
})
