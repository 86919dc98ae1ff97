import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { decodeHTMLStrict as plain } from 'entities/decode'
import { contextOf, SITE, siteWithoutDatabase, startSite } from '#server/testing/builders/site.ts'
import campaign from '#server/testing/campaign.ts'
import { ENDPOINTS } from '#server/testing/endpoints.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { DEFAULT_LOCALE, type Locale, LOCALE_KEY, LOCALES, localizedPath } from '#contract/locales.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { ROUTES } from '#web/routes.ts'
import { mailTemplates } from '../app.ts'
import { campaignIn, textsLacking } from '../domain/campaign/localized-campaign.ts'
import { contextIn } from '../domain/mail/templates.ts'
import { errorMessages } from '../messages/errors.ts'
import { rejectionReasons } from '../messages/reasons.ts'
import { openApi } from '../platform/http/docs/openapi.ts'
import { createPublicAnswers } from '../platform/http/public-answers/public-answers.ts'
import { deriveKeys } from '../platform/secrets.ts'
import { CLIENT, DIST, loadRenderer } from './built/built-assets.ts'
import { textsOf } from './pictures/share-card.ts'
import { shareCards } from './pictures/share-cards.ts'
import { identity, tokenList, webManifest } from './public-files.ts'

/** Keys of enumerations, identifiers, dates and numbers. */
const KEYS_WITHOUT_TEXT = /^(id|status|drawing|updatedOn|opensAt|closesAt|supply|contract|slug)$/

/** A copy whose every text, name and address is of another campaign. */
function renamed(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renamed(item, name)]))
  if (typeof value !== 'string' || KEYS_WITHOUT_TEXT.test(key)) return value
  if (key === 'symbol') return value === campaign.token.symbol ? 'QH' : 'QUAY'
  if (value === campaign.token.name) return 'Quiet Harbour'
  if (value.startsWith('#')) return '#QuietHarbour'
  if (value.startsWith('https:'))
    return value
      .replace(/^https:\/\/[^/]+/, 'https://quiet.example')
      .replaceAll('PocketFuture', 'QuietHarbour')
      .replaceAll('PLS', 'QUAY')
  return value.includes('@') ? 'hello@quiet.example' : `Quiet ${key}: ${value.length} letters`
}

function texts(value: unknown, key = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => texts(item, key))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, item]) => texts(item, name))
  return typeof value === 'string' && !KEYS_WITHOUT_TEXT.test(key) ? [value] : []
}

const otherCampaign = renamed(campaign) as CampaignFile
/** Not single words, because the name of a chain, for example, may be part of another word. */
const oldSentences = texts(campaign).filter((text) => text.includes(' ') || text.startsWith('https:'))
/**
 * Names, and what only the default token promises. Symbols only in capitals, because `pf` and `pls` are the
 * API's names of the two assets.
 */
