import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Look } from '#contract/look.ts'
import file from '#server/testing/campaign.ts'
import { lookCss, serveLook } from './look-css.ts'

const logo = `/brand/${'a'.repeat(64)}-600x96.webp`
const mascot = `/brand/${'b'.repeat(64)}-320x640.webp`
const cssOf = (look: Look | undefined) => lookCss({ look })

test('the default look needs no style sheet', () => {
  for (const look of [undefined, {}, { colors: {} }, { logo: null }, { colors: { ink: { dark: null } } }])
    assert.equal(cssOf(look), undefined)
})

test('colors become tokens of both themes, but not in forced-colors mode', () => {
  // Of the colors below, only this one is not the product's own.
  const css = cssOf({ colors: { accent: { light: '#0a5cff' } } }) ?? assert.fail()
  assert.match(css, /^@media not \(forced-colors:active\)\{:root\{.*\}\}\n$/)
  assert.match(css, /--color-accent:light-dark\(#0a5cff,#ff6a45\);/)
  assert.match(css, /--color-on-accent:light-dark\(#fbf6ec,#16130f\);/)
  assert.match(css, /--color-outline:light-dark\(rgb\(22 19 15 \/ 0\.5\),rgb\(244 238 225 \/ 0\.45\)\);/)
})

test('a logo replaces the mark and is at most four times as wide as high; a mascot replaces Pip', () => {
  const css = cssOf({ logo, mascot }) ?? assert.fail()
  assert.ok(!css.includes('--color'))
  assert.ok(
    css.includes(
      `:root:not([data-sandbox]) svg.brand-mark{block-size:2rem;inline-size:calc(2rem * 4.000);background:url(${logo})`,
    ),
  )
  assert.ok(css.includes(`svg.mascot{background:url(${mascot}) bottom`))
})

test('the style sheet is served under a name that changes with it', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  const live: { campaign: CampaignFile } = { campaign: file }
  const read = serveLook(app, live)
  assert.equal(read(), undefined)

  live.campaign = { ...file, look: { logo } }
  const first = read() ?? assert.fail()
  const reply = await app.inject(first)
  assert.equal(reply.statusCode, 200)
  assert.equal(reply.headers['content-type'], 'text/css; charset=utf-8')
  assert.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.ok(reply.body.includes(logo))

  live.campaign = { ...file, look: { mascot } }
  const second = read() ?? assert.fail()
  assert.notEqual(second, first)
  assert.ok((await app.inject(second)).body.includes(mascot))
  assert.equal((await app.inject(first)).statusCode, 404, 'the former one')
})
