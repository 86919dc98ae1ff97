import type { Page } from '@playwright/test'
import { type Locale, LOCALE_KEY, LOCALE_NAMES, LOCALES, localizedPath } from '#contract/locales.ts'
import { expect, test } from '../support/product.ts'
import { chosenLanguage } from '../support/storage.ts'
import { waitUntilIdle } from '../support/wait-until.ts'

const switchOf = (page: Page) => page.getByRole('contentinfo').getByRole('navigation', { name: 'Language' })
const offerOf = (page: Page) => page.locator('.language-offer:visible')

/** The sum of the layout shifts so far, except those after input. */
const layoutShift = (page: Page) =>
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
        // If there was no shift, the observer is never called.
        requestIdleCallback(() => resolve(0), { timeout: 1_000 })
      }),
  )

/** Expects a link to this page in each language, with the language's own name. */
async function expectSwitch(page: Page, current: Locale, path: `/${string}`): Promise<void> {
  const links = page.locator('nav:has(a[lang=ar]):visible').getByRole('link')
  await expect(links, path).toHaveText(Object.values(LOCALE_NAMES))
  const attributes = await links.evaluateAll((all) =>
    all.map((link) => ['lang', 'hreflang', 'href', 'aria-current'].map((name) => link.getAttribute(name))),
  )
  expect(attributes, path).toEqual(
    LOCALES.map((locale) => [
      locale,
      locale,
      localizedPath(locale, path),
      locale === current ? 'true' : null,
    ]),
  )
}

test('the language of a page stays until another language is chosen', async ({ page }) => {
  await test.step('the language of a page is kept, even if it is not the browser’s', async () => {
    await page.goto('/es/airdrop')
    await expect(offerOf(page)).toHaveAttribute('lang', 'en')
    await page.goto('/es/login')
    await expect(page).toHaveURL('/es/login')
    await expect(page.locator('html')).toHaveAttribute('lang', 'es')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectSwitch(page, 'es', '/login')
  })

  await test.step('a choice keeps the query', async () => {
    await page.goto('/about?ref=FRIEND#main')
    await waitUntilIdle(page)
    await expectSwitch(page, 'en', '/about')
    await switchOf(page).getByRole('link', { name: 'Español' }).click()
    await expect(page).toHaveURL('/es/about?ref=FRIEND#main')
    await expect(page.locator('html')).toHaveAttribute('lang', 'es')
    await expectSwitch(page, 'es', '/about')
    expect(await chosenLanguage(page)).toBe('es')
  })

  await test.step('screens follow the choice, even the leaderboard, and its switch leads back to English', async () => {
    await page.goto('/login?from=here#top')
    await expect(page).toHaveURL('/es/login?from=here#top')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.goto('/leaderboard')
    await expect(page).toHaveURL('/es/leaderboard')
    await expectSwitch(page, 'es', '/leaderboard')
    await page.getByRole('contentinfo').getByRole('link', { name: 'English' }).click()
    await expect(page).toHaveURL('/leaderboard')
    expect(await chosenLanguage(page)).toBe('en')
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the language switch leads to the same page, and no language is offered', async ({ page }) => {
    await page.goto('/')
    await expectSwitch(page, 'en', '/')
    await expect(offerOf(page)).toHaveCount(0)
    await switchOf(page).getByRole('link', { name: '简体中文' }).click()
    await expect(page).toHaveURL('/zh-hans')
  })
})

test.describe('to a browser that prefers Spanish', () => {
  test.use({ locale: 'es-MX', contextOptions: { reducedMotion: 'no-preference' } })

  test('a page offers Spanish in Spanish, without a layout shift or a request', async ({ page }) => {
    // A web font that loads after the first paint also shifts the text a little.
    await page.route('**/*.woff2', (route) => route.abort())
    const requestedPaths: string[] = []
    page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname))
    for (const path of ['/about', '/tr/about']) {
      await page.goto(path)
      await waitUntilIdle(page)
      await expect(page).toHaveURL(path)
      await expect(offerOf(page)).toHaveCount(1)
      await expect(offerOf(page)).toHaveAttribute('lang', 'es')
      expect(await layoutShift(page)).toBe(0)
    }
    expect(requestedPaths.filter((path) => /lang|offer/.test(path))).toEqual([])
    await offerOf(page).getByRole('link').click()
    await expect(page).toHaveURL('/es/about')
    await waitUntilIdle(page)
    await expect(offerOf(page)).toHaveCount(0)
    expect(await chosenLanguage(page)).toBe('es')
  })

  test('screens open in Spanish, except those that search engines index, which offer it', async ({
    page,
    product,
  }) => {
    await test.step('before a choice', async () => {
      await page.goto('/forgot-password?x=1')
      await expect(page).toHaveURL('/es/forgot-password?x=1')
      await page.goto('/leaderboard')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page).toHaveURL('/leaderboard')
      await expect(offerOf(page)).toHaveAttribute('lang', 'es')
    })

    await test.step('a declined offer is not repeated, and does not choose a language', async () => {
      await waitUntilIdle(page)
      await offerOf(page).getByRole('button').click()
      await expect(offerOf(page)).toHaveCount(0)
      await page.goto('/')
      await waitUntilIdle(page)
      await expect(offerOf(page)).toHaveCount(0)
      expect(await chosenLanguage(page)).toBeUndefined()
    })

    await test.step('a chosen language takes precedence over the browser’s', async () => {
      await page.evaluate(() => localStorage.clear())
      await page.context().addCookies([{ name: LOCALE_KEY, value: 'tr', url: product.url }])
      await page.goto('/about')
      await waitUntilIdle(page)
      await expect(offerOf(page)).toHaveCount(0)
      await page.goto('/forgot-password')
      await expect(page).toHaveURL('/tr/forgot-password')
    })
  })
})

test('an unknown language is ignored in cookie, storage and address', async ({ page, product }) => {
  // This page has the site's cookies and storage, but none of its scripts.
  await page.goto('/robots.txt')
  const tags = ['xx', '__proto__', 'constructor', 'AR', '//evil.example', '%2F%2Fevil.example', '"><script>']
  for (const value of tags) {
    await page.evaluate(
      ([key, text]) => {
        document.cookie = `${key}=${text}; Path=/`
        localStorage.setItem(key, text)
      },
      [LOCALE_KEY, value] as const,
    )
    await page.goto('/login')
    await expect(page.getByRole('heading', { level: 1 }), value).toBeVisible()
    await expect(page, value).toHaveURL('/login')
    const reply = await page.request.get(`${product.url}/${encodeURIComponent(value)}/login`)
    expect(reply.status(), value).toBe(404)
  }
})
