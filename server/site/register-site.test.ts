import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { after, test } from 'node:test'
import { Script } from 'node:vm'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import campaign from '#server/testing/campaign.ts'
import { SITE, siteWithoutDatabase, startSite } from '../testing/builders/site.ts'
import { directionOf, LOCALES, localizedPath } from '#contract/locales.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { ROUTES } from '#web/routes.ts'
import { CLIENT, loadDocsRenderer } from './built/built-assets.ts'

const ASSETS = path.join(CLIENT, 'assets')
// The slash at the end of `publicUrl` must not be doubled in the pages' addresses.
const { app } = await startSite({ after }, { ...siteWithoutDatabase(campaign), publicUrl: `${SITE}/` })

/** One route of each kind, because compressing a page at its first request takes long. */
const ROUTE_OF_KIND = new Map(SITE_MAP.map((route) => [route.kind, route]))
for (const { path: url } of ROUTE_OF_KIND.values())
  test(`${url} is served compressed, and answers 304 to its ETag`, async () => {
    const plain = await app.inject({ url })
    assert.equal(plain.statusCode, 200)
    assert.equal(plain.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(plain.headers['cache-control'], 'no-cache')
    assert.equal(plain.headers['vary'], 'accept-encoding')
    const br = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
    assert.equal(br.headers['content-encoding'], 'br')
    assert.equal(brotliDecompressSync(br.rawPayload).toString(), plain.body)
    const gzip = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br;q=0' } })
    assert.equal(gzip.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(gzip.rawPayload).toString(), plain.body)
    const again = await app.inject({ url, headers: { 'if-none-match': String(plain.headers['etag']) } })
    assert.equal(again.statusCode, 304)
    assert.equal(again.body, '')
  })

test('a language is served as soon as its renderer can be loaded, even after a failure', async (t) => {
  const url = localizedPath('tr', '/')
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier.endsWith('/render-tr.js')) throw new Error('A build is replacing it.')
      return next(specifier, context)
    },
  })
  t.after(() => hooks.deregister())
  assert.equal((await app.inject({ url })).statusCode, 500)
  hooks.deregister()
  assert.equal((await app.inject({ url })).statusCode, 200)
})

test('a page’s assets are precompressed and immutable', async () => {
  const { body } = await app.inject({ url: '/' })
  // head.js imports the script that `data-after` names.
  const assets = [...body.matchAll(/(?:src|href|data-after)="(\/assets\/[^"]+)"/g)].map(
    ([, url]) => url ?? '',
  )
  assert.ok(assets.some((url) => url.endsWith('.js')) && assets.some((url) => url.endsWith('.css')))
  for (const url of assets) {
    const asset = await app.inject({ url, headers: { 'accept-encoding': 'br' } })
    assert.equal(asset.statusCode, 200, url)
    assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(asset.headers['content-encoding'], url.endsWith('.woff2') ? undefined : 'br', url)
  }
})

test('/check is a sandbox without an origin that may still load its files', async () => {
  const page = await app.inject({ url: ROUTES.check.path })
  assert.match(String(page.headers['content-security-policy']), /^sandbox allow-scripts; default-src 'none';/)
  assert.equal(page.headers['speculation-rules'], undefined)
  const files = [...page.body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url]) => url ?? '')
  const types = files.map((url) => path.extname(url))
  assert.deepEqual(types, ['.css', '.js'])
  for (const url of files)
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { statusCode, headers } = await app.inject({ url, headers: { 'accept-encoding': encoding } })
      assert.equal(statusCode, 200)
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin', `${url} ${encoding}`)
    }
  const { body: script } = await app.inject({ url: files[1] ?? '' })
  // Throws if the script has syntax that only modules may have.
  assert.ok(new Script(script))
  const other = await app.inject({ url: '/about' })
  assert.equal(other.headers['content-security-policy'], undefined)
  for (const [, url = ''] of other.body.matchAll(/href="(\/assets\/[^"]+)"/g))
    assert.equal((await app.inject({ url })).headers['cross-origin-resource-policy'], undefined, url)
})

test('the build contains no source maps', async () => {
  const maps = (await readdir(ASSETS)).filter((name) => name.endsWith('.map'))
  assert.deepEqual(maps, [])
})

test('an unknown path answers 404 with a page, even to a client with a cached copy', async () => {
  for (const url of ['/nowhere', '/about/us', '/index.html', '/.env']) {
    const reply = await app.inject({ url, headers: { 'if-none-match': '*' } })
    assert.equal(reply.statusCode, 404, url)
    assert.match(reply.body, /We couldn’t find this page/)
  }
})

test('unknown asset, API and development paths do not get a page', async () => {
  for (const url of ['/assets/gone.js', '/api/v1/nothing', '/api', '/dev/mailbox', '/dev']) {
    const reply = await app.inject({ url })
    assert.equal(reply.statusCode, 404, url)
    assert.deepEqual(reply.json(), { code: 'not_found' }, url)
  }
})

