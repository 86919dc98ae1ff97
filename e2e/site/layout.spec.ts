import type { Page } from '@playwright/test'
import { LOCALE_NAMES } from '#contract/locales.ts'
import campaign from '#server/testing/campaign.ts'
import { PHONE } from '../checks/axe.ts'
import { waitForStream, waitUntilIdle } from '../checks/every-route.ts'
import { hold } from '../support/held-calls.ts'
import { expect, test } from '../support/product.ts'

/** A marketing page and a screen of the application, which render the same layout separately. */
const PATHS_WITH_LAYOUT = ['/', '/leaderboard']
const LINKS = [
  ['Home', '/'],
  ['About', '/about'],
  ['Tokenomics', '/tokenomics'],
  ['How to Buy', '/howtobuy'],
  ['Roadmap', '/roadmap'],
] as const

// Menu and navigation move.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('the header links to five pages, the profile and the airdrop', async ({ page }) => {
  for (const start of PATHS_WITH_LAYOUT) {
    await page.goto(start)
    const header = page.locator('header.site-header')
    const links = header.getByRole('navigation', { name: 'Main' }).getByRole('link')
    await expect(links).toHaveText(LINKS.map(([name]) => name))
    for (const [index, [, path]] of LINKS.entries())
      await expect(links.nth(index)).toHaveAttribute('href', path)
    await expect(header.getByRole('link', { name: 'My Profile' })).toHaveAttribute('href', '/profile')
    await expect(header.getByRole('link', { name: 'My Profile' }).locator('svg')).toBeVisible()
    await expect(header.getByRole('link', { name: 'Airdrop' })).toHaveAttribute('href', '/airdrop')
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeHidden()
  }
  for (const [name, path] of LINKS) {
    await page.locator('header').getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(path)
    await expect(page.locator('header [aria-current="page"]').filter({ visible: true })).toHaveText(name)
  }
  await page.locator('header').getByRole('link', { name: 'Airdrop' }).click()
  await expect(page).toHaveURL('/airdrop')
  await page.locator('header').getByRole('link', { name: 'My Profile' }).click()
  // Without a session.
  await expect(page).toHaveURL('/login')
})

test('the footer shows social links, chart, chain and the risk notice', async ({ page }) => {
  const { socials, contract } = campaign.token
  for (const start of PATHS_WITH_LAYOUT) {
    await page.goto(start)
    const footer = page.locator('footer')
    for (const [name, href] of [
      ['Twitter', socials.twitter],
      ['Telegram', socials.telegram],
      ['Live Chart', campaign.links.chart.replace('{contract}', contract)],
    ] as const) {
      const link = footer.getByRole('link', { name, exact: true })
      await expect(link).toHaveAttribute('href', href)
      await expect(link).toHaveAttribute('target', '_blank')
      await expect(link).toHaveAttribute('rel', /noopener/)
    }
    await expect(footer).toContainText(campaign.chain.name)
    await expect(footer).toContainText(campaign.texts.risk)
    await expect(footer).toContainText(/contract is a placeholder/)
  }
})

test('the footer shows the latest block', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('footer').getByText('block 24,500,000')).toBeVisible()
})

test('applies the chosen theme before the first paint, on pages and screens', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Dark' }).click()
  await expect.poll(background).not.toBe(light)
  const dark = await background()
  await page.route(/\/assets\/.*\.js/, (route) => route.abort())
  for (const path of ['/roadmap', '/airdrop']) {
    await page.goto(path)
    expect(await background()).toBe(dark)
  }
})

test('a click that starts before the application renders still follows its link', async ({ page }) => {
  const scripts = await hold(page, /\/assets\/.*\.js$/)
  await page.goto('/leaderboard', { waitUntil: 'commit' })
  await page.getByRole('contentinfo').getByRole('link', { name: 'Rules', exact: true }).hover()
  await page.mouse.down()
  scripts.release()
  await page.waitForLoadState('load')
  await waitUntilIdle(page)
  await page.mouse.up()
  await expect(page).toHaveURL('/rules')
})

