import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { inTransaction } from '#server/platform/database/database.ts'
import { freezeNow, payoutDeps } from '#server/testing/builders/payouts.ts'
import { untilWaiting } from '#server/testing/database/races.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { until } from '#server/testing/until.ts'
import { download, exportTo } from './export.ts'
import { readPayout } from './read-payout.ts'
import { excludeRuns } from './runs.ts'
import { thaw } from './thaw.ts'

async function setUp(t: TestContext) {
  const payouts = await payoutDeps(t)
  const { deps, approveNewClaim } = payouts
  await approveNewClaim()
  await freezeNow(deps)
  const parent = await scratchFolder(t)
  const exportPack = () => exportTo(deps, path.join(parent, 'pack'), { actor: null })
  /** Inserts what `thaw` inserts, without the checks that may refuse it. */
  const insertThaw = (db = deps.db) =>
    db
      .insertInto('payout_thaws')
      .values({ campaign_id: deps.campaign.id, number: 1, reason: 'Too early.' }) // the first freeze
      .execute()
  /** Asserts that an export fails if the freeze is undone before the export has read the rows. */
  const assertFailsIfThawed = async (run: () => Promise<unknown>) => {
    const { refused } = await payouts.whileLocked(
      'payout_rows',
      async () => {
        const refusal = assert.rejects(run(), { code: 'payout_not_frozen' })
        await untilWaiting(deps.db, 1)
        // As `thaw` may do once the heartbeat of the export has stopped.
        await insertThaw()
        // In an object, so that `whileLocked` does not wait for it.
        return { refused: refusal }
      },
      'access exclusive',
    )
    await refused
  }
  return { ...payouts, parent, exportPack, insertThaw, assertFailsIfThawed }
}

test('an export leaves no pack if the freeze is undone meanwhile', async (t) => {
  const { parent, exportPack, assertFailsIfThawed } = await setUp(t)
  await assertFailsIfThawed(exportPack)
  assert.deepEqual(await readdir(parent), [])
})

test('a download is cut off if the freeze is undone meanwhile', async (t) => {
  const { deps, assertFailsIfThawed } = await setUp(t)
  const downloaded: Buffer[] = []
  await assertFailsIfThawed(async () => {
    for await (const piece of await download(deps, { actor: null })) downloaded.push(piece as Buffer)
  })
  assert.ok(downloaded.length > 0)
  const endOfArchive = 'PK\x05\x06'
  assert.ok(!Buffer.concat(downloaded).includes(endOfArchive))
})

test('an export that begins while the freeze is being undone writes no pack', async (t) => {
  const { deps, parent, exportPack, insertThaw } = await setUp(t)
  let refused: Promise<void> | undefined
  await inTransaction(deps.db, async (tx) => {
    await excludeRuns(tx, deps.campaign.id)
    refused = assert.rejects(exportPack(), { code: 'payout_not_frozen' })
    // The export has read the freeze, and waits to begin its run.
    await untilWaiting(deps.db, 1)
    await insertThaw(tx)
  })
  await refused
  assert.deepEqual(await readdir(parent), [])
})

test('a freeze cannot be undone during a download; once that is cut off, another may begin', async (t) => {
  const { deps } = await setUp(t)
  const stream = await download(deps, { actor: null })
  await assert.rejects(thaw(deps, { actor: null, reason: 'Too early.' }), { code: 'payout_busy' })
  stream.destroy()
  await once(stream, 'close').catch(() => {})
  // The run ends a moment after its stream.
  await until('the run has ended', async () => (await readPayout(deps)).run?.state === 'failed')
  const again = await download(deps, { actor: null })
  for await (const _piece of again);
  assert.ok(again.readableEnded)
})
