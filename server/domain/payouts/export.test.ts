import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { frozen, payoutDeps } from '#server/testing/builders/payouts.ts'
import { untilWaiting } from '#server/testing/races.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { exportTo } from './export.ts'
import { thaw } from './thaw.ts'

test('an export whose heartbeat has stopped writes no pack of a freeze that was undone meanwhile', async (t) => {
  const { deps, db, whileLocked, approved } = await payoutDeps(t)
  await approved()
  await frozen(deps)
  const target = path.join(await scratchFolder(t), 'pack')
  t.mock.timers.enable({ apis: ['setInterval'] })
  const work = async () => {
    const running = exportTo(deps, target, { actor: null })
    running.catch(() => {})
    // It has begun, and waits to read the rows.
    await untilWaiting(db, 1)
    await sql`update payout_runs set beat_at = now() - interval '1 minute'`.execute(db)
    await thaw(deps, { actor: null, reason: 'Too early.' })
    return { running }
  }
  const exporting = await whileLocked('payout_rows', work, 'access exclusive')
  await assert.rejects(exporting.running, { code: 'payout_not_frozen' })
  await assert.rejects(readdir(target), { code: 'ENOENT' })
})
