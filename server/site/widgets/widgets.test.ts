import assert from 'node:assert/strict'
import { get, type IncomingHttpHeaders } from 'node:http'
import { test, type TestContext } from 'node:test'
import { Script } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { ENDPOINTS } from '#server/testing/endpoints.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { LOCALES, localizedPath } from '#contract/locales.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { submitProof } from '#server/domain/claims/submission/submit-proof.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { campaignWith } from '#server/testing/database/races.ts'
import { testNode } from '#server/testing/deps.ts'
import { readCampaign } from '#server/domain/campaign/read-campaign.ts'
import { renderSlots } from './render-widget.ts'

const HOST = { host: 'localhost:3000' }

async function setUp(t: TestContext, campaign?: CampaignFile) {
  const api = await testApi(t, campaign ? { campaign } : {})
  const open = (url: string, headers = {}) => api.inject({ url, headers: { ...HOST, ...headers } })
  return { ...api, open }
}

const WIDGETS = ['/widget/slots', '/widget/leaderboard']
const BUDGET_BYTES = 10_000

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors *; require-trusted-types-for 'script'; trusted-types 'none'"

test('the slots widget shows the slots left without script, and escapes the campaign’s name', async (t) => {
  const campaign = { ...campaignWith({ slots: 12_345 }), name: 'A <b>& "B"' }
  const { open, db, deps } = await setUp(t, campaign)
  const [user] = await createUsers(db, campaign.id, 1)
  await submitProof(deps, user.id, freshProof())
  const slots = (await open('/widget/slots')).text
  assert.match(slots, /<p class="figure" data-figure>12,344<\/p>/)
  assert.match(slots, />of 12,345 slots left<\/p>/)
  assert.match(slots, /<h1>A &lt;b&gt;&amp; &quot;B&quot;<\/h1>/)
  assert.match(slots, /href="http:\/\/localhost:3000\/airdrop" target="_blank" rel="noopener"/)
})

test('the leaderboard widget shows as many rows as its address asks for, and no emails', async (t) => {
  const { open, db, deps } = await setUp(t)
  await createUsers(db, deps.campaign.id, 7)
  for (const [query, count] of [
    ['', 5],
    ['?rows=10', 7],
    ['?rows=1&theme=dark', 1],
  ] as const) {
    const { text } = await open(`/widget/leaderboard${query}`)
    assert.equal(text.match(/<tr><td>/g)?.length, count, query)
    assert.ok(text.includes(query.includes('dark') ? 'data-theme="dark"' : 'data-theme="auto"'))
    assert.ok(!text.includes('@crowd.example') && !text.includes('•'), 'no email, not even a masked one')
  }
})

test('a widget refuses an unknown parameter, theme or number of rows', async (t) => {
  const { open } = await setUp(t)
  for (const url of [
    '/widget/slots?theme=red',
    '/widget/leaderboard?rows=0',
    '/widget/leaderboard?rows=11',
    '/widget/slots?x=1',
  ])
    assert.equal((await open(url)).status, 400, url)
})

test('the slots widget says how many slots are left, or why none can be taken', async (t) => {
  const now = Date.parse('2026-06-01T00:00:00Z')
  const { deps } = await testNode(t, campaignWith({ slots: 10 }))
  const campaign = await readCampaign(deps)
  const frame = { name: 'x', publicUrl: '', theme: 'auto', locale: 'en' } as const
  const lineOf = (changes: Partial<typeof campaign>) => {
    const html = renderSlots({ ...campaign, open: false, closesAt: null, ...changes }, frame, now)
    const [, figure] = /data-figure>(.*?)</.exec(html) ?? []
    const [, line] = /data-line [^>]*>(.*?)</.exec(html) ?? []
    return `${figure} ${line}`.trim()
  }
  const none = { total: 10, left: 0 }
  assert.equal(lineOf({ open: true }), '10 of 10 slots left')
  assert.equal(lineOf({ slots: none }), 'All 10 slots are taken')
  assert.equal(lineOf({ opensAt: '2026-07-01T10:00:00Z' }), '10 slots, open from 1 July 2026, 10:00 UTC')
  assert.equal(lineOf({ closesAt: '2026-05-01T00:00:00Z', slots: none }), 'The airdrop has closed')
  assert.equal(lineOf({}), '10 slots left, not open right now')
})