const OLD_WORDS = /[Pp]ocket ?[Ff]uture|\bPF\b|\bPLS\b|[Ff]uture-backed|[Mm]eme token|[Zz]ero tax|[Ss]lippage/
/** Symbols only at the start of a string or before “points”, because minified variables look like them. */
const OLD_STRINGS = /[Pp]ocket ?[Ff]uture|["'`](PF|PLS)\b|\b(PF|PLS) [Pp]oints/

function assertNoOldWords(text: string, where: string, words = OLD_WORDS) {
  const found = words.exec(text)?.[0] ?? oldSentences.find((old) => text.includes(old))
  assert.equal(found, undefined, where)
}

test('every page has the name of its campaign and no words of the default campaign', async () => {
  const { renderRoute } = await loadRenderer('en')
  const cards = Object.fromEntries(SITE_MAP.map((route) => [route.path, { url: '/card.png', alt: 'A card' }]))
  const context = contextOf(otherCampaign, cards)
  for (const route of SITE_MAP) {
    const html = renderRoute(route, context)
    assertNoOldWords(plain(html), route.path)
    assert.doesNotMatch(html, /\bPF\b/i, route.path)
    assert.ok(html.includes(otherCampaign.token.name), route.path)
  }
})

test('no email contains words of the default campaign, and the approval names both symbols', () => {
  const keys = deriveKeys('a'.repeat(32))
  const context = contextIn({ campaign: otherCampaign, publicUrl: SITE, keys }, 'en')
  const values = {
    username: 'pip',
    nonce: 'AAAAAAAAAAAAAAAAAAAAAA',
    pfPoints: '20000',
    plsPoints: '20000',
    reason: 'No post.',
    reasons: 'No post.',
    closesAt: '2027-01-01T00:00:00Z',
    at: '2027-01-01T00:00:00Z',
    condition: 'mail_stuck',
    facts: JSON.stringify({ waiting: 2, minutes: 20 }),
  }
  for (const [name, template] of Object.entries(mailTemplates)) {
    const { subject, text, html } = template(values, context)
    assertNoOldWords(plain(`${subject}\n${text}\n${html}`), name)
  }
  const approved = mailTemplates['claim-approved']?.(values, context).text ?? ''
  assert.match(approved, /20,000 QH points and 20,000 QUAY points/)
})

test('no picture, public file or API message contains words of the default campaign', () => {
  for (const locale of LOCALES) {
    const { drawings, cards } = shareCards(campaignIn(otherCampaign, locale), locale, SITE)
    for (const { url, ...drawing } of drawings)
      if ('card' in drawing) assertNoOldWords(textsOf(drawing.card).join('\n'), url)
    for (const { url, alt } of Object.values(cards)) assertNoOldWords(alt, url)
  }
  assertNoOldWords(webManifest(otherCampaign), 'web manifest')
  assertNoOldWords(tokenList(otherCampaign, SITE), 'token list')
  assertNoOldWords(identity(otherCampaign, SITE), 'identity')
  assertNoOldWords(JSON.stringify([errorMessages, rejectionReasons]), 'messages')
  const api = openApi(ENDPOINTS, { name: otherCampaign.name, publicUrl: SITE })
  assertNoOldWords(JSON.stringify(api), 'openapi.json')
})

test('no built asset contains words of a campaign', async () => {
  // The folder still has the assets of the previous build. `.assets` lists only the current assets.
  const names = (await readFile(path.join(DIST, '.assets'), 'utf8')).split('\n')
  const readable = names.filter((name) => /\.(js|css)$/.test(name))
  assert.ok(readable.length > 100)
  for (const name of readable)
    // Swagger UI contains any two letters somewhere, and the documentation is about the default campaign.
    if (!/^(api-reader|docs-index)/.test(name))
      assertNoOldWords(await readFile(path.join(CLIENT, 'assets', name), 'utf8'), name, OLD_STRINGS)
})

/** A translation of every text into every language except the default, marked with the language. */
const translations = Object.fromEntries(
  Array.from(textsLacking({ ...campaign, translations: {} }), ([locale, paths]) => [
    locale,
    Object.fromEntries(paths.map((setting) => [setting, `⟦${locale}⟧ ${setting}`])),
  ]),
)
const marked: CampaignFile = { ...campaign, translations }

const { app } = await startSite(
  { after },
  {
    ...siteWithoutDatabase(marked),
    // Answers stay in memory, where an answer in the wrong language could be reused.
    publicAnswers: createPublicAnswers({ keepForMs: 60_000 }),
    findInviter: async () => ({ username: 'ann' }),
  },
)

/** The languages of the campaign's texts on a page that is requested by a reader of the language `asked`. */
async function languagesOn(url: string, asked: Locale): Promise<string[]> {
  const headers = { 'accept-language': asked, cookie: `${LOCALE_KEY}=${asked}` }
  const { body } = await app.inject({ url, headers })
  return [...new Set(Array.from(body.matchAll(/⟦([\w-]+)⟧/g), ([, locale = '']) => locale))]
}

/** All pages and two screens. All screens have the same HTML. */
const PATHS = [...SITE_MAP.filter(({ kind }) => kind !== 'screen'), ROUTES.airdrop, ROUTES.profile]

test('every page has the campaign’s texts only in its own language, whatever page is requested first', async () => {
  for (const order of [LOCALES, LOCALES.toReversed()])
    for (const { id } of PATHS)
      for (const [index, locale] of order.entries()) {
        const url = localizedPath(locale, id)
        const expected = locale === DEFAULT_LOCALE ? [] : [locale]
        const asked = order[index - 1] ?? 'tr'
        assert.deepEqual(await languagesOn(url, asked), expected, url)
      }
})

test('invitations, unknown pages, the documentation and public files do not mix languages', async () => {
  for (const locale of LOCALES) {
    const expected = locale === DEFAULT_LOCALE ? [] : [locale]
    for (const url of ['/register?ref=ABC', '/nowhere'] as const)
      assert.deepEqual(await languagesOn(localizedPath(locale, url), 'es'), expected, url)
  }
  assert.deepEqual(await languagesOn('/docs', 'es'), [])
  for (const url of ['/site.webmanifest', '/tokenlist.json'])
    assert.deepEqual(await languagesOn(url, 'es'), [])
})