test('every page except the sandbox links to the speculation rules, which name pages but no screens', async () => {
  const others = SITE_MAP.filter(({ kind }) => kind !== 'sandbox')
  for (const url of [...others.map((route) => route.path), '/nowhere'])
    assert.equal((await app.inject({ url })).headers['speculation-rules'], '"/speculation-rules.json"', url)
  const rules = await app.inject({ url: '/speculation-rules.json' })
  assert.equal(rules.headers['content-type'], 'application/speculationrules+json')
  const named = [...rules.body.matchAll(/"pathname":"([^"]*)"/g)].map(([, pathname]) => pathname)
  const pages = SITE_MAP.filter(({ kind }) => kind === 'page')
  assert.deepEqual(named, [
    ...LOCALES.flatMap((locale) => pages.map(({ id }) => localizedPath(locale, id))),
    '/docs',
    '/docs/*',
  ])
})

test('every page is served in each language below the prefix of the language', async () => {
  for (const locale of LOCALES)
    for (const { id } of SITE_MAP) {
      const url = localizedPath(locale, id)
      const { statusCode, body } = await app.inject({ url })
      assert.equal(statusCode, 200, url)
      assert.ok(body.startsWith(`<!DOCTYPE html><html lang="${locale}" dir="${directionOf(locale)}"`), url)
      assert.ok(body.includes(`<link rel="canonical" href="${SITE}${url}"/>`), url)
    }
  const unknown = await app.inject({ url: '/es/nowhere' })
  assert.equal(unknown.statusCode, 404)
  assert.match(unknown.body, /<html lang="es"/)
  for (const url of ['/xx', '/es-XX/about', '/ES/about', '/esabout', '/es/%00', '/es/es/about'])
    assert.equal((await app.inject({ url })).statusCode, 404, url)
})

test('a page with numbered clauses loads their style sheet', async () => {
  const withClauses = []
  for (const { path: url } of SITE_MAP) {
    const { body } = await app.inject({ url })
    if (!/class="clause[" ]/.test(body)) continue
    withClauses.push(url)
    assert.match(body, /<link rel="stylesheet" href="\/assets\/small-print-[^"]+\.css"/, url)
  }
  assert.deepEqual(withClauses.toSorted(), ['/allocation', '/api/docs', '/journal', '/privacy', '/rules'])
})

test('head.js and the icon are served', async () => {
  const script = await app.inject({ url: '/head.js' })
  assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.match(script.body, /localStorage/)
  const icon = await app.inject({ url: '/favicon.svg' })
  assert.equal(icon.headers['content-type'], 'image/svg+xml')
  const [, drawing = ''] =
    /rel="icon"[^>]* href="data:image\/svg\+xml,([^"]*)"/.exec((await app.inject('/')).body) ?? []
  assert.equal(decodeURIComponent(drawing).replaceAll('&#x27;', '"'), icon.body.trim())
})

test('the documentation is listed for search engines, and is served compressed', async () => {
  const { body } = await app.inject({ url: '/docs/sitemap.xml' })
  const listed = [...body.matchAll(/<loc>https:\/\/almanac\.example([^<]+)<\/loc>/g)].map(
    ([, url = '']) => url,
  )
  assert.ok(listed.length > 60 && listed[0] === '/docs')
  // Only every tenth page, because compressing a page at its first request takes long.
  for (const url of listed.filter((_each, index) => index % 10 === 0)) {
    const page = await app.inject({ url, headers: { 'accept-encoding': 'br' } })
    assert.equal(page.statusCode, 200, url)
    assert.equal(page.headers['content-encoding'], 'br', url)
    const html = brotliDecompressSync(page.rawPayload).toString()
    assert.ok(html.includes(`<link rel="canonical" href="${SITE}${url}"/>`), url)
    const again = await app.inject({ url, headers: { 'if-none-match': String(page.headers['etag']) } })
    assert.equal(again.statusCode, 304, url)
  }
})

test('the documentation serves its pictures, and a page of its own for unknown addresses', async () => {
  const { docsPictures } = await loadDocsRenderer()
  for (const url of Object.keys(docsPictures)) {
    const { statusCode, headers } = await app.inject({ url })
    assert.equal(statusCode, 200, url)
    assert.equal(headers['content-type'], 'image/svg+xml', url)
  }
  for (const url of ['/docs/nowhere', '/docs/decisions/999', '/docs/images/none.svg', '/es/docs']) {
    const page = await app.inject({ url })
    assert.equal(page.statusCode, 404, url)
    assert.match(page.body, /content="noindex"/)
    assert.doesNotMatch(page.body, /rel="canonical"/)
  }
  assert.match((await app.inject({ url: '/docs/nowhere' })).body, /isn’t in the documentation/)
})
