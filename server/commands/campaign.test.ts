import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import defaults from '../testing/campaign.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { testDatabase } from '../testing/database.ts'
import { testDeps } from '../testing/deps.ts'
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
