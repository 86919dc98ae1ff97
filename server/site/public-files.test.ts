import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import Fastify from 'fastify'
import { SITE } from '#server/testing/builders/site.ts'
import campaign from '#server/testing/campaign.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { LOCALES, localizedPath } from '#contract/locales.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { createPublicAnswers } from '../platform/http/public-answers/public-answers.ts'
import { servePublicFiles, tokenList } from './public-files.ts'

const SCHEMA = fileURLToPath(import.meta.resolve('@uniswap/token-lists/src/tokenlist.schema.json'))

/** @returns a function that gets a file of the tests' campaign. */
async function serveFiles(t: TestContext) {
  const app = Fastify()
  t.after(() => app.close())
  await servePublicFiles(app, { campaign }, SITE, createPublicAnswers({ keepForMs: 0 }))
  return async (url: string) => {
    const reply = await app.inject({ url })
    assert.equal(reply.statusCode, 200, url)
    return reply
  }
}

/** @returns the violations of the published schema. */
async function faultsOf(list: unknown): Promise<unknown[]> {
  const ajv = new Ajv({ allErrors: true, strict: false })
  formats.default(ajv)
  const validate = ajv.compile(JSON.parse(await readFile(SCHEMA, 'utf8')) as object)
  return validate(list) ? [] : (validate.errors ?? [])
}

const withToken = (token: Partial<CampaignFile['token']>): CampaignFile => ({
  ...campaign,
  token: { ...campaign.token, ...token },
})

test('the token list is valid according to the published schema and tags the token as made up', async (t) => {
  const get = await serveFiles(t)
  const list = (await get('/tokenlist.json')).json<{ tokens: Record<string, unknown>[] }>()
  assert.deepEqual(await faultsOf(list), [])
  const { contract: address, symbol, decimals } = campaign.token
  assert.partialDeepStrictEqual(list.tokens, [{ chainId: campaign.chain.id, address, symbol, decimals }])
  assert.deepEqual(list.tokens[0]?.['tags'], ['madeup'])
})

test('the schema check rejects a list without tokens', async () => {
  const list = JSON.parse(tokenList(campaign, SITE)) as object
  assert.notDeepEqual(await faultsOf({ ...list, tokens: [] }), [])
})

test('a real token is not tagged, and the list is valid with names of any form', async () => {
  for (const name of ['Real', 'Ωμέγα — the last letter, and then some more of it', '…', 'N'.repeat(90)]) {
    const list = JSON.parse(tokenList(withToken({ placeholder: false, name }), SITE)) as object
    assert.deepEqual(await faultsOf(list), [], name)
    assert.doesNotMatch(JSON.stringify(list), /placeholder|madeup/i)
  }
})

test('the identity file names the contract, marked as a placeholder, and every official link', async (t) => {
  const get = await serveFiles(t)
  const file = (await get('/.well-known/dropwright.json')).json<{
    contract: Record<string, unknown>
    links: Record<string, string>
    site: string
  }>()
  assert.equal(file.site, SITE)
  assert.equal(file.contract['address'], campaign.token.contract)
  assert.equal(file.contract['placeholder'], true)
  for (const link of Object.values(campaign.token.socials))
    assert.ok(Object.values(file.links).includes(link), link)
  for (const link of Object.values(file.links)) assert.ok(URL.canParse(link), link)
})

test('the site map lists exactly the indexed pages in every language, and robots.txt names it', async (t) => {
  const get = await serveFiles(t)
  const { body } = await get('/sitemap.xml')
  const indexed = SITE_MAP.filter(({ isIndexed }) => isIndexed)
  assert.deepEqual(
    Array.from(body.matchAll(/<loc>([^<]*)<\/loc>/g), ([, url]) => url),
    indexed.flatMap(({ id }) => LOCALES.map((locale) => SITE + localizedPath(locale, id))),
  )
  assert.match((await get('/robots.txt')).body, new RegExp(`^Sitemap: ${SITE}/sitemap.xml$`, 'm'))
})

test('the web manifest names the site, its icons and its shortcuts', async (t) => {
  const get = await serveFiles(t)
  const reply = await get('/site.webmanifest')
  assert.equal(reply.headers['content-type'], 'application/manifest+json')
  const manifest = reply.json<{ name: string; icons: { src: string }[]; shortcuts: { url: string }[] }>()
  assert.equal(manifest.name, campaign.token.name)
  const sources = manifest.icons.map(({ src }) => src)
  assert.deepEqual(sources, ['/favicon.svg', '/icon-192.png', '/icon-512.png', '/icon-maskable-512.png'])
  const shortcuts = manifest.shortcuts.map(({ url }) => url)
  assert.deepEqual(shortcuts, ['/airdrop', '/leaderboard'])
})

test('other origins may read the token list, the identity file and the site map', async (t) => {
  const get = await serveFiles(t)
  for (const url of ['/tokenlist.json', '/.well-known/dropwright.json', '/sitemap.xml']) {
    const { headers } = await get(url)
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
  }
})
