import assert from 'node:assert/strict'
import { test } from 'node:test'
import file from '#server/testing/campaign.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testDeps } from '#server/testing/deps.ts'
import { writeOverrides } from '#server/testing/builders/overrides.ts'
import { changeSettings } from '../settings/change-settings.ts'
import { describeOverrides } from './describe-overrides.ts'

test('a start names the overrides beneath which the file has changed, and those that it ignores', async (t) => {
  const { db } = await testDatabase(t)
  await testDeps(db)
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
