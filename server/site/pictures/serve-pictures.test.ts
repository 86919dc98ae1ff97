import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import Fastify from 'fastify'
import sharp from 'sharp'
import { SITE } from '#server/testing/builders/site.ts'
import campaign from '#server/testing/campaign.ts'
import { until } from '#server/testing/until.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { LOCALES, localizedPath } from '#contract/locales.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { ROUTES } from '#web/routes.ts'
import { servePictures } from './serve-pictures.ts'

test('pictures and icons are served, even to other origins', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  const cards = servePictures(app, { campaign }, { publicUrl: SITE })('en')
  // Requested first, because it would otherwise be drawn after all cards.
  const icon = await app.inject({ url: '/apple-touch-icon.png' })
  assert.equal((await sharp(icon.rawPayload).metadata()).width, 180)
  const reply = await app.inject({ url: cards[ROUTES.home.id]?.url ?? '' })
  assert.equal(reply.statusCode, 200)
  assert.equal(reply.headers['content-type'], 'image/png')
  assert.equal(reply.headers['access-control-allow-origin'], '*')
  assert.equal(reply.headers['cross-origin-resource-policy'], 'cross-origin')
  assert.match(String(reply.headers['cache-control']), /immutable/)
  const { width, height } = await sharp(reply.rawPayload).metadata()
  assert.deepEqual([width, height], [1200, 630])
})

test('every route has a picture in each language, and translated pictures are drawn on demand', async (t) => {
  const app = Fastify()
  // Added before the folder, so that the app closes before the folder is removed.
  t.after(() => app.close())
  const folder = path.join(await scratchFolder(t), 'pictures')
  const readCards = servePictures(app, { campaign }, { publicUrl: SITE, folder })
  const urls = new Map(LOCALES.map((locale) => [locale, readCards(locale)[ROUTES.roadmap.id]?.url ?? '']))
  assert.equal(new Set(urls.values()).size, LOCALES.length)
  for (const locale of LOCALES) {
    const cards = readCards(locale)
    for (const { url } of Object.values(cards))
      assert.ok(url.startsWith(localizedPath(locale, '/pictures/')), url)
    for (const { id } of SITE_MAP) assert.ok(cards[id], `${locale} ${id}`)
    assert.equal(cards[ROUTES.register.id], cards[ROUTES.airdrop.id], 'a shared picture')
  }
  assert.ok(readCards('en')[ROUTES.home.id]?.alt.startsWith(campaign.token.name))
  assert.equal((await app.inject({ url: urls.get('tr') ?? '' })).statusCode, 200)
  await until('the picture is on disk', async () => (await readdir(folder).catch(() => [])).length > 0)
  assert.deepEqual(await readdir(folder), ['tr'])
  // Each language serves only its own URLs.
  const english = urls.get('en') ?? ''
  for (const url of [`/es${english}`, (urls.get('es') ?? '').replace('/es', ''), '/ar/pictures/%2e%2e.png'])
    assert.equal((await app.inject({ url })).statusCode, 404, url)
})

test('the log says when the pictures of another language cannot be drawn', async (t) => {
  const lines: string[] = []
  const app = Fastify({ logger: { stream: { write: (line) => void lines.push(line) } } })
  t.after(() => app.close())
  const withLogo = { ...campaign, look: { logo: `/brand/${'a'.repeat(64)}-96x96.webp` } }
  const readPng = () => Promise.reject(new Error('the database is away'))
  const readCards = servePictures(app, { campaign: withLogo }, { publicUrl: SITE, readPng })
  const { statusCode } = await app.inject({ url: readCards('es')[ROUTES.roadmap.id]?.url ?? '' })
  assert.equal(statusCode, 500)
  assert.equal(lines.filter((line) => line.includes('not all pictures could be drawn')).length, 1)
})