test.describe('side menu', () => {
  test.use({ viewport: PHONE, hasTouch: true })

  const menu = (page: Page) => page.getByRole('dialog', { name: 'Menu' })

  async function openMenu(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(menu(page)).toBeInViewport({ ratio: 0.99 })
  }

  for (const start of PATHS_WITH_LAYOUT)
    test(`on ${start} slides in, traps the focus, and Escape restores it`, async ({ page }) => {
      await page.goto(start)
      await expect(page.locator('header').getByRole('navigation', { name: 'Main' })).toBeHidden()
      await expect(menu(page)).toBeHidden()
      await openMenu(page)
      await expect(menu(page).getByRole('link')).toHaveText([
        ...LINKS.map(([name]) => name),
        'My Profile',
        ...Object.values(LOCALE_NAMES),
        'Airdrop',
      ])
      const seen = new Set<string>()
      for (let presses = 0; presses < 36; presses += 1) {
        await page.keyboard.press(presses < 18 ? 'Tab' : 'Shift+Tab')
        // Between the last and the first control the focus is in the browser, and body is focused.
        const at = await page.evaluate(() => {
          const { activeElement } = document
          if (activeElement === document.body) return 'browser'
          return activeElement?.closest('dialog') ? (activeElement.textContent ?? '') : 'outside'
        })
        seen.add(at)
      }
      expect(seen).not.toContain('outside')
      expect(seen).toContain('Roadmap')
      await page.keyboard.press('Escape')
      await expect(menu(page)).toBeHidden()
      await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused()
    })

  for (const start of PATHS_WITH_LAYOUT)
    test(`on ${start} opens before any script has run, and stays open after hydration`, async ({ page }) => {
      const scripts = await hold(page, /\/assets\/.*\.js$/)
      const following = waitForStream(page)
      await page.goto(start, { waitUntil: 'commit' })
      await openMenu(page)
      const link = menu(page).getByRole('link', { name: 'Tokenomics' })
      await link.hover()
      await link.focus()
      scripts.release()
      await following
      // Rendered by the application, or hydrated.
      await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toHaveCount(1)
      await expect(menu(page)).toBeInViewport({ ratio: 0.99 })
      await expect(link).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(menu(page)).toBeHidden()
      await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused()
      await openMenu(page)
      await menu(page).getByRole('button', { name: 'Close menu' }).click()
      await expect(menu(page)).toBeHidden()
    })

  for (const start of PATHS_WITH_LAYOUT)
    test(`on ${start} closes on the backdrop and on its own button`, async ({ page }) => {
      await page.goto(start)
      await openMenu(page)
      await page.touchscreen.tap(10, 400)
      await expect(menu(page)).toBeHidden()
      await expect(page).toHaveURL(start)
      await openMenu(page)
      await menu(page).getByText('Menu', { exact: true }).click()
      await expect(menu(page)).toBeVisible()
      await menu(page).getByRole('button', { name: 'Close menu' }).click()
      await expect(menu(page)).toBeHidden()
    })

  for (const start of PATHS_WITH_LAYOUT)
    test(`on ${start} closes when one of its links is followed`, async ({ page }) => {
      for (const [name, path] of [
        ['Roadmap', '/roadmap'],
        ['Airdrop', '/airdrop'],
      ] as const) {
        await page.goto(start)
        await openMenu(page)
        await menu(page).getByRole('link', { name, exact: true }).click()
        await expect(page).toHaveURL(path)
        await expect(page.locator('h1')).toBeVisible()
        await expect(menu(page)).toBeHidden()
        await page.goBack()
        await expect(page).toHaveURL(start)
        await expect(menu(page)).toBeHidden()
      }
    })
})

test('buttons work once their script can be loaded, although it could not at first', async ({ page }) => {
  const script = /\/assets\/islands-[^/]+\.js$/
  await page.route(script, (route) => route.abort())
  const refused = page.waitForEvent('requestfailed', (request) => script.test(request.url()))
  await page.goto('/about')
  await refused
  await page.unroute(script)
  const dark = page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Dark' })
  await dark.click()
  await expect(dark).toHaveAttribute('aria-pressed', 'true')
})
