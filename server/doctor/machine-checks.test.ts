import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { textsLacking } from '#server/domain/campaign/localized-campaign.ts'
import { testDatabase } from '#server/testing/database/database.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import campaign from '#server/testing/campaign.ts'
import { deployment, assertFinding, findingText } from '#server/testing/doctor.ts'
import { syncCampaign } from '../domain/campaign/sync-campaign.ts'
import { changeSettings } from '../domain/settings/change-settings.ts'
import { chain } from './checks/chain.ts'
import { disk } from './checks/disk.ts'
import { campaignFile, environment } from './checks/configuration.ts'
import { price } from './checks/price.ts'
import { readEffectiveCampaign } from './reach-database.ts'

test('environment: fine if usable, wrong if exposed or invalid, with every problem at once', async () => {
  await assertFinding(environment, deployment(), /^fine\nEvery variable is valid\.\n\(NODE_ENV is not/)
  await assertFinding(environment, deployment({ HOST: '0.0.0.0' }), /^wrong\nSMTP_URL is required with HOST/)
  const broken = {
    NODE_ENV: 'production',
    PORT: 'x',
    DATABASE_URL: 'mysql://db',
    PUBLIC_URL: 'https://pf.example',
  }
  const firstWords = async (env: Record<string, string>) =>
    (await findingText(environment, deployment(env))).split('\n').map((line) => line.split(' ')[0])
  assert.deepEqual(await firstWords(broken), ['wrong', 'PORT', 'DATABASE_URL', 'SMTP_URL'])
  const crowded = { PORT: 'x', WORKERS: '64', DATABASE_CONNECTIONS: '4' }
  assert.deepEqual(await firstWords(crowded), ['wrong', 'PORT', 'WORKERS=64', '(NODE_ENV'])
})

test('campaign file: fine with remarks if usable, else wrong with every problem', async () => {
  const { payout: _payout, ...unpaid } = campaign
  const airdrop = { ...campaign.airdrop, opensAt: '2026-01-01T00:00:00Z', closesAt: '2026-03-01T00:00:00Z' }
  const deploymentOn = (day: string) =>
    deployment({}, { campaign: { ...unpaid, airdrop }, now: () => Date.parse(`${day}T00:00:00Z`) })
  await assertFinding(
    campaignFile,
    deploymentOn('2025-12-01'),
    /^fine\n[^]*placeholder[^]*is in the future[^]*\(payout is missing/,
  )
  await assertFinding(campaignFile, deploymentOn('2026-04-01'), /\(airdrop\.closesAt has passed/)
  const whileOpen = await findingText(campaignFile, deploymentOn('2026-02-01'))
  assert.doesNotMatch(whileOpen, /has passed|is in the future/)
  const broken = deployment({}, { campaign: { problems: ['name is missing', 'id must be short'] } })
  await assertFinding(campaignFile, broken, 'wrong\nname is missing\nid must be short')
  await assertFinding(price, broken, /^could_not_tell\nThe campaign file cannot be used/)
  await assertFinding(chain, broken, /^could_not_tell/)
})

test('campaign file: says which texts a language lacks, unless there are no translations', async () => {
  const remarks = async (translations?: CampaignFile['translations']) => {
    const file = translations ? { ...campaign, translations } : campaign
    const lines = (await findingText(campaignFile, deployment({}, { campaign: file }))).split('\n')
    return lines.filter((line) => line.includes('not given'))
  }
  assert.deepEqual(await remarks(), [])
  const paths = textsLacking({ ...campaign, translations: {} }).get('ar') ?? []
  assert.ok(paths.length > 50 && paths.includes('texts.features.0.title'))
  const texts = Object.fromEntries(paths.map((at) => [at, 'x']))
  const complete = { es: texts, 'pt-BR': texts, tr: texts, 'zh-Hans': texts, ar: texts }
  assert.deepEqual(await remarks(complete), [])

  const { name: _name, ...withoutName } = texts
  assert.deepEqual(await remarks({ ...complete, tr: withoutName }), [
    '(1 text not given in tr, so its readers get English: name.)',
  ])

  const { ar: _ar, ...withoutArabic } = complete
  const [line = '', ...others] = await remarks(withoutArabic)
  assert.match(
    line,
    /^\((\d+) texts not given in ar, so its readers get English: name, token\.description, airdrop\.tasks\.0\.title and \d+ more\.\)$/,
  )
  assert.deepEqual(others, [])
})

test('disk: fine with free space, wrong if full or not writable, could not tell if no folder exists yet', async (t) => {
  const folder = await scratchFolder(t)
  const env = { DATA_DIR: folder, BACKUP_DIR: folder }
  const withFree = (bytes: number) => deployment(env, { freeBytes: () => Promise.resolve(bytes) })
  await assertFinding(
    disk,
    withFree(9e9),
    'fine\nDATA_DIR is writable, 9.0 GB free; BACKUP_DIR is writable, 9.0 GB free.',
  )
  await assertFinding(disk, withFree(1e9), /^fine\n[^]*\(The disk of DATA_DIR has only 1\.0 GB left\.\)/)
  await assertFinding(disk, withFree(1e8), /^wrong\nThe disk of DATA_DIR .* has 0\.1 GB left: free up space/)
  const file = path.join(folder, 'file')
  await writeFile(file, '')
  for (const wrong of [file, path.join(file, 'inside')])
    await assertFinding(
      disk,
      deployment({ DATA_DIR: folder, BACKUP_DIR: wrong }),
      `wrong\nBACKUP_DIR ${wrong} is a file, or in one: set BACKUP_DIR to a folder.`,
    )
  await assertFinding(
    disk,
    deployment({ DATA_DIR: path.join(folder, 'new') }),
    /^could_not_tell\nDATA_DIR .*new does not exist yet/,
  )
})

test('the checks read the campaign file with the settings changed on the dashboard', async (t) => {
  const { db, pool } = await testDatabase(t)
  const database = Promise.resolve({ db, pool, close: () => Promise.resolve() })
  const remarks = async () =>
    findingText(campaignFile, deployment({}, { campaign: readEffectiveCampaign(campaign, database) }))
  await syncCampaign(db, campaign)
  assert.match(await remarks(), /token\.placeholder is true/)
  const changes = [{ path: 'token.placeholder', value: false }]
  await changeSettings(db, campaign, { actor: null, changes })
  assert.doesNotMatch(await remarks(), /token\.placeholder/)
})

test('the checks read only the campaign file if the database cannot be read', async () => {
  for (const reached of [{ absent: 'Not yet.' }, { failure: 'No answer.' }])
    assert.equal(await readEffectiveCampaign(campaign, Promise.resolve(reached)), campaign)
  const broken = { problems: ['name is missing'] }
  assert.equal(await readEffectiveCampaign(broken, Promise.resolve({ absent: 'Not yet.' })), broken)
})
