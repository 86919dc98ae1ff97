import type { Page } from '@playwright/test'
import { LOCALE_NAMES } from '#contract/locales.ts'
import campaign from '#server/testing/campaign.ts'
import { ROUTES, routeText } from '#web/routes.ts'
import { expectAccessible, PHONE } from '../checks/axe.ts'
import { waitUntilHydrated, waitUntilIdle } from '../support/wait-until.ts'
import { hold } from '../support/intercept.ts'
import { expect, test } from '../support/product.ts'

/** A marketing page and a screen of the application. Each renders the same layout in its own way. */
const PATHS_WITH_LAYOUT = ['/', '/leaderboard']
const LINKS = [
  ['Home', '/'],
  ['About', '/about'],
  ['Tokenomics', '/tokenomics'],
  ['How to Buy', '/howtobuy'],
  ['Roadmap', '/roadmap'],
] as const

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

test('pages and screens have the same header and footer', async ({ page, product }) => {
  const { socials, contract } = campaign.token
  const header = page.locator('header.site-header')
  const footer = page.locator('footer')
  await page.clock.install()
  for (const start of PATHS_WITH_LAYOUT) {
    await page.goto(start)
    await expect(page.locator('h1')).toBeVisible()
    await test.step(`the header of ${start} links to five pages, the profile and the airdrop`, async () => {
      const links = header.getByRole('navigation', { name: 'Main' }).getByRole('link')
      await expect(links).toHaveText(LINKS.map(([name]) => name))
      for (const [index, [, path]] of LINKS.entries())
        await expect(links.nth(index)).toHaveAttribute('href', path)
      await expect(header.getByRole('link', { name: 'My Profile' })).toHaveAttribute('href', '/profile')
      await expect(header.getByRole('link', { name: 'My Profile' }).locator('svg')).toBeVisible()
      await expect(header.getByRole('link', { name: 'Airdrop' })).toHaveAttribute('href', '/airdrop')
      await expect(page.getByRole('button', { name: 'Open menu' })).toBeHidden()
    })
    await test.step(`the footer of ${start} shows rules, social links, chart, chain and the risk notice`, async () => {
      for (const [name, href] of [
        ['Rules', '/rules'],
        ['Privacy and terms', '/privacy'],
        ['Twitter', socials.twitter],
        ['Telegram', socials.telegram],
        ['Live Chart', campaign.links.chart.replace('{contract}', contract)],
      ] as const)
        await expect(footer.getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
      for (const words of [campaign.chain.name, campaign.texts.risk, /contract is a placeholder/])
        await expect(footer).toContainText(words)
    })
    await test.step(`the footer of ${start} shows the latest block`, async () => {
      await waitUntilHydrated(page)
      await page.clock.fastForward(3_000) // Then the page opens the stream of blocks.
      await expect(footer.getByText('block 24,500,000')).toBeVisible()
    })
  }

  await test.step('a screen opens a page, which marks its link', async () => {
    await header.getByRole('link', { name: 'Roadmap' }).click()
    await expect(page).toHaveURL('/roadmap')
    await expect(header.locator('[aria-current="page"]').filter({ visible: true })).toHaveText('Roadmap')
  })
  await test.step('a screen opens another screen, which updates the head and asks visitors to log in', async () => {
    await header.getByRole('link', { name: 'Airdrop' }).click()
    await expect(page).toHaveURL('/airdrop')
    await header.getByRole('link', { name: 'My Profile' }).click()
    await expect(page).toHaveURL('/login')
    await expect(page).toHaveTitle(routeText(ROUTES.login.title, campaign.token))
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', `${product.url}/login`)
    await expect(page.locator('h1')).toHaveText('Welcome Back')
  })
})

test('a chosen theme is applied before the first paint of pages and screens', async ({ page }) => {
  const themes = page.getByRole('group', { name: 'Theme' })
  await page.emulateMedia({ colorScheme: 'light' })
  // The script of the switch fails to load with the page. Pressing the switch loads it again.
  const islands = /\/assets\/islands-[^/]+\.js$/
  await page.route(islands, (route) => route.abort())
  const aborted = page.waitForEvent('requestfailed', (request) => islands.test(request.url()))
  await page.goto('/')
  await aborted
  await page.unroute(islands)
  const light = await background(page)

  await test.step('the switch changes the theme', async () => {
    const button = themes.getByRole('button', { name: 'Dark' })
    await button.click()
    await expect(button).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(() => background(page)).not.toBe(light)
  })

  await test.step('print is light, since browsers leave out the dark background', async () => {
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => background(page)).toBe(light)
    await page.emulateMedia({ media: null })
  })

  await test.step('pages and screens have the theme even before any script has loaded', async () => {
    const dark = await background(page)
    await page.route(/\/assets\/.*\.js/, (route) => route.abort())
    for (const path of ['/roadmap', '/airdrop']) {
      await page.goto(path)
      expect(await background(page)).toBe(dark)
    }
    await page.unrouteAll({ behavior: 'wait' })
  })

  await test.step('a page restored from the back/forward cache shows the theme chosen since', async () => {
    await page.goto('/roadmap')
    await waitUntilHydrated(page)
    // Playwright's browser does not have this cache, so the test sends the event.
    await page.evaluate(() => {
      localStorage.setItem('theme', 'light')
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    })
    await expect.poll(() => background(page)).toBe(light)
    await expect(themes.getByRole('button', { name: 'Light' })).toHaveAttribute('aria-pressed', 'true')
  })
})

