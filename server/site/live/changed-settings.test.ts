import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import Fastify from 'fastify'
import campaign from '#server/testing/campaign.ts'
import { siteWithoutDatabase } from '#server/testing/builders/site.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { PREVIEW_PAGES } from '#contract/dashboard/settings.ts'
import { ROUTES } from '#web/routes.ts'
import { prepareForSandbox } from '#server/domain/settings/render-draft.ts'
import { createPublicAnswers } from '#server/platform/http/public-answers/public-answers.ts'
import { registerSite } from '../register-site.ts'

/** A site whose campaign the test changes, as the database does. */
async function siteOf(t: TestContext) {
  const app = Fastify()
  t.after(() => app.close())
  let current: CampaignFile = campaign
  const publicAnswers = createPublicAnswers({ keepForMs: 60_000 })
  const render = await registerSite(app, {
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
  return { change, render, get: (url: string) => app.inject({ url }) }
}

const renamed: CampaignFile = {
  ...campaign,
  name: 'Night Almanac Airdrop',
  token: { ...campaign.token, name: 'Night Almanac', symbol: 'NIGHT' },
}

test('every page and file shows a changed setting and look at once, and no longer the old ones', async (t) => {
  const { get, change } = await siteOf(t)
  const pages = [...Object.values(ROUTES).map(({ path }) => path), '/register?ref=ABC', '/nowhere']
  const urls = [...pages, '/site.webmanifest', '/tokenlist.json', '/.well-known/dropwright.json']
  const sheetIn = (html: string) =>
    /<link rel="stylesheet" href="(\/look\/[0-9a-f]{16}\.css)"\/>/.exec(html)?.[1]
  const etags = new Map<string, unknown>()
  for (const url of urls) {
    const { body, headers } = await get(url)
    assert.ok(body.includes(campaign.token.name), url)
    assert.doesNotMatch(body, /\/look\/|\/brand\//, url)
    etags.set(url, headers['etag'])
  }
  const logo = `/brand/${'a'.repeat(64)}-384x96.webp`
  const colors = { accent: { light: '#0a5cff', dark: '#7aa7ff' }, paper: { dark: '#0b0b0b' } }
  change({ ...renamed, look: { logo, colors } })
  const sheets = new Set<string | undefined>()
  for (const url of urls) {
    const { body, headers } = await get(url)
    assert.ok(body.includes('Night Almanac'), url)
    // The texts of the campaign mention the old name themselves; the title does not.
    assert.doesNotMatch(/<title>[^<]*/.exec(body)?.[0] ?? '', new RegExp(campaign.token.name), url)
    assert.notEqual(headers['etag'], etags.get(url), url)
    if (!pages.includes(url)) continue
    sheets.add(sheetIn(body))
    assert.match(body, /name="theme-color" media="\(prefers-color-scheme: dark\)" content="#0b0b0b"/, url)
  }
  assert.equal(sheets.size, 1)
  const [sheet = ''] = sheets
  assert.match((await get(sheet)).body, /#0a5cff/)
  const home = (await get('/')).body
  assert.match(home, /<link rel="icon" type="image\/png" href="\/icon-192\.png\?v=aaaaaaaa"\/>/)
  assert.doesNotMatch((await get('/site.webmanifest')).body, /favicon\.svg/)
  change({ ...renamed, look: { colors } })
  assert.match((await get('/')).body, /href="data:image\/svg\+xml,[^"]*%237aa7ff/)
})

test('a page keeps its ETag until its content changes, and visitors who come together get the same one', async (t) => {
  const { get, change } = await siteOf(t)
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

test('share pictures follow a changed setting; those of pages that are still open stay', async (t) => {
  const { get, change } = await siteOf(t)
  const pictureOf = async (path: string) =>
    /property="og:image" content="https:\/\/almanac\.example(\/pictures\/[^"]+)"/.exec(
      (await get(path)).body,
    )?.[1] ?? ''
  for (const { path } of Object.values(ROUTES).filter(({ kind }) => kind === 'page')) {
    const { statusCode, headers } = await get(await pictureOf(path))
    assert.deepEqual([statusCode, headers['content-type']], [200, 'image/png'], path)
  }
  const old = await pictureOf('/')
  assert.match(old, /^\/pictures\/home-/)
  change(renamed)
  const next = await pictureOf('/')
  assert.notEqual(next, old)
  for (const url of [next, old]) {
    const { statusCode, headers } = await get(url)
    assert.equal(statusCode, 200, url)
    assert.equal(headers['content-type'], 'image/png')
  }
  // A setting that no picture shows.
  change({ ...renamed, airdrop: { ...renamed.airdrop, slots: 20_000 } })
  assert.equal(await pictureOf('/'), next)
  assert.equal((await get(old)).statusCode, 200)
  change({ ...renamed, token: { ...renamed.token, name: 'Third' } })
  assert.notEqual(await pictureOf('/'), next)
  assert.equal((await get(old)).statusCode, 404)
  assert.equal((await get('/pictures/nothing.png')).statusCode, 404)
})

test('a draft can be rendered without changing the site, and without scripts for a frame', async (t) => {
  const { get, render } = await siteOf(t)
  for (const page of PREVIEW_PAGES) {
    const html = await render(page, renamed, 'en')
    assert.match(/<title>[^<]*/.exec(html)?.[0] ?? '', /Night Almanac|NIGHT/, page)
    const framed = prepareForSandbox(html)
    assert.doesNotMatch(framed, /<script|modulepreload|manifest/, page)
    assert.match(framed, /<base target="_blank"\/>/)
    assert.match(framed, /rel="stylesheet"/)
    assert.doesNotMatch((await get(page)).body, /Night Almanac/)
  }
})

test('a draft is rendered in the language of the administrator, with the campaign’s texts in it', async (t) => {
  const { render } = await siteOf(t)
  const translated = { ...renamed, translations: { es: { 'texts.hero': 'Un almanaque de la noche' } } }
  const html = await render('/', translated, 'es')
  assert.match(html, /<html lang="es"/)
  assert.match(html, /Un almanaque de la noche/)
  assert.doesNotMatch(await render('/', translated, 'en'), /Un almanaque de la noche/)
})
