import type { Page } from '@playwright/test'
import { DEFAULT_LOCALE, LOCALES, localizedPath } from '#contract/locales.ts'
import { ROUTES } from '#web/routes.ts'
import { expect, test as base } from '../support/product.ts'
import {
  type Budget,
  BUDGETS,
  bytesOf,
  FIRST_PAINT,
  type FirstVisit,
  openVisitor,
  visitPage,
  visitScreen,
  visitUntilPaint,
} from '../checks/weight.ts'

const test = base.extend<{ visitor: Page }>({
  visitor: async ({ browser }, use) => {
    const visitor = await openVisitor(browser)
    await use(visitor)
    await visitor.context().close()
  },
})

/** Checks all budgets, even if one is exceeded. */
function expectWithin(budgets: readonly Budget[], visit: FirstVisit, path: string) {
  for (const { name, atMost, measure } of budgets)
    expect.soft(measure(visit), `${name} of ${path}`).toBeLessThanOrEqual(atMost)
  expect(bytesOf(visit.all, 'script'), `${path}: the scripts did not arrive`).toBeGreaterThan(50_000)
}

/** The documentation also requests a style sheet, a script of 1 kB and the font of its code. */
const DOCS_ADDITIONS: Readonly<Record<string, number>> = {
  'requests, number': 3,
  'JavaScript before idle': 1_000,
}
const DOCS_BUDGETS = BUDGETS.page.map((budget) => ({
  ...budget,
  atMost: budget.atMost + (DOCS_ADDITIONS[budget.name] ?? 0),
}))

test('a first visit to a page or to the login screen stays within its budgets', async ({
  product,
  visitor,
}) => {
  for (const [path, budgets] of [
    [ROUTES.home.path, BUDGETS.page],
    [ROUTES.howToBuy.path, BUDGETS.page],
    ['/docs/data-and-backups', DOCS_BUDGETS],
  ] as const) {
    const visit = await visitPage(visitor, product.url + path)
    expectWithin(budgets, visit, path)
    expect(visit.preloadedFonts, path).toBe(2)
    for (const { url, kind, encoding } of visit.all)
      if (['document', 'script', 'stylesheet'].includes(kind)) expect(encoding, url.pathname).toBe('br')
  }
  const { path } = ROUTES.login
  expectWithin(BUDGETS.screen, await visitScreen(visitor, product.url + path), path)
})

/** Fonts with the additional letters of Turkish. */
const TURKISH_FONT = /-latin-ext-core\.woff2$/
/** Draws the language's name 简体中文 on a device without a Chinese font. */
const CHINESE_NAME_FONT = /^noto-sans-sc-/

test('before its first paint, a page requests only the listed files, none of them too large, and fonts of its language', async ({
  product,
  visitor,
}) => {
  const englishRoutes = [ROUTES.home, ROUTES.about, ROUTES.tokenomics, ROUTES.howToBuy, ROUTES.roadmap]
  const otherLocales = LOCALES.filter((locale) => locale !== DEFAULT_LOCALE)
  for (const path of [
    ...englishRoutes.map((route) => route.path),
    ...otherLocales.map((locale) => localizedPath(locale, '/')),
  ]) {
    const bytesByName = await visitUntilPaint(visitor, product.url + path)
    for (const [name, bytes] of bytesByName) {
      expect(bytes, `${name} of ${path} came from a cache`).toBeGreaterThan(0)
      if (!TURKISH_FONT.test(name) && !CHINESE_NAME_FONT.test(name))
        expect(bytes, `${name} of ${path}`).toBeLessThanOrEqual(FIRST_PAINT.get(name) ?? 0)
    }
    expect([...FIRST_PAINT.keys()].filter((name) => !bytesByName.has(name))).toEqual([])
    expect([...bytesByName.keys()].some((name) => TURKISH_FONT.test(name))).toBe(
      path === localizedPath('tr', '/'),
    )
  }
})

test('Home links its manifest, kerns its text, and loads only the fonts that the text needs', async ({
  page,
}) => {
  const fetched: string[] = []
  page.on('request', (request) => {
    const [, name] = /\/([a-z-]+)-[^/]*\.woff2$/.exec(request.url()) ?? []
    if (name) fetched.push(name)
  })
  await page.goto('/')
  await page.evaluate(() => document.fonts.ready)

  await test.step('the manifest is linked once', async () => {
    const manifest = page.locator('link[rel="manifest"]')
    await expect(manifest).toHaveAttribute('href', '/site.webmanifest')
    await expect(manifest).toHaveCount(1)
  })

  await test.step('the text font kerns at every weight, and its weight varies', async () => {
    const widths = await page.evaluate(() => {
      const drawing = document.createElement('canvas').getContext('2d')
      if (!drawing) throw new Error('no canvas')
      return [400, 500, 600].map((weight) => {
        drawing.font = `${weight} 1000px "Instrument Sans Variable"`
        const widthOf = (text: string, kerning: CanvasFontKerning) => {
          drawing.fontKerning = kerning
          return drawing.measureText(text).width
        }
        return { kerning: widthOf('To', 'normal') - widthOf('To', 'none'), width: widthOf('o', 'none') }
      })
    })
    for (const { kerning } of widths) expect(kerning).toBeLessThan(-20)
    expect(new Set(widths.map(({ width }) => Math.round(width))).size).toBe(3)
  })

  await test.step('a further subset of a font loads only for text that needs it', async () => {
    const write = (text: string) =>
      page.evaluate(async (words) => {
        document.querySelector('h1')?.append(words)
        await document.fonts.ready
      }, text)
    expect(fetched.filter((name) => !/-latin-core$|^noto-sans-sc/.test(name))).toEqual([])
    await write(' Zoë')
    expect(fetched).toContain('bricolage-grotesque-latin-rest')
    expect(fetched).not.toContain('bricolage-grotesque-latin-ext-core')
    await write(' İzmir')
    expect(fetched).toContain('bricolage-grotesque-latin-ext-core')
    expect(fetched).not.toContain('bricolage-grotesque-latin-ext-rest')
    await write(' Łódź')
    expect(fetched).toContain('bricolage-grotesque-latin-ext-rest')
  })
})
