import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { frozen, payoutDeps } from '#server/testing/builders/payouts.ts'
import { untilWaiting } from '#server/testing/races.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { download, exportTo } from './export.ts'

test('an export or a download during which the freeze is undone fails, and leaves no pack', async (t) => {
  const { deps, db, whileLocked, approved } = await payoutDeps(t)
  await approved()
  const parent = await scratchFolder(t)
  const downloaded: Buffer[] = []
  const readToEnd = async () => {
    for await (const piece of await download(deps, { actor: null })) downloaded.push(piece as Buffer)
  }
  const runs = [() => exportTo(deps, path.join(parent, 'pack'), { actor: null }), readToEnd]
  for (const run of runs) {
    const { number } = await frozen(deps)
    const exporting = await whileLocked(
      'payout_rows',
      async () => {
        const exported = assert.rejects(run(), { code: 'payout_not_frozen' })
        // The run has seen the freeze, and waits to read its rows. Without heartbeats, a thaw is allowed.
        await untilWaiting(db, 1)
        const thawed = { campaign_id: deps.campaign.id, number, reason: 'Too early.' }
        await db.insertInto('payout_thaws').values(thawed).execute()
        return { exported }
      },
      'access exclusive',
    )
    await exporting.exported
  }
  assert.deepEqual(await readdir(parent), [])
  assert.ok(downloaded.length > 0)
  const endOfArchive = 'PK\x05\x06'
  assert.ok(!Buffer.concat(downloaded).includes(endOfArchive))
})
