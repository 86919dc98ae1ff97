import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Locale, LOCALES } from '#contract/locales.ts'
import { exportCampaign } from '#server/domain/settings/export-campaign.ts'
import base from '#server/testing/campaign.ts'
import { applyOverrides } from './settings/overrides.ts'
import { problemIn } from './faults.ts'
import { campaignIn, joinLanguages } from './localized-campaign.ts'
import { inspectCampaign } from './load-campaign.ts'
import { readSetting, SETTING_PATHS } from './settings/setting-paths.ts'

const [feature] = base.texts.features
const AUTHORED = {
  ...base,
  name: { en: 'The airdrop', es: 'El airdrop', ar: 'التوزيع' },
  texts: {
    ...base.texts,
    risk: { en: 'Risk.', es: 'Riesgo.' },
    features: [{ ...feature, title: { en: 'Fair', es: 'Justo' } }],
  },
}

const valid = (value: unknown) => {
  const inspected = inspectCampaign(value)
  return 'campaign' in inspected ? inspected.campaign : assert.fail(JSON.stringify(inspected.problems))
}
const problemsOf = (value: unknown) => {
  const inspected = inspectCampaign(value)
  return 'problems' in inspected ? inspected.problems.map((problem) => problemIn(problem)) : []
}

test('a text is shown in the reader’s language, or in the default language without a translation', () => {
  const campaign = valid(AUTHORED)
  assert.equal(campaign.name, 'The airdrop')
  const textsIn = (locale: Locale) => {
    const { name, texts } = campaignIn(campaign, locale)
    return { name, risk: texts.risk, feature: texts.features[0] }
  }
  const titled = (title: string) => ({ ...feature, title })
  assert.deepEqual(textsIn('en'), { name: 'The airdrop', risk: 'Risk.', feature: titled('Fair') })
  assert.deepEqual(textsIn('es'), { name: 'El airdrop', risk: 'Riesgo.', feature: titled('Justo') })
  assert.deepEqual(textsIn('ar'), { name: 'التوزيع', risk: 'Risk.', feature: titled('Fair') })
  assert.deepEqual(textsIn('tr'), textsIn('en'))
  for (const locale of LOCALES) {
    assert.equal(campaignIn(campaign, locale), campaignIn(campaign, locale), 'the same object')
    assert.ok(!('translations' in campaignIn(campaign, locale)), 'it has no other language')
  }
})

test('a campaign in one language is the same in every language', () => {
  const campaign = valid(base)
  assert.deepEqual(campaign, base)
  for (const locale of LOCALES) assert.equal(campaignIn(campaign, locale), campaign)
})

test('a mistake in the translations of a text is reported with its path', () => {
  const withRisk = (risk: unknown) => problemsOf({ ...base, texts: { ...base.texts, risk } })
  assert.deepEqual(withRisk({ en: 'a', fr: 'b' }), [
    `texts.risk has an unknown language, fr: use ${LOCALES.join(', ')}`,
  ])
  assert.deepEqual(withRisk({ es: 'b' }), ['texts.risk must have the default language, en'])
  assert.deepEqual(withRisk({ en: 'a', es: '' }), ['texts.risk must be a text in es, not empty'])
  assert.deepEqual(withRisk({ en: 'a', es: 7 }), ['texts.risk must be a text in es, not empty'])
  assert.match(withRisk({ en: 'a', ES: 'b' })[0] ?? '', /unknown language, ES/)
  assert.match(withRisk(JSON.parse('{"en":"a","__proto__":"b"}'))[0] ?? '', /unknown language, __proto__/)
  const [title] = problemsOf({ ...AUTHORED, texts: { ...AUTHORED.texts, facts: [{ title: {}, text: 'x' }] } })
  assert.equal(title, 'texts.facts.0.title must have the default language, en')
  assert.match(problemsOf({ ...base, id: { en: 'x', es: 'y' } })[0] ?? '', /^id must/, 'no text for people')
  assert.deepEqual(problemsOf({ ...base, translations: { es: {} } }), ['translations is not known'])
})

test('an override replaces a text in every language, and leaves the file as it is', () => {
  const file = valid(AUTHORED)
  const { campaign, ignored } = applyOverrides(file, [{ path: 'texts.risk', value: 'New.' }])
  assert.deepEqual(ignored, [])
  assert.equal(campaignIn(campaign, 'es').texts.risk, 'New.')
  assert.equal(campaignIn(campaign, 'es').name, 'El airdrop')
  const renamed = applyOverrides(file, [{ path: 'name', value: { en: 'B', tr: 'C' } }]).campaign
  for (const locale of LOCALES)
    assert.equal(campaignIn(renamed, locale).name, locale === 'tr' ? 'C' : 'B', locale)
  assert.equal(readSetting(file, 'texts.risk'), 'Risk.')
  assert.ok(!SETTING_PATHS.includes('translations'))
})

test('an export has all languages, and loads as the same campaign', () => {
  const file = valid(AUTHORED)
  assert.deepEqual(joinLanguages(file), AUTHORED)
  assert.deepEqual(valid(JSON.parse(exportCampaign(file, 'json'))), file)
  assert.match(exportCampaign(file, 'ts'), /es: 'Riesgo.'/)
})
