import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { syncCampaign } from '../domain/campaign/sync-campaign.ts'
import { resolveLook } from '../domain/look/resolve-look.ts'
import type { QueuedMail } from '../domain/mail/send-later.ts'
import { render } from '../domain/mail/templates.ts'
import { slotMails } from '../domain/slots/mail.ts'
import defaults from '../testing/campaign.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { writeLogo } from '../testing/builders/logo.ts'
import { assertFailed, assertMisconfigured, assertSucceeded } from '../testing/checks/commands.ts'
import { testDatabase } from '../testing/database/database.ts'
import { MAIL_CONTEXT, testDeps } from '../testing/deps.ts'
import { campaignWith } from '../testing/database/races.ts'
import { runWarm } from '../testing/warm-command.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'

async function setUp(t: TestContext, campaign: CampaignFile) {
  const { db, url } = await testDatabase(t)
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'campaign.json')
  await writeFile(file, JSON.stringify(campaign))
  return { db, env: { DATABASE_URL: url, CAMPAIGN_CONFIG: file, DATA_DIR: folder } }
}

test('commands say what to do when the campaign of the file is not in the database', async (t) => {
  const { db, env } = await setUp(t, { ...defaults, id: 'forgotten-file' })
  const { campaign } = await testDeps(db)
  const [ann] = await createUsers(db, campaign.id, 1)
  await db.updateTable('users').set({ banned_at: new Date() }).where('id', '=', ann.id).execute()
  for (const [command, ...args] of [
    ['campaign', 'status'],
    ['payout', 'freeze'],
    ['settings', 'list'],
  ] as const) {
    const advice = /^The campaign forgotten-file is not in the database: .*CAMPAIGN_CONFIG.*\n$/
    assertMisconfigured(await runWarm(command, args, env), advice)
  }
  assertSucceeded(await runWarm('people', ['unban', ann.id], env), /lifted/) // This needs no campaign.
})

test('the status says that a campaign without an end stays open, and an error names the wrong option', async (t) => {
  const endless = campaignWith({ opensAt: '2020-01-01T00:00:00Z', closesAt: null })
  const { db, env } = await setUp(t, endless)
  await syncCampaign(db, endless)
  assertSucceeded(await runWarm('campaign', ['status'], env), /, stays open until you close it\n/)
  for (const [args, problem] of [
    [['pause', '--notice', 'x'.repeat(301)], /^--notice needs 1 to 300 characters of plain text\.\n$/],
    [['pause', '--notice', 'Rings a bell: \u0007'], /^--notice needs .*\n$/],
    [['pause', '--notice', 'Back soon.', '--until', 'tomorrow'], /^--until needs a date .*\n$/],
    [['pause', '--notice', 'Back soon.', '--until', '2027-02-30T12:00:00Z'], /^--until needs a date .*\n$/],
    [['extend', '--to', 'tomorrow'], /^--to needs a date .*\n$/],
  ] as const) {
    assertFailed(await runWarm('campaign', args, env), 1, problem)
  }
})

test('archiving by a command tells those on the waiting list, even while no server runs', async (t) => {
  const ended = campaignWith({ opensAt: '2020-01-01T00:00:00Z', closesAt: '2020-02-01T00:00:00Z' })
  const { db, env } = await setUp(t, ended)
  await syncCampaign(db, ended)
  const [ann] = await createUsers(db, ended.id, 1)
  await db.insertInto('waiting_list').values({ campaign_id: ended.id, user_id: ann.id }).execute()

  assertSucceeded(await runWarm('campaign', ['archive', '--yes'], env))
  assert.deepEqual(await db.selectFrom('waiting_list').selectAll().execute(), [])
  const [mail, ...others] = await db.selectFrom('jobs').select('payload').where('kind', '=', 'mail').execute()
  assert.partialDeepStrictEqual(mail?.payload, { template: 'waiting-list-ended', to: ann.email })
  assert.deepEqual(others, [])

  // The next server may serve another campaign.
  const next = { ...ended, id: 'next', name: 'Another Airdrop' }
  const { subject } = render(mail?.payload as QueuedMail, slotMails, { ...MAIL_CONTEXT, campaign: next })
  assert.equal(subject, `The waiting list of ${ended.name} has ended`)
})

test('extending keeps the stored picture that the campaign file names by its path, and pausing needs no picture', async (t) => {
  const ending = campaignWith({ opensAt: '2020-01-01T00:00:00Z', closesAt: '2120-01-01T00:00:00Z' })
  const named: CampaignFile = { ...ending, look: { logo: 'logo.png' } }
  const { db, env } = await setUp(t, named)
  await writeLogo(env.DATA_DIR)
  const started = await resolveLook(db, named, env.CAMPAIGN_CONFIG)
  await syncCampaign(db, started)
  assertSucceeded(await runWarm('campaign', ['extend', '--to', '2121-01-01T00:00:00Z'], env))
  const stored = await db.selectFrom('campaigns').select('settings').executeTakeFirstOrThrow()
  const { look, airdrop } = stored.settings as CampaignFile
  assert.deepEqual([look, airdrop.closesAt], [started.look, '2121-01-01T00:00:00.000Z'])

  await rm(path.join(env.DATA_DIR, 'logo.png'))
  assertSucceeded(await runWarm('campaign', ['pause', '--notice', 'Wait.'], env), 'The campaign is paused.\n')
  assertSucceeded(
    await runWarm('campaign', ['pause', '--notice', 'Wait longer.'], env),
    /^The campaign was already paused\. The notice has been changed\. Before:\n {2}paused since .*: Wait\.\n$/,
  )
})
