import { expectAccessible, PHONE } from '../checks/axe.ts'
import { expectFits } from '../checks/fit.ts'
import { copied } from '../support/clipboard.ts'
import { expect, test } from '../support/product.ts'

const PAGE = '/docs/data-and-backups'

test('searches by keyboard, announces how much was found, and opens a result', async ({ page }) => {
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  const isOfSearch = (url: string) => /\/(docs-index|search-dialog)-[^/]+\.js$/.test(url)
  await page.goto(PAGE)
  await expect(page.getByRole('button', { name: 'Search' })).toBeVisible()
  await page.waitForRequest(/\/events\?/)
  expect(fetched.filter(isOfSearch)).toEqual([])

  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search the documentation' })
  const field = dialog.getByRole('searchbox', { name: 'Search the documentation' })
  await expect(field).toBeFocused()
  await expect(dialog.getByRole('status')).toContainText('Arrow keys choose')
  await page.keyboard.type('exit code 78')
  await expect(dialog.getByRole('status')).toHaveText(/^\d+ results$/)
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('link').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('link').nth(1)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(field).toBeFocused()
  await field.fill('xyzzyplugh')
  await expect(dialog.getByRole('status')).toHaveText('Nothing found. Try another word.')
  await expect(dialog.getByRole('link')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await page.getByRole('button', { name: 'Search' }).click()
  await field.fill('reconcile payer')
  await expect(dialog.getByRole('link').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/docs\/pay-out$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Pay out' })).toBeVisible()
})

test('a result on the same page closes the search and goes there', async ({ page }) => {
  await page.goto(PAGE)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('backups')
  await page.getByRole('link', { name: /^Backups Data and backups/ }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page).toHaveURL(`${PAGE}#backups`)
  await expect(page.getByRole('heading', { level: 2, name: 'Backups' })).toBeInViewport()
})

test('the search says so when it cannot load', async ({ page }) => {
  await page.route(/docs-index-[^/]+\.js$/, (route) => route.abort())
  await page.goto(PAGE)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('The contents list every page')
})

test.describe('on a phone', () => {
  test.use({ viewport: PHONE, hasTouch: true })

  test('the open search and the open contents are accessible and fit', async ({ page }) => {
    await page.goto(PAGE)
    await page.getByRole('button', { name: 'Contents' }).tap()
    await expect(page.getByRole('link', { name: 'Pay out', exact: true })).toBeVisible()
    await expectFits(page, 'contents')
    await page.setViewportSize(PHONE)
    await expectAccessible(page, 'contents')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('link', { name: 'Pay out', exact: true })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Contents' })).toBeFocused()
    await page.getByRole('button', { name: 'Search' }).tap()
    await page.getByRole('searchbox').fill('backup')
    await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible()
    await expectFits(page, 'search')
    await page.setViewportSize(PHONE)
    await expectAccessible(page, 'search', '.docs-search')
  })

  test('a wide table scrolls within itself, and the page does not', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto('/docs/environment')
    const table = page.getByRole('group', { name: 'Table: Environment' }).first()
    await table.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => table.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})

test('copies code, of a terminal session only the commands, and the address of a heading', async ({
  page,
  context,
  product,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(PAGE)
  const copy = page.locator('.docs-code').first().getByRole('button')
  await copy.click()
  await expect(copy).toHaveText('Copied!')
  expect(await copied(page)).toMatch(/^npm run backup -- /)

  const link = page.getByRole('link', { name: 'Link to “Backups”' })
  await link.click()
  await expect(page).toHaveURL(`${PAGE}#backups`)
  await expect(link).toHaveText('Link copied')
  expect(await copied(page)).toBe(`${product.url}${PAGE}#backups`)

  await page.goto('/docs/first-evening')
  const session = page.locator('.docs-code').filter({ hasText: '$ npm start' }).first().getByRole('button')
  await session.click()
  await expect(session).toHaveText('Copied!')
  const commands = await copied(page)
  expect(commands).toContain('npm start\n')
  expect(commands).not.toMatch(/\$ npm|Dropwright is ready/)
})

test('an unknown page keeps the contents and the search', async ({ page }) => {
  const response = await page.goto('/docs/nowhere')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page isn’t in the documentation')
  await expect(page.getByRole('link', { name: 'Pay out', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Search' })).toBeVisible()
  await expectAccessible(page, 'unknown page')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the start page, the contents, and the links to the previous and next page work', async ({ page }) => {
    await page.goto('/docs')
    await expect(page.getByRole('button', { name: 'Search' })).toBeHidden()
    await page.getByRole('link', { name: 'A first evening' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'A first evening' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy' })).toHaveCount(0)
    await page.getByRole('link', { name: /^Next/ }).click()
    await expect(page).toHaveURL('/docs/on-one-small-server')
    await page.getByRole('link', { name: /^Previous/ }).click()
    await expect(page).toHaveURL('/docs/first-evening')
    await page.getByRole('link', { name: 'Decisions', exact: true }).click()
    await page.locator('a[href="/docs/decisions/003-own-job-table"]').click()
    await expect(page).toHaveURL('/docs/decisions/003-own-job-table')
    await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: 'Contents' }).click()
    await page.getByRole('link', { name: 'Webhooks and widgets' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Webhooks and widgets')
  })
})
