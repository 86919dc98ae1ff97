import type { Page } from '@playwright/test'
import { LOCALE_KEY, LOCALE_NAMES, LOCALES, localizedPath } from '#contract/locales.ts'
import { expect, test } from '../support/product.ts'
import { waitUntilIdle } from '../checks/every-route.ts'

const switchOf = (page: Page) => page.getByRole('contentinfo').getByRole('navigation', { name: 'Language' })
const offerOf = (page: Page) => page.locator('.language-offer:visible')

const chosen = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === LOCALE_KEY)?.value

/** The sum of the layout shifts without input so far. */
const shift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((shifts) => {
          const values = shifts.getEntries() as (PerformanceEntry & {
            value: number
            hadRecentInput: boolean
          })[]
          resolve(values.reduce((sum, { value, hadRecentInput }) => (hadRecentInput ? sum : sum + value), 0))
        }).observe({ type: 'layout-shift', buffered: true })
        // Without shifts, the observer is never called.
        requestIdleCallback(() => resolve(0), { timeout: 1_000 })
      }),
  )

test('pages, screens and the login name each language in its own words, as plain links', async ({ page }) => {
  for (const path of ['/', '/roadmap', '/leaderboard', '/login', '/es/roadmap'] as const) {
    await page.goto(path)
    const current = path.startsWith('/es') ? 'es' : 'en'
    const links = page.locator('nav:has(a[lang=ar]):visible').getByRole('link')
    await expect(links, path).toHaveText(Object.values(LOCALE_NAMES))
    for (const [index, locale] of LOCALES.entries()) {
      const link = links.nth(index)
      await expect(link).toHaveAttribute('lang', locale)
      await expect(link).toHaveAttribute('hreflang', locale)
      await expect(link).toHaveAttribute('href', localizedPath(locale, path.replace('/es', '') as '/'))
      if (locale === current) await expect(link).toHaveAttribute('aria-current', 'true')
      else await expect(link).not.toHaveAttribute('aria-current')
    }
  }
})

test('a choice keeps the query and is remembered by the screens', async ({ page }) => {
  await page.goto('/about?ref=FRIEND#main')
  await waitUntilIdle(page)
  await switchOf(page).getByRole('link', { name: 'Español' }).click()
  await expect(page).toHaveURL('/es/about?ref=FRIEND#main')
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  expect(await chosen(page)).toBe('es')

  await page.goto('/login?from=here#top')
  await expect(page).toHaveURL('/es/login?from=here#top')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  // An indexed screen follows a choice, too; the switch leads back.
  await page.goto('/leaderboard')
  await expect(page).toHaveURL('/es/leaderboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('contentinfo').getByRole('link', { name: 'English' }).click()
  await expect(page).toHaveURL('/leaderboard')
  expect(await chosen(page)).toBe('en')
})

test('the side menu has the language switch', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/about')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Türkçe' }).click()
  await expect(page).toHaveURL('/tr/about')
  expect(await chosen(page)).toBe('tr')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the switch leads to the same page, and nothing is offered', async ({ page }) => {
    await page.goto('/tokenomics')
    await expect(offerOf(page)).toHaveCount(0)
    await switchOf(page).getByRole('link', { name: '简体中文' }).click()
    await expect(page).toHaveURL('/zh-hans/tokenomics')
  })
})

test.describe('to a browser that prefers Spanish', () => {
  test.use({ locale: 'es-MX', contextOptions: { reducedMotion: 'no-preference' } })

  test('a page in another language offers Spanish in its words, without a shift or a request', async ({
    page,
  }) => {
    // A font that replaces its fallback after the first paint shifts a little, too.
    await page.route('**/*.woff2', (route) => route.abort())
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    for (const path of ['/about', '/tr/about']) {
      await page.goto(path)
      await waitUntilIdle(page)
      await expect(page).toHaveURL(path)
      await expect(offerOf(page)).toHaveCount(1)
      await expect(offerOf(page)).toHaveAttribute('lang', 'es')
      expect(await shift(page)).toBe(0)
    }
    expect(asked.filter((at) => at.includes('lang') || at.includes('offer'))).toEqual([])
    await offerOf(page).getByRole('link').click()
    await expect(page).toHaveURL('/es/about')
    await expect(offerOf(page)).toHaveCount(0)
    expect(await chosen(page)).toBe('es')
  })

  test('a declined offer is not repeated, and chooses no language', async ({ page }) => {
    await page.goto('/roadmap')
    await waitUntilIdle(page)
    await offerOf(page).getByRole('button').click()
    await expect(offerOf(page)).toHaveCount(0)
    await page.goto('/')
    await waitUntilIdle(page)
    await expect(offerOf(page)).toHaveCount(0)
    expect(await chosen(page)).toBeUndefined()
  })

  test('a screen that search engines do not list opens in Spanish, others offer it', async ({ page }) => {
    await page.goto('/forgot-password?x=1')
    await expect(page).toHaveURL('/es/forgot-password?x=1')
    await page.goto('/leaderboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveURL('/leaderboard')
    await expect(offerOf(page)).toHaveAttribute('lang', 'es')
  })

  test('the chosen language takes precedence over the browser’s', async ({ page, product }) => {
    await page.context().addCookies([{ name: LOCALE_KEY, value: 'tr', url: product.url }])
    await page.goto('/forgot-password')
    await expect(page).toHaveURL('/tr/forgot-password')
    await page.goto('/about')
    await expect(offerOf(page)).toHaveCount(0)
  })
})

test('a visitor who reads in another language than their browser’s keeps it', async ({ page }) => {
  await page.goto('/es/airdrop')
  await expect(offerOf(page)).toHaveAttribute('lang', 'en')
  await page.evaluate(() => Object.assign(document.createElement('a'), { href: '/es/login' }).click())
  await expect(page).toHaveURL('/es/login')
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

for (const value of [
  'xx',
  '__proto__',
  'constructor',
  'AR',
  '//evil.example',
  '%2F%2Fevil.example',
  '"><script>',
])
  test(`the unknown language ${value} is ignored in cookie, storage and address`, async ({
    page,
    product,
  }) => {
    await page.goto('/robots.txt')
    await page.evaluate(
      ([key, text]) => {
        document.cookie = `${key}=${text}; Path=/`
        localStorage.setItem(key, text)
      },
      [LOCALE_KEY, value] as const,
    )
    await page.goto('/login')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveURL('/login')
    const reply = await page.request.get(`${product.url}/${encodeURIComponent(value)}/login`)
    expect(reply.status()).toBe(404)
  })