test('a screen that is still loading is outlined, and a click that starts before it renders follows its link', async ({
  page,
}) => {
  const scripts = await hold(page, /\/assets\/.*\.js$/)
  await page.goto('/leaderboard', { waitUntil: 'commit' })
  const outline = () => page.locator('main').evaluate((main) => getComputedStyle(main, '::after').opacity)
  await expect.poll(outline, 'after a second, the screen is outlined').toBe('1')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Rules', exact: true }).hover()
  await page.mouse.down()
  scripts.release()
  await page.waitForLoadState('load')
  await waitUntilIdle(page)
  await page.mouse.up()
  await expect(page).toHaveURL('/rules')
})

test.describe('the side menu', () => {
  // With motion, because the menu slides in.
  test.use({ viewport: PHONE, hasTouch: true, contextOptions: { reducedMotion: 'no-preference' } })

  const menu = (page: Page) => page.getByRole('dialog', { name: 'Menu' })

  async function openMenu(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(menu(page)).toBeInViewport({ ratio: 0.99 })
  }

  test('opens before any script has run, holds the focus, and closes', async ({ page }) => {
    const link = menu(page).getByRole('link', { name: 'Tokenomics' })

    // A page loads the next document. A screen shows the next screen in the same document.
    for (const [start, name, path] of [
      ['/', 'Roadmap', '/roadmap'],
      ['/leaderboard', 'Airdrop', '/airdrop'],
    ] as const) {
      await test.step(`on ${start} opens before any script has run, and stays open after hydration`, async () => {
        const scripts = await hold(page, /\/assets\/.*\.js$/)
        await page.goto(start, { waitUntil: 'commit' })
        await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible()
        await expect(page.locator('header').getByRole('navigation', { name: 'Main' })).toBeHidden()
        await expect(menu(page)).toBeHidden()
        await openMenu(page)
        await link.hover()
        await link.focus()
        scripts.release()
        // The screen is now rendered, or the page hydrated.
        await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toHaveCount(1)
        await waitUntilHydrated(page)
        await expect(menu(page)).toBeInViewport({ ratio: 0.99 })
        await expect(link).toBeFocused()
        await page.unrouteAll({ behavior: 'wait' })
        await page.keyboard.press('Escape')
        await expect(menu(page)).toBeHidden()
        await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused()
      })

      await test.step(`on ${start} closes when a link is followed, and is closed on the way back`, async () => {
        await openMenu(page)
        await menu(page).getByRole('link', { name, exact: true }).click()
        await expect(page).toHaveURL(path)
        await expect(page.locator('h1')).toBeVisible()
        await expect(menu(page)).toBeHidden()
        await page.goBack()
        await expect(page).toHaveURL(start)
        await expect(page.locator('h1')).toBeVisible()
        await expect(menu(page)).toBeHidden()
      })
    }

    await test.step('is accessible and holds the focus', async () => {
      await openMenu(page)
      await expectAccessible(page, 'menu', '#side-menu')
      await expect(menu(page).getByRole('link')).toHaveText([
        ...LINKS.map(([name]) => name),
        'My Profile',
        ...Object.values(LOCALE_NAMES),
        'Airdrop',
      ])
      const focusedTexts = new Set<string>()
      // Forward once around the menu, then backward past the first control.
      for (const key of [...Array<string>(18).fill('Tab'), ...Array<string>(10).fill('Shift+Tab')]) {
        await page.keyboard.press(key)
        // After the last control, the browser's own controls have the focus. `activeElement` is then body.
        const focused = await page.evaluate(() => {
          const { activeElement } = document
          if (activeElement === document.body) return 'browser'
          return activeElement?.closest('dialog') ? (activeElement.textContent ?? '') : 'outside'
        })
        focusedTexts.add(focused)
      }
      expect(focusedTexts).not.toContain('outside')
      expect(focusedTexts).toContain('Home')
      expect(focusedTexts).toContain('Airdrop')
    })

    await test.step('closes on its own button and on the backdrop, and on nothing else', async () => {
      await menu(page).getByText('Menu', { exact: true }).click()
      await expect(menu(page)).toBeVisible()
      await menu(page).getByRole('button', { name: 'Close menu' }).click()
      await expect(menu(page)).toBeHidden()
      await openMenu(page)
      await page.touchscreen.tap(10, 400) // on the backdrop
      await expect(menu(page)).toBeHidden()
      await expect(page).toHaveURL('/leaderboard')
    })
  })
})
