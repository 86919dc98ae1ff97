import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { syncCampaign } from '../domain/campaign/sync-campaign.ts'
import type { QueuedMail } from '../domain/mail/send-later.ts'
import { render } from '../domain/mail/templates.ts'
import { slotMails } from '../domain/slots/mail.ts'
import defaults from '../testing/campaign.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { MAIL_CONTEXT } from '../testing/builders/mail-context.ts'
import { testDatabase } from '../testing/database.ts'
import { testDeps } from '../testing/deps.ts'
import { campaignWith } from '../testing/races.ts'
import { runCommand } from '../testing/product.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'

test('with the file of a campaign that is not in the database, commands say what to do', async (t) => {
  const { db, url } = await testDatabase(t)
  const { campaign } = await testDeps(db)
  const [ann] = await createUsers(db, campaign.id, 1)
  await db.updateTable('users').set({ banned_at: new Date() }).where('id', '=', ann.id).execute()
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'campaign.json')
  await writeFile(file, JSON.stringify({ ...defaults, id: 'forgotten-file' }))
  const env = { DATABASE_URL: url, CAMPAIGN_CONFIG: file, DATA_DIR: folder }
  for (const [command, ...args] of [
    ['campaign', 'status'],
    ['campaign', 'close', '--yes'],
    ['payout', 'freeze'],
    ['settings', 'list'],
    ['settings', 'set', 'airdrop.slots', '20000'],
  ] as const) {
    const { code, out, err } = await runCommand(command, args, env)
    assert.deepEqual([code, out], [78, ''], command)
    assert.match(err, /^The campaign forgotten-file is not in the database: .*CAMPAIGN_CONFIG.*\n$/)
  }
  const unbanned = await runCommand('people', ['unban', ann.id], env)
  assert.deepEqual([unbanned.code, unbanned.err], [0, ''])
})

test('archiving by a command tells those on the waiting list, though no server runs', async (t) => {
  const { db, url } = await testDatabase(t)
  const campaign = campaignWith({ opensAt: '2020-01-01T00:00:00Z', closesAt: '2020-02-01T00:00:00Z' })
  await syncCampaign(db, campaign)
  const [ann] = await createUsers(db, campaign.id, 1)
  await db.insertInto('waiting_list').values({ campaign_id: campaign.id, user_id: ann.id }).execute()
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'campaign.json')
  await writeFile(file, JSON.stringify(campaign))
  const env = { DATABASE_URL: url, CAMPAIGN_CONFIG: file, DATA_DIR: folder }
  const archived = await runCommand('campaign', ['archive', '--yes'], env)
  assert.deepEqual([archived.code, archived.err], [0, ''])
  assert.deepEqual(await db.selectFrom('waiting_list').selectAll().execute(), [])
  const mails = await db.selectFrom('jobs').select('payload').where('kind', '=', 'mail').execute()
  assert.partialDeepStrictEqual(mails, [{ payload: { template: 'waiting-list-ended', to: ann.email } }])
  // The next start may be that of another campaign.
  const next = { ...campaign, id: 'next', name: 'Another Airdrop' }
  const mail = render(mails[0]?.payload as QueuedMail, slotMails, { ...MAIL_CONTEXT, campaign: next })
  assert.equal(mail.subject, `The waiting list of ${campaign.name} has ended`)
})
