import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { CampaignFile } from '#contract/campaign-file.ts'
import defaults from '../testing/campaign.ts'
import { submitProof } from '../domain/claims/submission/submit-proof.ts'
import { describeOverrides, readEffective } from '../domain/campaign/settings/overrides.ts'
import { syncCampaign } from '../domain/campaign/sync-campaign.ts'
import { resolveLook } from '../domain/look/resolve-look.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { writeLogo } from '../testing/builders/logo.ts'
import { freshProof } from '../testing/builders/proof.ts'
import { assertFailed, assertMisconfigured, assertSucceeded } from '../testing/checks/commands.ts'
import { testDatabase } from '../testing/database/database.ts'
import { testDeps } from '../testing/deps.ts'
import { runWarm } from '../testing/warm-command.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'

async function setUp(t: TestContext) {
  const { db, url } = await testDatabase(t)
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'campaign.json')
  await writeFile(file, JSON.stringify(defaults))
  const env = { DATABASE_URL: url, CAMPAIGN_CONFIG: file }
  const effective = async () => (await readEffective(db, defaults)).campaign
  return { db, folder, file, effective, command: (...args: string[]) => runWarm('settings', args, env) }
}

const SAVED = { code: 0, out: 'Saved. A running site shows it within a second.\n', err: '' }

test('sets and unsets values of every kind before the first start, and lists them', async (t) => {
  const { command, effective } = await setUp(t)
  for (const [setting, value] of [
    ['airdrop.slots', '20000'],
    ['airdrop.closesAt', '2120-01-31T12:00:00Z'],
    // This text is also JSON.
    ['texts.hero', '42'],
    ['texts.airdropRules', '["One rule."]'],
  ] as const)
    assert.deepEqual(await command('set', setting, value), SAVED)
  const { airdrop, texts } = await effective()
  assert.partialDeepStrictEqual(airdrop, { slots: 20_000, closesAt: '2120-01-31T12:00:00Z' })
  assert.deepEqual([texts.hero, texts.airdropRules], ['42', ['One rule.']])

  for (const setting of ['airdrop.closesAt', 'look.logo'])
    assert.deepEqual(await command('set', setting, 'null'), SAVED)
  assert.partialDeepStrictEqual(await effective(), { airdrop: { closesAt: null }, look: { logo: null } })

  const { out } = await command('list')
  assert.match(out, /^airdrop\.slots = 20000 \(changed by the command line, 20\d\d-\S+Z\)$/m)
  assert.match(out, /^airdrop\.closesAt = null$/m)
  assert.match(out, /^token\.symbol = "PF"$/m)

  assert.deepEqual(await command('unset', 'texts.hero'), SAVED)
  assert.equal((await effective()).texts.hero, defaults.texts.hero)
})

test('explains and refuses invalid values and broken promises, and changes nothing', async (t) => {
  const { db, command, effective } = await setUp(t)
  assertFailed(await command('set', 'airdrop.slots', 'many'), 1, 'airdrop.slots must be a whole number\n')
  assertFailed(
    await command('set', 'airdrop.tasks', '[{'),
    1,
    'airdrop.tasks takes JSON, and this is not: [{\n',
  )
  const [ann] = await createUsers(db, defaults.id, 1)
  await submitProof(await testDeps(db), ann.id, freshProof())
  assertFailed(
    await command('set', 'airdrop.pointsPerTask', '1'),
    1,
    'This would break a promise to participants, so nothing was saved.\nairdrop.pointsPerTask must stay 5000 because people have claimed for these points\n',
  )
  assert.deepEqual(await effective(), defaults)
})

test('exports to a file that does not exist yet, and importing it sets every setting', async (t) => {
  const { command, effective, folder } = await setUp(t)
  await command('set', 'texts.hero', 'It’s a “hero”.')
  const file = path.join(folder, 'exported.ts')
  assertSucceeded(await command('export', file))
  assert.match(await readFile(file, 'utf8'), /hero: 'It’s a “hero”\.',/)
  const refusal = `${file} cannot be written: it exists, and is never replaced. Choose another name.\n`
  assertMisconfigured(await command('export', file), refusal)

  await command('unset', 'texts.hero')
  await command('set', 'texts.wish', 'Another wish.')
  assert.deepEqual(await command('import', file), SAVED)
  const { hero, wish } = (await effective()).texts
  assert.deepEqual({ hero, wish }, { hero: 'It’s a “hero”.', wish: defaults.texts.wish })

  const json = path.join(folder, 'EXPORTED.JSON')
  assertSucceeded(await command('export', json))
  assert.deepEqual(await command('import', json), SAVED)
})

test('does not import a missing file, or a file of another campaign or chain', async (t) => {
  const { command, folder } = await setUp(t)
  assertFailed(await command('import', 'none.json'), 1, 'none.json does not exist.\n')
  const other: CampaignFile = { ...defaults, id: 'other-airdrop', chain: { ...defaults.chain, id: 1 } }
  const file = path.join(folder, 'other.json')
  await writeFile(file, JSON.stringify(other))
  assertFailed(
    await command('import', file),
    1,
    `${file} is for the campaign other-airdrop, but this one is first-airdrop.\n${file} is for chain 1, but this campaign is on 369.\n`,
  )
})

test('commands keep the stored pictures when the campaign file names them by their paths', async (t) => {
  const { db, command, folder, file } = await setUp(t)
  const named: CampaignFile = { ...defaults, look: { logo: await writeLogo(folder) } }
  await writeFile(file, JSON.stringify(named))
  // Like the server at its start.
  const started = await resolveLook(db, named, file)
  await syncCampaign(db, started)
  const readStored = async () => {
    const stored = await db.selectFrom('campaigns').select('settings').executeTakeFirstOrThrow()
    return (stored.settings as CampaignFile).look
  }
  assert.deepEqual(await command('set', 'texts.hero', 'Another hero.'), SAVED)
  assert.deepEqual(await readStored(), started.look, 'the logo is as it was')

  const exported = path.join(folder, 'exported.json')
  assertSucceeded(await command('export', exported))
  for (const source of [exported, file]) {
    assert.deepEqual(await command('import', source), SAVED)
    assert.deepEqual(await readStored(), started.look)
  }
  assert.deepEqual(await db.selectFrom('campaign_overrides').selectAll().execute(), [])

  assert.deepEqual(await command('set', 'look.logo', 'null'), SAVED)
  assert.deepEqual(await describeOverrides(db, started), [], 'warns only if the file has changed')
})
