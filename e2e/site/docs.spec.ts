import { expectAccessible, PHONE } from '../checks/axe.ts'
import { expectAccessibleAndFits } from '../checks/fit.ts'
import { copied } from '../steps/page-steps.ts'
import { recordDialogs } from '../support/page-messages.ts'
import { expect, test } from '../support/product.ts'
import { waitUntilHydrated, waitUntilIdle } from '../support/wait-until.ts'

const PAGE = '/docs/data-and-backups'

test('a page copies code and addresses, and its search opens what it finds', async ({ page, product }) => {
  const search = page.getByRole('button', { name: 'Search' })
  const dialog = page.getByRole('dialog', { name: 'Search the documentation' })
  const field = dialog.getByRole('searchbox', { name: 'Search the documentation' })

  await test.step('the search says that its index cannot load, and tries again when it is opened again', async () => {
    const indexScript = /docs-index-[^/]+\.js$/
    await page.route(indexScript, (route) => route.abort())
    await page.goto(PAGE)
    await search.click()
    await expect(dialog.getByRole('status')).toContainText('The table of contents has every page')
    await page.unroute(indexScript)
    await page.keyboard.press('Escape')
    await search.click()
    await expect(dialog.getByRole('status')).toContainText('Arrow keys choose')
  })

  await test.step('the search says that its dialog cannot load', async () => {
    const dialogScript = /search-dialog-[^/]+\.js$/
    await page.route(dialogScript, (route) => route.abort())
    await page.reload()
    const alerts = recordDialogs(page)
    await search.click()
    await expect.poll(() => alerts).toEqual([expect.stringContaining('The table of contents has every page')])
    await page.unroute(dialogScript)
    await search.click()
    await expect(field).toBeFocused()
    await page.keyboard.press('Escape')
  })

  await test.step('loads neither index nor dialog before the search is opened', async () => {
    const fetched: string[] = []
    page.on('request', (request) => fetched.push(request.url()))
    await page.reload()
    await expect(search).toBeVisible()
    await waitUntilHydrated(page)
    await waitUntilIdle(page)
    expect(fetched.filter((url) => /\/(docs-index|search-dialog)-[^/]+\.js$/.test(url))).toEqual([])
  })

  await test.step('searches by keyboard, and announces how much was found', async () => {
    await page.keyboard.press('Control+k')
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
  })

  await test.step('opens a result on the same page', async () => {
    await search.click()
    await field.fill('backups')
    await dialog.getByRole('link', { name: /^Backups Data and backups/ }).click()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(`${PAGE}#backups`)
    await expect(page.getByRole('heading', { level: 2, name: 'Backups' })).toBeInViewport()
  })

  await test.step('copies code, and the address of a heading', async () => {
    const copy = page.locator('.docs-code').first().getByRole('button')
    await copy.click()
    await expect(copy).toHaveText('Copied!')
    expect(await copied(page)).toMatch(/^npm run backup -- /)
    const link = page.getByRole('link', { name: 'Link to “Where data is stored”' })
    await link.click()
    await expect(link).toHaveText('Link copied')
    await expect(page).toHaveURL(`${PAGE}#where-data-is-stored`)
    expect(await copied(page)).toBe(`${product.url}${PAGE}#where-data-is-stored`)
  })

  await test.step('Enter opens the first result, on another page', async () => {
    await search.click()
    await field.fill('reconcile payer')
    await expect(dialog.getByRole('link').first()).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/docs\/pay-out$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Pay out' })).toBeVisible()
  })

  await test.step('copies only the commands of a terminal session', async () => {
    await page.goto('/docs/first-evening')
    const copyButton = page
      .locator('.docs-code')
      .filter({ hasText: '$ npm start' })
      .first()
      .getByRole('button')
    await copyButton.click()
    await expect(copyButton).toHaveText('Copied!')
    const commands = await copied(page)
    expect(commands).toContain('npm start\n')
    expect(commands).not.toMatch(/\$ npm|Dropwright is ready/)
  })

  await test.step('an unknown page keeps the contents and the search', async () => {
    const response = await page.goto('/docs/nowhere')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page isn’t in the documentation')
    await expect(page.getByRole('link', { name: 'Pay out', exact: true })).toBeVisible()
    await expect(search).toBeVisible()
    await expectAccessible(page, 'unknown page', 'main')
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: PHONE, hasTouch: true })

  test('contents and search are accessible and fit, and a wide table scrolls', async ({ page }) => {
    await page.goto('/docs/webhooks')

    await test.step('the contents', async () => {
      const button = page.getByRole('button', { name: 'Contents' })
      const contents = page.getByRole('navigation', { name: 'Documentation pages' })
      await button.tap()
      await expect(contents.getByRole('link', { name: 'Pay out' })).toBeVisible()
      await expectAccessibleAndFits(page, 'contents', 'nav[aria-label="Documentation pages"]')
      await page.keyboard.press('Escape')
      await expect(contents).toBeHidden()
      await expect(button).toBeFocused()
    })

    await test.step('the search', async () => {
      await page.getByRole('button', { name: 'Search' }).tap()
      await page.getByRole('searchbox').fill('backup')
      await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible()
      await expectAccessibleAndFits(page, 'search', '.docs-search')
      await page.keyboard.press('Escape')
    })

    await test.step('a wide table', async () => {
      const table = page.getByRole('group', { name: /^Table: / }).first()
      await table.focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => table.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
    })
  })
})
