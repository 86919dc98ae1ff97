import campaign from '#server/testing/campaign.ts'
import { PHONE } from '../checks/axe.ts'
import { EVERY_ROUTE } from '../checks/every-route.ts'
import { expect, test } from '../support/product.ts'

test.use({ javaScriptEnabled: false })

const PAGES = [
  '/',
  '/about',
  '/tokenomics',
  '/howtobuy',
  '/roadmap',
  '/rules',
  '/journal',
  '/api/docs',
  '/docs',
  '/docs/data-and-backups',
  '/docs/environment',
  '/privacy',
]

/** A page too, with little to read before an airdrop has ended. */
const SHORT = '/archive'

test('every page is readable and navigable without scripts', async ({ page }) => {
  for (const path of PAGES) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect((await page.locator('main').innerText()).length, path).toBeGreaterThan(300)
    await expect(page.locator('footer')).toContainText(campaign.texts.risk)
    // Controls that need a script are hidden.
    await expect(page.getByRole('button', { name: /^(Copy|Share)/ })).toHaveCount(0)
    await expect(page.getByRole('group', { name: 'Theme' })).toBeHidden()
  }
  await page.goto(SHORT)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/privacy')
  await expect(page.getByText('We use up to four cookies')).toBeVisible()
  await page.locator('header').getByRole('link', { name: 'How to Buy' }).click()
  await expect(page).toHaveURL('/howtobuy')
  await expect(page.getByText(campaign.token.contract, { exact: true })).toBeVisible()
  await page.locator('header').getByRole('link', { name: 'Home', exact: true }).click()
  const price = page.locator('#hero .stat-card').filter({ hasText: 'Price' }).locator('dd')
  // Only visible text counts: what a script would replace is present but hidden. Wait until the page is rendered.
  await expect(price).toHaveText('N/A', { useInnerText: true })
  await page.getByRole('link', { name: 'Learn More' }).click()
  await expect(page.locator('#about').getByRole('heading', { level: 2 })).toBeInViewport()
})

/** Pages whose subject is the visitor's own browser, which each say what to do without scripts. */
const OWN_WORDS = ['/allocation', '/check']

test('the check of an allocation names the data that it reads', async ({ page }) => {
  await page.goto('/allocation')
  await expect(page.locator('noscript p')).toBeVisible()
  await expect(page.locator('noscript code')).toHaveText('/api/v1/allocation')
})

test('a screen that needs scripts says so', async ({ page }) => {
  for (const { path } of EVERY_ROUTE.filter(
    (route) => ![...PAGES, SHORT, ...OWN_WORDS].includes(route.path),
  )) {
    await page.goto(path)
    await expect(page.locator('noscript p')).toBeVisible()
    await expect(page.locator('noscript p')).toHaveText(/^This part of the site needs JavaScript\./)
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: PHONE, hasTouch: true })

  test('the menu opens, navigates and closes without scripts', async ({ page }) => {
    for (const start of ['/', '/airdrop']) {
      await page.goto(start)
      const menu = page.getByRole('dialog', { name: 'Menu' })
      await page.getByRole('button', { name: 'Open menu' }).click()
      await expect(menu).toBeVisible()
      await menu.getByRole('button', { name: 'Close menu' }).click()
      await expect(menu).toBeHidden()
      await page.getByRole('button', { name: 'Open menu' }).click()
      await menu.getByRole('link', { name: 'Tokenomics' }).click()
      await expect(page).toHaveURL('/tokenomics')
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeHidden()
    }
  })
})
