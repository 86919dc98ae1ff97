import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeOverrides } from '#server/testing/builders/settings.ts'
import file from '#server/testing/campaign.ts'
import { testNode } from '#server/testing/deps.ts'
import { SETTING_GROUPS } from '#web/content/dashboard/settings.ts'
import { changeSettings } from '#server/domain/settings/change-settings.ts'
import { problemIn } from '../faults.ts'
import { applyOverrides, describeOverrides } from './overrides.ts'
import { readSetting, SETTING_PATHS } from './setting-paths.ts'

test('each value, each list and the markets are a setting, but not the ids of campaign and chain', () => {
  const values = ['name', 'token.socials.telegram', 'airdrop.closesAt', 'roadmap']
  for (const path of [...values, 'payout.perPoint.pf', 'chain.markets'])
    assert.ok(SETTING_PATHS.includes(path), path)
  for (const path of ['id', 'chain.id', 'token', 'airdrop.tasks.0.title', 'payout', 'chain.markets.dollar'])
    assert.ok(!SETTING_PATHS.includes(path), path)
  assert.equal(new Set(SETTING_PATHS).size, SETTING_PATHS.length)
})

test('every setting has one field on the dashboard, with a label that is unique in its group', () => {
  const paths = SETTING_GROUPS.flatMap(({ fields }) => fields.map(({ path }) => path))
  // The look has its own editor.
  const missing = SETTING_PATHS.filter((path) => !paths.includes(path) && !path.startsWith('look'))
  assert.deepEqual(missing, [], 'add a field to web/content/dashboard/settings.ts')
  const unknown = paths.filter((path) => !SETTING_PATHS.includes(path))
  assert.deepEqual(unknown, [])
  assert.equal(new Set(paths).size, paths.length)
  for (const { fields } of SETTING_GROUPS)
    assert.equal(new Set(fields.map(({ label }) => label)).size, fields.length)
})

test('an override replaces one value in a copy of the campaign file', () => {
  const before = JSON.stringify(file)
  const closesAt = '2027-01-31T12:00:00Z'
  const { campaign, ignored } = applyOverrides(file, [
    { path: 'airdrop.closesAt', value: closesAt },
    { path: 'texts.airdropRules', value: ['One rule.'] },
  ])
  assert.deepEqual(ignored, [])
  assert.deepEqual(campaign, {
    ...file,
    airdrop: { ...file.airdrop, closesAt },
    texts: { ...file.texts, airdropRules: ['One rule.'] },
  })
  assert.equal(JSON.stringify(file), before)
  const reopened = applyOverrides(campaign, [{ path: 'airdrop.closesAt', value: null }])
  assert.equal(reopened.campaign.airdrop.closesAt, null)
  assert.equal(applyOverrides(file, []).campaign, file)
})

test('overrides fill an object that the campaign file omits only if they have all of its members', () => {
  const { payout, ...unpaid } = file
  assert.ok(payout)
  const paths = SETTING_PATHS.filter((path) => path.startsWith('payout.'))
  const overrides = paths.map((path) => ({ path, value: readSetting(file, path) }))
  assert.deepEqual(applyOverrides(unpaid, overrides).campaign.payout, payout)
  const { campaign, ignored } = applyOverrides(unpaid, overrides.slice(1))
  assert.equal(campaign.payout, undefined)
  assert.equal(ignored.length, overrides.length - 1)
})

test('an invalid override is ignored with the reason, while the others take effect', () => {
  const { campaign, ignored } = applyOverrides(file, [
    { path: 'airdrop.slots', value: 'many' },
    { path: 'airdrop.tasks', value: [{ ...file.airdrop.tasks[0], url: 'http://x.com' }] },
    { path: 'id', value: 'other-airdrop' },
    { path: 'texts.hero', value: 'A hero.' },
    { path: 'token.legacy', value: 1 },
  ])
  assert.deepEqual(campaign, { ...file, texts: { ...file.texts, hero: 'A hero.' } })
  const problems = ignored.map(({ path, problem }) => [path, problemIn(problem)])
  assert.deepEqual(problems, [
    ['id', 'id is not a setting of this version'],
    ['token.legacy', 'token.legacy is not a setting of this version'],
    ['airdrop.slots', 'airdrop.slots must be a whole number'],
    ['airdrop.tasks', 'airdrop.tasks.0.url must be an https:// address'],
  ])
})

test('an override that contradicts the campaign file is ignored, even if the problem names another setting', () => {
  const closing = { ...file, airdrop: { ...file.airdrop, closesAt: '2026-06-01T00:00:00Z' } }
  const { campaign, ignored } = applyOverrides(closing, [
    { path: 'airdrop.opensAt', value: '2026-07-01T00:00:00Z' },
    { path: 'texts.hero', value: 'A hero.' },
  ])
  assert.equal(campaign.airdrop.opensAt, file.airdrop.opensAt)
  assert.equal(campaign.texts.hero, 'A hero.')
  const problems = ignored.map(({ problem }) => problemIn(problem))
  assert.deepEqual(problems, ['airdrop.closesAt must be after airdrop.opensAt'])
})

test('a start reports overrides that hide a change of the file and overrides that are ignored', async (t) => {
  const { db } = await testNode(t)
  const changes = [
    { path: 'texts.hero', value: 'A hero.' },
    { path: 'texts.wish', value: 'A wish.' },
    { path: 'airdrop.closesAt', value: '2120-01-01T00:00:00Z' },
  ]
  await changeSettings(db, file, { actor: null, changes })
  assert.deepEqual(await describeOverrides(db, file), [])
  const changed = { ...file, texts: { ...file.texts, hero: 'Another.', mission: 'Another.' } }
  assert.deepEqual(await describeOverrides(db, changed), [
    'The campaign file has changed, but overrides still take precedence: texts.hero. To follow the file: npm run settings -- unset PATH',
  ])
  await writeOverrides(db, file.id, { 'token.legacy': 1 })
  assert.deepEqual(await describeOverrides(db, file), [
    'An override is ignored, and the campaign file counts: token.legacy is not a setting of this version. To remove it: npm run settings -- unset token.legacy',
  ])
})
