import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import campaign from '#server/testing/campaign.ts'
import { siteWithoutDatabase, startSite } from '#server/testing/builders/site.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { PREVIEW_PAGES } from '#contract/dashboard/settings.ts'
import { ROUTES } from '#web/routes.ts'
import { prepareForSandbox } from '#server/domain/settings/render-draft.ts'
import { createPublicAnswers } from '#server/platform/http/public-answers/public-answers.ts'

async function siteWithSettings(t: TestContext) {
  let current: CampaignFile = campaign
  const publicAnswers = createPublicAnswers({ keepForMs: 60_000 })
  const site = await startSite(t, {
    ...siteWithoutDatabase(campaign),
    publicAnswers,
    get campaign() {
      return current
    },
    findInviter: async () => ({ username: 'ann' }),
  })
  const change = (next: CampaignFile) => {
    current = next
    publicAnswers.expire()
  }
  return { ...site, change }
}

const renamed: CampaignFile = {
  ...campaign,
  name: 'Night Almanac Airdrop',
  token: { ...campaign.token, name: 'Night Almanac', symbol: 'NIGHT' },
}

const PAGES = [...Object.values(ROUTES).map(({ path }) => path), '/register?ref=ABC', '/nowhere']
const FILES = ['/site.webmanifest', '/tokenlist.json', '/.well-known/dropwright.json']
const LOGO = `/brand/${'a'.repeat(64)}-384x96.webp`
const titleOf = (html: string) => /<title>[^<]*/.exec(html)?.[0] ?? assert.fail('no title')
const COLORS = { accent: { light: '#0a5cff', dark: '#7aa7ff' }, paper: { dark: '#0b0b0b' } }

test('every page and file shows a changed setting at once, and no longer the old one', async (t) => {
  const { get, change } = await siteWithSettings(t)
  const urls = [...PAGES, ...FILES]
  const etags = new Map<string, unknown>()
  for (const url of urls) {
    const { body, headers } = await get(url)
    assert.ok(body.includes(campaign.token.name), url)
    etags.set(url, headers['etag'])
  }
  change(renamed)
  for (const url of urls) {
    const { body, headers } = await get(url)
    assert.ok(body.includes('Night Almanac'), url)
    // Only titles are checked, because the texts of the campaign mention the old name.
    if (FILES.includes(url)) assert.equal((JSON.parse(body) as { name: string }).name, 'Night Almanac', url)
    else assert.doesNotMatch(titleOf(body), new RegExp(campaign.token.name), url)
    assert.notEqual(headers['etag'], etags.get(url), url)
  }
})

test('every page shows a changed look at once', async (t) => {
  const { get, change } = await siteWithSettings(t)
  for (const url of [...PAGES, ...FILES])
    assert.doesNotMatch((await get(url)).body, /\/look\/|\/brand\//, url)
  change({ ...campaign, look: { logo: LOGO, colors: COLORS } })
  const sheets = new Set<string>()
  for (const url of PAGES) {
    const { body } = await get(url)
    const [, sheet = ''] = /<link rel="stylesheet" href="(\/look\/[0-9a-f]{16}\.css)"\/>/.exec(body) ?? []
    sheets.add(sheet)
    assert.match(body, /name="theme-color" media="\(prefers-color-scheme: dark\)" content="#0b0b0b"/, url)
  }
  const [sheet = '', ...others] = sheets
  assert.match((await get(sheet)).body, /#0a5cff/)
  assert.deepEqual(others, [])
})

test('the icon is the logo of a changed look, or without a logo the mascot in the colors of the look', async (t) => {
  const { get, change } = await siteWithSettings(t)
  change({ ...campaign, look: { logo: LOGO, colors: COLORS } })
  assert.match(
    (await get('/')).body,
    /<link rel="icon" type="image\/png" href="\/icon-192\.png\?v=aaaaaaaa"\/>/,
  )
  assert.doesNotMatch((await get('/site.webmanifest')).body, /favicon\.svg/)
  change({ ...campaign, look: { colors: COLORS } })
  assert.match((await get('/')).body, /href="data:image\/svg\+xml,[^"]*%237aa7ff/)
})

test('a page keeps its ETag until its content changes, even for simultaneous visitors', async (t) => {
  const { get, change } = await siteWithSettings(t)
  const etag = async () => (await get('/rules')).headers['etag']
  const before = await etag()
  assert.equal(await etag(), before)
  change({ ...campaign })
  assert.equal(await etag(), before, 'the same content')
  change(renamed)
  const [one, other] = await Promise.all([etag(), etag()])
  assert.notEqual(one, before)
  assert.equal(one, other)
})

test('share pictures follow a changed setting, and the previous pictures stay for open pages', async (t) => {
  const { get, change } = await siteWithSettings(t)
  const pictureOf = async (path: string) =>
    /property="og:image" content="https:\/\/almanac\.example(\/pictures\/[^"]+)"/.exec(
      (await get(path)).body,
    )?.[1] ?? ''
  const assertServed = async (url: string) => {
    const { statusCode, headers } = await get(url)
    assert.equal(statusCode, 200, url)
    assert.equal(headers['content-type'], 'image/png', url)
  }
  const first = await pictureOf('/')
  assert.match(first, /^\/pictures\/home-/)
  for (const url of [first, await pictureOf('/about')]) await assertServed(url)

  change(renamed)
  const second = await pictureOf('/')
  assert.notEqual(second, first)
  for (const url of [second, first]) await assertServed(url)

  // No picture shows this setting.
  change({ ...renamed, airdrop: { ...renamed.airdrop, slots: 20_000 } })
  assert.equal(await pictureOf('/'), second)
  await assertServed(first)

  change({ ...renamed, token: { ...renamed.token, name: 'Third' } })
  assert.notEqual(await pictureOf('/'), second)
  for (const url of [first, '/pictures/nothing.png']) assert.equal((await get(url)).statusCode, 404, url)
})

test('the preview offers only pages of the site', () => {
  const pages: string[] = Object.values(ROUTES).flatMap(({ kind, path }) => (kind === 'page' ? [path] : []))
  for (const page of PREVIEW_PAGES) assert.ok(pages.includes(page), page)
})

test('a draft is rendered without scripts and does not change the site', async (t) => {
  const { get, render } = await siteWithSettings(t)
  for (const page of PREVIEW_PAGES) {
    const html = await render(page, renamed, 'en')
    assert.match(titleOf(html), /Night Almanac|NIGHT/, page)
    const framed = prepareForSandbox(html)
    assert.doesNotMatch(framed, /<script|modulepreload|manifest/, page)
    assert.match(framed, /<base target="_blank"\/>/)
    assert.match(framed, /rel="stylesheet"/)
    assert.doesNotMatch((await get(page)).body, /Night Almanac/)
  }
})

test('a draft is rendered with all texts in the administrator’s language', async (t) => {
  const { render } = await siteWithSettings(t)
  const translated = { ...renamed, translations: { es: { 'texts.hero': 'Un almanaque de la noche' } } }
  const html = await render('/', translated, 'es')
  assert.match(html, /<html lang="es"/)
  assert.match(html, /Un almanaque de la noche/)
  assert.doesNotMatch(await render('/', translated, 'en'), /Un almanaque de la noche/)
})
