import { DEFAULT_LOCALE, LOCALES, localizedPath } from '#contract/locales.ts'
import { ROUTES } from '#web/routes.ts'
import { expect, test } from '../support/product.ts'
import {
  type Budget,
  BUDGETS,
  bytesOf,
  FIRST_PAINT,
  type Visit,
  visitPage,
  visitScreen,
  visitUntilPaint,
} from '../checks/weight.ts'

/** Checks every budget, so that an exceeded one does not hide another. */
function expectWithin(budgets: readonly Budget[], visit: Visit) {
  for (const { what, atMost, of } of budgets) expect.soft(of(visit), what).toBeLessThanOrEqual(atMost)
}

/** A style sheet, a script of 1 kB of its own, and the face of its code, are three requests more. */
const OF_DOCS: Readonly<Record<string, number>> = { 'requests, number': 3, 'JavaScript before idle': 1_000 }
const ofDocs = BUDGETS.page.map((budget) => ({
  ...budget,
  atMost: budget.atMost + (OF_DOCS[budget.what] ?? 0),
}))

for (const [path, budgets] of [
  [ROUTES.home.path, BUDGETS.page],
  [ROUTES.howToBuy.path, BUDGETS.page],
  ['/docs/data-and-backups', ofDocs],
] as const)
  test(`a first visit to ${path} stays within its budgets`, async ({ browser, product }) => {
    const visit = await visitPage(browser, product.url + path)
    expectWithin(budgets, visit)
    expect(bytesOf(visit.inAll, 'script'), 'the islands did not come').toBeGreaterThan(50_000)
    expect(visit.preloads).toBe(2)
    for (const { url, kind, encoding } of visit.inAll)
      if (['document', 'script', 'stylesheet'].includes(kind)) expect(encoding, url.pathname).toBe('br')
  })

test('a first visit to the login screen stays within its budget', async ({ browser, product }) => {
  const visit = await visitScreen(browser, product.url + ROUTES.login.path)
  expectWithin(BUDGETS.screen, visit)
  expect(bytesOf(visit.inAll, 'script'), 'the application did not come').toBeGreaterThan(50_000)
})

/** The files of the letters that Turkish adds, one for each family that shows some before the first paint. */
const OF_TURKISH = /-latin-ext-core\.woff2$/

for (const path of [
  ...[ROUTES.home, ROUTES.about, ROUTES.tokenomics, ROUTES.howToBuy, ROUTES.roadmap].map(
    (route) => route.path,
  ),
  ...LOCALES.filter((locale) => locale !== DEFAULT_LOCALE).map((locale) => localizedPath(locale, '/')),
])
  test(`before its first paint, ${path} requests only what arrives in time`, async ({ browser, product }) => {
    const requested = await visitUntilPaint(browser, product.url + path)
    for (const [name, bytes] of requested)
      if (!OF_TURKISH.test(name)) expect(bytes, name).toBeLessThanOrEqual(FIRST_PAINT.get(name) ?? 0)
    expect([...FIRST_PAINT.keys()].filter((name) => !requested.has(name))).toEqual([])
    expect([...requested.keys()].some((name) => OF_TURKISH.test(name))).toBe(
      path === localizedPath('tr', '/'),
    )
  })

test('a page names its manifest after its first paint, a screen at once', async ({ page, request }) => {
  const inHtml = async (path: string) => (await (await request.get(path)).text()).includes('rel="manifest"')
  expect(await inHtml(ROUTES.home.path)).toBe(false)
  expect(await inHtml(ROUTES.login.path)).toBe(true)
  await page.goto(ROUTES.home.path)
  const manifest = page.locator('link[rel="manifest"]')
  await expect(manifest).toHaveAttribute('href', '/site.webmanifest')
  await expect(manifest).toHaveCount(1)
})

test('the text font kerns at every weight, and varies', async ({ page }) => {
  await page.goto('/')
  await page.evaluate(() => document.fonts.ready)
  const widths = await page.evaluate(() => {
    const drawing = document.createElement('canvas').getContext('2d')
    if (!drawing) throw new Error('no canvas')
    return [400, 500, 600].map((weight) => {
      drawing.font = `${weight} 1000px "Instrument Sans Variable"`
      const widthOf = (text: string, kerning: CanvasFontKerning) => {
        drawing.fontKerning = kerning
        return drawing.measureText(text).width
      }
      return { kerned: widthOf('To', 'normal') - widthOf('To', 'none'), width: widthOf('o', 'none') }
    })
  })
  for (const { kerned } of widths) expect(kerned).toBeLessThan(-20)
  expect(new Set(widths.map(({ width }) => Math.round(width))).size).toBe(3)
})

test('loads further subsets of a font only for text that needs them', async ({ page }) => {
  const fetched: string[] = []
  page.on('request', (request) => {
    const [, name] = /\/([a-z-]+)-[^/]*\.woff2$/.exec(request.url()) ?? []
    if (name) fetched.push(name)
  })
  const write = (text: string) =>
    page.evaluate(async (words) => {
      document.querySelector('h1')?.append(words)
      await document.fonts.ready
    }, text)
  await page.goto('/')
  await page.evaluate(() => document.fonts.ready)
  expect(fetched.filter((name) => !name.endsWith('-latin-core'))).toEqual([])
  await write(' Zoë')
  expect(fetched).toContain('bricolage-grotesque-latin-rest')
  expect(fetched).not.toContain('bricolage-grotesque-latin-ext-core')
  await write(' İzmir')
  expect(fetched).toContain('bricolage-grotesque-latin-ext-core')
  expect(fetched).not.toContain('bricolage-grotesque-latin-ext-rest')
  await write(' Łódź')
  expect(fetched).toContain('bricolage-grotesque-latin-ext-rest')
})

test('no page has inline code, and every response but the sandbox has the same policy', async ({
  request,
}) => {
  const policies = new Set<string | undefined>()
  for (const path of [...Object.values(ROUTES).map((route) => route.path), '/nowhere']) {
    const response = await request.get(path)
    if (path !== ROUTES.check.path) policies.add(response.headers()['content-security-policy'])
    const html = await response.text()
    expect(html, path).not.toMatch(/<style|\sstyle=|<[a-z][^>]*\son[a-z]+=/i)
    for (const [tag] of html.matchAll(/<script[^>]*>/gi))
      expect(tag, path).toMatch(/ src="|type="application\/(ld\+)?json"/)
  }
  expect(policies.size).toBe(1)
  const [policy = ''] = policies
  expect(policy).not.toMatch(/unsafe|nonce-|sha256-|https?:/)
})
