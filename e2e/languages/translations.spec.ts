import { appeal } from '#contract/claims/claims.ts'
import { DEFAULT_LOCALE, LOCALES, localizedPath } from '#contract/locales.ts'
import { expectAccessible, expectAccessibleExceptColors, PHONE } from '../checks/axe.ts'
import { createAccounts, EVERY_ROUTE, open } from '../checks/every-route.ts'
import { expectLargeTextFits, expectNothingClipped, withLargeText } from '../checks/fit.ts'
import { claimOf, reject } from '../steps/dashboard-steps.ts'
import { expect, test } from '../support/product.ts'
import { chosenLanguage, store } from '../support/storage.ts'

/** The dashboard and the API page are not in Arabic. */
const ROUTES = EVERY_ROUTE.filter(({ who, path }) => who !== 'administrator' && path !== '/api/docs')
/**
 * These routes have all translated forms, tables and labeled regions. On the other routes, translations
 * differ from English only in words, so axe would find the same.
 */
const LABELED = /^\/(about|howtobuy|rules|allocation|check|airdrop|leaderboard|register|login|profile)?$/

test.describe('in Arabic', () => {
  test.use({ locale: 'ar' })

  test('every route fits, routes with labels are accessible, and code runs left to right', async ({
    page,
    product,
  }) => {
    test.setTimeout(240_000)
    const accounts = await createAccounts(product)
    for (const visit of ROUTES) {
      await open(page, product, visit, accounts, 'ar')
      const path = localizedPath('ar', visit.path)
      await expect(page).toHaveURL(path)
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
      await expectNothingClipped(page, path)
      if (visit.path === '/setup')
        await expect(page.getByRole('main'), 'English text').toHaveCSS('direction', 'ltr')
      // Code, emails and digits must run left to right, and the line of the chain's pulse is not mirrored.
      const wrongParts = await page
        .locator('pre, code, input[type=email], input[inputmode=numeric], .pulse path')
        .evaluateAll((boxes) =>
          boxes
            .filter((box) => {
              if (!box.matches('.pulse path')) return getComputedStyle(box).direction !== 'ltr'
              const { transform, scale } = getComputedStyle(box.parentElement ?? box)
              return new DOMMatrix(transform).a < 0 || scale !== 'none'
            })
            .map((box) => box.outerHTML.slice(0, 80)),
        )
      expect(wrongParts, path).toEqual([])
      const wrongAddresses = await page
        .getByText(/^(0x[0-9a-f…]+|https?:\/\/\S+)$/i)
        .evaluateAll((boxes) => boxes.filter((box) => getComputedStyle(box).direction !== 'ltr').length)
      expect(wrongAddresses, path).toBe(0)
      if (!LABELED.test(visit.path)) continue
      await page.setViewportSize(PHONE)
      await expectAccessibleExceptColors(page, path)
    }
  })

  test('the language offer, the page and its menu are accessible and mirrored', async ({ page }) => {
    const offer = page.locator('.language-offer:visible')

    await test.step('a page in another language makes an accessible offer in Arabic', async () => {
      await page.goto('/about')
      await expect(offer).toHaveAttribute('dir', 'rtl')
      await expectAccessible(page, 'the offer', '.language-offer[lang=ar]')
      await offer.getByRole('link').click()
      await expect(page).toHaveURL('/ar/about')
      await expect(page.getByRole('main')).toBeVisible()
      await expectAccessible(page, 'the page in Arabic')
    })

    await test.step('the direction of the surrounding element decides whether an icon is mirrored', async () => {
      const scales = await page.evaluate(() =>
        ['ar', 'en'].map((lang) => {
          const box = document.createElement('div')
          Object.assign(box, { lang, dir: lang === 'ar' ? 'rtl' : 'ltr' })
          const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
          icon.setAttribute('class', 'rtl:-scale-x-100')
          box.append(icon)
          document.body.append(box)
          const { scale } = getComputedStyle(icon)
          box.remove()
          return scale
        }),
      )
      expect(scales).toEqual(['-1 1', 'none'])
    })

    await test.step('the side menu is accessible and has the language switch', async () => {
      await page.setViewportSize({ width: 320, height: 640 })
      await page.locator('[commandfor="side-menu"]').first().click()
      const menu = page.getByRole('dialog')
      await expect(menu).toBeInViewport()
      await expectAccessible(page, 'the menu', '#side-menu')
      await menu.getByRole('link', { name: 'Türkçe' }).click()
      await expect(page).toHaveURL('/tr/about')
      expect(await chosenLanguage(page)).toBe('tr')
    })
  })
})

test('routes with labels are accessible in every other language', async ({ page, product }) => {
  // There are more than forty visits.
  test.slow()
  await page.setViewportSize(PHONE)
  const accounts = await createAccounts(product)
  for (const locale of LOCALES.filter((each) => ![DEFAULT_LOCALE, 'ar'].includes(each)))
    await test.step(locale, async () => {
      for (const visit of ROUTES.filter(({ path }) => LABELED.test(path))) {
        await open(page, product, visit, accounts, locale)
        await expect(page.locator('html')).toHaveAttribute('lang', locale)
        await expectAccessibleExceptColors(page, `${visit.path}, ${locale}`)
      }
    })
})

test('in every language, airdrop and profile fit a phone with text at 200 %', async ({ page, product }) => {
  const [rejected, appealed] = [await product.newClaimant(), await product.newClaimant()]
  for (const claimant of [rejected, appealed]) await reject(product, claimant)
  const { _id: taskId } = await claimOf(product, appealed)
  await product.callOrFail(appeal, {
    token: appealed.token,
    params: { taskId },
    body: { text: 'Look again.' },
  })
  const screens = [
    { who: rejected, path: '/airdrop', content: 'main time' },
    { who: rejected, path: '/airdrop?step=proof', content: 'main form' },
    { who: appealed, path: '/profile', content: 'main blockquote' },
  ] as const
  for (const { who, path, content } of screens) {
    await product.storeSession(page, who)
    for (const locale of LOCALES) {
      await store(page, { locale })
      await page.goto(localizedPath(locale, path))
      await expect(page.locator('html')).toHaveAttribute('lang', locale)
      await expect(page.locator(content)).toBeVisible()
      await expectLargeTextFits(page, `${path}, ${locale}`)
    }
  }
  await store(page, { locale: DEFAULT_LOCALE })
  await product.openAs(page, rejected, '/airdrop')
  await page.getByRole('button', { name: 'Claim Now' }).click()
  const task = page.locator('button[data-done]').first()
  await withLargeText(page, async () => {
    const share = await task.evaluate(
      ({ children, clientWidth }) => (children[1]?.clientWidth ?? 0) / clientWidth,
    )
    expect(share, 'room for the words of a task').toBeGreaterThan(0.5)
  })
})
