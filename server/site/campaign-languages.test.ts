import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { DEFAULT_LOCALE, type Locale, LOCALE_KEY, LOCALES, localizedPath } from '#contract/locales.ts'
import campaign from '#server/testing/campaign.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { ROUTES } from '#web/routes.ts'
import { textsLacking } from '../domain/campaign/localized-campaign.ts'
import { createPublicAnswers } from '../platform/http/public-answers/public-answers.ts'
import { siteWithoutDatabase, startSite } from '../testing/builders/site.ts'

/** Every text in every language but the default one, marked with the language. */
const translations = Object.fromEntries(
  Array.from(textsLacking({ ...campaign, translations: {} }), ([locale, paths]) => [
    locale,
    Object.fromEntries(paths.map((path) => [path, `⟦${locale}⟧ ${path}`])),
  ]),
)
const marked: CampaignFile = { ...campaign, translations }

const { app } = await startSite(
  { after },
  {
    ...siteWithoutDatabase(marked),
    // Answers stay in memory, so that one in the wrong language would be found there.
    publicAnswers: createPublicAnswers({ keepForMs: 60_000 }),
    findInviter: async () => ({ username: 'ann' }),
  },
)

/** The languages of the campaign's texts on a page, as a reader who asks for another language gets it. */
async function languagesOn(url: string, asked: Locale): Promise<string[]> {
  const headers = { 'accept-language': asked, cookie: `${LOCALE_KEY}=${asked}` }
  const { body } = await app.inject({ url, headers })
  return [...new Set(Array.from(body.matchAll(/⟦([\w-]+)⟧/g), ([, locale = '']) => locale))]
}

/** All pages and two of the screens, which are all the same shell. */
const PATHS = [...SITE_MAP.filter(({ kind }) => kind !== 'screen'), ROUTES.airdrop, ROUTES.profile]

test('every page has the campaign’s texts in its own language only, in whatever order pages are asked for', async () => {
  for (const order of [LOCALES, LOCALES.toReversed()])
    for (const { id } of PATHS)
      for (const [index, locale] of order.entries()) {
        const url = localizedPath(locale, id)
        const expected = locale === DEFAULT_LOCALE ? [] : [locale]
        assert.deepEqual(await languagesOn(url, order[index - 1] ?? 'tr'), expected, url)
      }
})

test('invitations, unknown pages, the documentation and public files do not mix languages either', async () => {
  for (const locale of LOCALES) {
    const expected = locale === DEFAULT_LOCALE ? [] : [locale]
    for (const path of ['/register?ref=ABC', '/nowhere'] as const)
      assert.deepEqual(await languagesOn(localizedPath(locale, path), 'es'), expected, path)
  }
  assert.deepEqual(await languagesOn('/docs', 'es'), [])
  for (const url of ['/site.webmanifest', '/tokenlist.json'])
    assert.deepEqual(await languagesOn(url, 'es'), [])
})
