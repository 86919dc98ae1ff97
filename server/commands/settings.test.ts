import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { CampaignFile } from '#contract/campaign-file.ts'
import defaults from '../testing/campaign.ts'
import { submitProof } from '../domain/claims/submission/submit-proof.ts'
import { readEffective } from '../domain/campaign/overrides.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { freshProof } from '../testing/builders/proof.ts'
import { testDatabase } from '../testing/database.ts'
import { testDeps } from '../testing/deps.ts'
import { runCommand } from '../testing/product.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'

async function setUp(t: TestContext) {
  const { db, url } = await testDatabase(t)
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'campaign.json')
  await writeFile(file, JSON.stringify(defaults))
  const env = { DATABASE_URL: url, CAMPAIGN_CONFIG: file }
  const effective = async () => (await readEffective(db, defaults)).campaign
  return { db, folder, effective, command: (...args: string[]) => runCommand('settings', args, env) }
}

const SAVED = { code: 0, out: 'Saved. A running site shows it within a second.\n', err: '' }

test('sets and unsets values of every kind before the first start, and lists them', async (t) => {
  const { command, effective } = await setUp(t)
  assert.deepEqual(await command('set', 'airdrop.slots', '20000'), SAVED)
  assert.deepEqual(await command('set', 'airdrop.closesAt', '2120-01-31T12:00:00Z'), SAVED)
  // A text that is also JSON.
  assert.deepEqual(await command('set', 'texts.hero', '42'), SAVED)
  assert.deepEqual(await command('set', 'texts.airdropRules', '["One rule."]'), SAVED)
  const { airdrop, texts } = await effective()
  assert.deepEqual([airdrop.slots, airdrop.closesAt], [20_000, '2120-01-31T12:00:00Z'])
  assert.deepEqual([texts.hero, texts.airdropRules], ['42', ['One rule.']])
  assert.deepEqual(await command('set', 'airdrop.closesAt', 'null'), SAVED)
  assert.equal((await effective()).airdrop.closesAt, null)
  assert.deepEqual(await command('set', 'look.logo', 'null'), SAVED)
  assert.equal((await effective()).look?.logo, null)
  const { out } = await command('list')
  assert.match(out, /^airdrop\.slots = 20000 \(changed by the command line, 20\d\d-\S+Z\)$/m)
  assert.match(out, /^airdrop\.closesAt = null$/m)
  assert.match(out, /^token\.symbol = "PF"$/m)
  assert.deepEqual(await command('unset', 'texts.hero'), SAVED)
  assert.equal((await effective()).texts.hero, defaults.texts.hero)
})

test('explains and refuses invalid values and broken promises, and changes nothing', async (t) => {
  const { db, command, effective } = await setUp(t)
  assert.deepEqual(await command('set', 'airdrop.slots', 'many'), {
    code: 1,
    out: '',
    err: 'airdrop.slots must be a whole number\n',
  })
  const [ann] = await createUsers(db, defaults.id, 1)
  await submitProof(await testDeps(db), ann.id, freshProof(), undefined)
  assert.deepEqual(await command('set', 'airdrop.pointsPerTask', '1'), {
    code: 1,
    out: '',
    err: 'This would break a promise to participants, so nothing was saved.\nairdrop.pointsPerTask must stay 5000 because people have claimed for these points\n',
  })
  assert.deepEqual(await effective(), defaults)
})

test('an exported file can be imported, and sets every setting to its value in the file', async (t) => {
  const { command, effective, folder } = await setUp(t)
  await command('set', 'texts.hero', 'It’s a “hero”.')
  const target = path.join(folder, 'exported.ts')
  assert.equal((await command('export', target)).code, 0)
  const again = await command('export', target)
  assert.deepEqual([again.code, again.err], [1, `${target} already exists. Choose a new file name.\n`])
  assert.match(await readFile(target, 'utf8'), /hero: 'It’s a “hero”\.',/)
  await command('unset', 'texts.hero')
  await command('set', 'texts.wish', 'Another wish.')
  assert.deepEqual(await command('import', target), SAVED)
  const { texts } = await effective()
  assert.deepEqual([texts.hero, texts.wish], ['It’s a “hero”.', defaults.texts.wish])
  const json = path.join(folder, 'EXPORTED.JSON')
  assert.equal((await command('export', json)).code, 0)
  assert.deepEqual(await command('import', json), SAVED)
  const other: CampaignFile = { ...defaults, id: 'other-airdrop', chain: { ...defaults.chain, id: 1 } }
  const foreign = path.join(folder, 'other.json')
  await writeFile(foreign, JSON.stringify(other))
  assert.deepEqual((await command('import', foreign)).err.trim().split('\n'), [
    `${foreign} is for the campaign other-airdrop, but this one is first-airdrop.`,
    `${foreign} is for chain 1, but this campaign is on 369.`,
  ])
})
