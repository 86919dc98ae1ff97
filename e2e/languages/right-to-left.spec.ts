import { localizedPath } from '#contract/locales.ts'
import { expectAccessible } from '../checks/axe.ts'
import { createAccounts, EVERY_ROUTE, open } from '../checks/every-route.ts'
import { expectNothingLost } from '../checks/fit.ts'
import { expect, test } from '../support/product.ts'

test.use({ locale: 'ar' })

/** What participants and visitors see: in Arabic, the dashboard is in English. */
const ROUTES = EVERY_ROUTE.filter(({ who, path }) => who !== 'administrator' && path !== '/api/docs')

test('in Arabic nothing sticks out, and code and addresses run from left to right', async ({
  page,
  product,
}) => {
  test.setTimeout(240_000)
  const accounts = await createAccounts(product)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const route of ROUTES.map((visit) => ({
    ...visit,
    path: localizedPath('ar', visit.path),
  }))) {
    await open(page, product, route, accounts)
    await expect(page).toHaveURL(route.path)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expectNothingLost(page, route.path)
    if (route.path === localizedPath('ar', '/setup'))
      await expect(page.getByRole('main'), 'English text').toHaveCSS('direction', 'ltr')
    const wrong = await page
      .locator('pre, code, input[type=email], input[inputmode=numeric], .pulse path')
      .evaluateAll((boxes) =>
        boxes
          .filter((box) =>
            box.matches('.pulse path')
              ? new DOMMatrix(getComputedStyle(box.parentElement ?? box).transform).a < 0 ||
                getComputedStyle(box.parentElement ?? box).scale !== 'none'
              : getComputedStyle(box).direction !== 'ltr',
          )
          .map((box) => box.outerHTML.slice(0, 80)),
      )
    expect(wrong, route.path).toEqual([])
    const addresses = page.getByText(/^(0x[0-9a-f…]+|https?:\/\/\S+)$/i)
    for (const address of await addresses.all())
      expect(await address.evaluate((element) => getComputedStyle(element).direction), route.path).toBe('ltr')
  }
})

test('footer, menu and offer are accessible in Arabic', async ({ page }) => {
  await page.goto('/about')
  await expect(page.locator('.language-offer:visible')).toHaveAttribute('dir', 'rtl')
  await expectAccessible(page, 'the offer')
  await page.locator('.language-offer:visible').getByRole('link').click()
  await expect(page).toHaveURL('/ar/about')
  await expect(page.getByRole('main')).toBeVisible()
  await expectAccessible(page, 'the page in Arabic')
  await page.setViewportSize({ width: 320, height: 640 })
  await page.locator('[commandfor="side-menu"]').first().click()
  await expect(page.getByRole('dialog')).toBeInViewport()
  await expectAccessible(page, 'the menu', '#side-menu')
})

test('an icon is mirrored by the direction of what surrounds it, not by that of the page', async ({
  page,
}) => {
  await page.goto('/ar/about')
  const scales = await page.evaluate(() =>
    ['ar', 'en'].map((lang) => {
      const box = document.createElement('div')
      Object.assign(box, { lang, dir: lang === 'ar' ? 'rtl' : 'ltr' })
      const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
      icon.setAttribute('class', 'rtl:-scale-x-100')
      box.append(icon)
      document.body.append(box)
      return getComputedStyle(icon).scale
    }),
  )
  expect(scales).toEqual(['-1 1', 'none'])
})