test('a widget has the texts, numbers, direction and links of the language in its address', async (t) => {
  const translations = { tr: { name: 'Deneme <kampanya>' } }
  const campaign = { ...campaignWith({ slots: 12_345 }), translations }
  const { open, db, deps } = await setUp(t, campaign)
  await createUsers(db, campaign.id, 1)
  const widgetIn = async (path: string, query: string) => (await open(`/widget/${path}?${query}`)).text
  for (const locale of LOCALES)
    for (const path of ['slots', 'leaderboard']) {
      const text = await widgetIn(path, `lang=${locale}`)
      const { WIDGETS: words } = textsIn(locale)
      const { link, title } = path === 'slots' ? words.slots : words.leaderboard
      const name = locale === 'tr' ? 'Deneme &lt;kampanya&gt;' : deps.campaign.name
      const direction = locale === 'ar' ? 'rtl' : 'ltr'
      assert.ok(text.includes(`<html lang="${locale}" dir="${direction}"`), `${path} ${locale}`)
      assert.ok(text.includes(`<title>${title({ name })}</title>`) && text.includes(`<h1>${name}</h1>`), text)
      const route = localizedPath(locale, path === 'slots' ? '/airdrop' : '/leaderboard')
      assert.ok(text.includes(`href="http://localhost:3000${route}"`) && text.includes(`>${link}</a>`))
    }
  const figures = await Promise.all(
    LOCALES.map(async (locale) => {
      const text = await widgetIn('slots', `lang=${locale}`)
      return `${locale} ${/>([\d.,]+)<\/p>/.exec(text)?.[1]}`
    }),
  )
  assert.equal(figures.join(' '), 'en 12,345 es 12,345 pt-BR 12.345 tr 12.345 zh-Hans 12,345 ar 12,345')
  assert.match(await widgetIn('slots', 'lang=tr'), />yer kaldı \(toplam 12\.345\)<\/p>/)
  const untranslated = await widgetIn('slots', 'lang=es')
  assert.ok(!untranslated.includes('slots left') && !untranslated.includes('Deneme'))
})

test('a widget accepts a language in capitals and with any region, and falls back to English', async (t) => {
  const { open } = await setUp(t)
  const languageFor = async (query: string, headers = {}) => {
    const { status, text } = await open(`/widget/slots?${query}`, headers)
    assert.equal(status, 200, query)
    return /<html lang="([^"]*)"/.exec(text)?.[1]
  }
  for (const [tag, locale] of [
    ['es-MX', 'es'],
    ['PT', 'pt-BR'],
    ['zh-CN', 'zh-Hans'],
    ['AR', 'ar'],
  ] as const)
    assert.equal(await languageFor(`lang=${tag}`), locale)
  for (const unsupported of [
    '',
    'lang=',
    'lang=de',
    'lang=es&lang=ar',
    'lang=%22%3E%3Cscript%3E',
    'lang=__proto__',
    'lang=../../ar',
    'lang=es%0A',
    `lang=${'e'.repeat(5_000)}`,
  ])
    assert.equal(await languageFor(unsupported), 'en', unsupported)
  // The framing page determines the language, so neither the browser's language nor a cookie counts.
  assert.equal(await languageFor('', { 'accept-language': 'ar', cookie: 'locale=es' }), 'en')
})

test('the files of a widget have less than ten kilobytes and set no cookie', async (t) => {
  const { open, db, deps } = await setUp(t)
  await createUsers(db, deps.campaign.id, 10)
  const urls = LOCALES.flatMap((locale) => [
    `/widget/slots?lang=${locale}`,
    `/widget/leaderboard?lang=${locale}&rows=10`,
  ])
  for (const url of urls) {
    const page = await open(url)
    const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file]) => file ?? '')
    assert.deepEqual(files.toSorted(), ['/widget/widget.css', '/widget/widget.js'])
    const answers = [page, ...(await Promise.all(files.map((file) => open(file))))]
    // An upper bound, because Brotli compresses better.
    const bytes = answers.map(({ text }) => gzipSync(text).length).reduce((sum, size) => sum + size)
    assert.ok(bytes < BUDGET_BYTES, `${url}: ${bytes} bytes`)
    for (const { status, headers } of answers)
      assert.deepEqual([status, headers['set-cookie']], [200, undefined])
  }
})

test('the script calls only the public API, stores nothing and writes no HTML', async (t) => {
  const { open } = await setUp(t)
  const { text } = await open('/widget/widget.js')
  assert.ok(new Script(text))
  assert.doesNotMatch(
    text,
    /cookie\s*=|localStorage|sessionStorage|indexedDB|innerHTML|insertAdjacent|document\.write/,
  )
  assert.match(text, /credentials: 'omit'/)
  for (const url of WIDGETS) {
    const [, asked = ''] = /data-url="([^"]+)"/.exec((await open(url)).text) ?? []
    const pathname = asked.replace(/\?.*/, '').replace(API_BASE, '')
    const access = ENDPOINTS.find(({ path, method }) => path === pathname && method === 'GET')?.access
    assert.equal(access, 'public')
    assert.equal((await open(asked.replaceAll('&amp;', '&'))).status, 200)
  }
})

test('only widgets may be framed, whether their answers come from Fastify or from memory', async (t) => {
  const { app } = await testApi(t, { keepPublicForMs: 60_000 })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const headersOf = (path: string) =>
    new Promise<IncomingHttpHeaders>((resolve, reject) => {
      get(origin + path, { headers: HOST }, (response) => {
        response.resume()
        resolve(response.headers)
      }).on('error', reject)
    })
  for (const url of WIDGETS)
    // The first answer comes from Fastify, later answers from memory.
    for (let count = 0; count < 3; count += 1) {
      const headers = await headersOf(url)
      assert.equal(headers['content-security-policy'], POLICY)
      assert.equal(headers['x-frame-options'], undefined)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    }
  for (const url of [
    '/widget/widget.css',
    '/widget/slots?theme=red',
    '/widget/',
    '/widget',
    '/widget/other',
    '/api/v1/campaign',
    '/healthz',
    '/nothing',
  ]) {
    const headers = await headersOf(url)
    assert.equal(headers['x-frame-options'], 'DENY', url)
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, url)
  }
})
