import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#server/platform/database/ids.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { testNode } from '#server/testing/deps.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { exportPerson } from './personal-data.ts'

/** Whoever runs a command has no account. */
const OPERATOR = { userId: null }

test('an export succeeds if the Telegram account is disconnected as soon as it has been read', async (t) => {
  const { db, deps } = await testNode(t)
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  const account = { user_id: ann.id, telegram_id: 77, username: 'ann_on_telegram' }
  await db.insertInto('telegram_accounts').values(account).execute()
  let isDisconnected = false
  const disconnecting = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!result.rows.some(({ username }) => username === account.username)) return result
      await db.deleteFrom('telegram_accounts').execute()
      isDisconnected = true
      return result
    },
  })
  const { telegram } = await exportPerson({ ...deps, db: disconnecting }, ann.id, OPERATOR)
  assert.ok(isDisconnected)
  assert.partialDeepStrictEqual(telegram, { id: 77, username: 'ann_on_telegram' })
})

test('an export has all claims of a person, even more than the dashboard shows', async (t) => {
  const { db, deps } = await testNode(t)
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  const pastCampaigns = 24 // The dashboard shows 20 claims.
  await submitProof(deps, ann.id, freshProof())
  // Rejected, because a copy of a live claim would need a slot of its campaign.
  await sql`update claims set status = 'rejected', reason_code = 'other', decided_at = now()`.execute(db)
  await sql`insert into campaigns select (jsonb_populate_record(c, jsonb_build_object('id', 'past-' || past))).*
    from campaigns c, generate_series(1, ${pastCampaigns}::int) past`.execute(db)
  const stored = await db.selectFrom('claims').selectAll().executeTakeFirstOrThrow()
  // The database computes these three columns.
  const { risk_order: _riskOrder, held_slot: _heldSlot, held_by: _heldBy, ...claim } = stored
  const copies = Array.from({ length: pastCampaigns }, (_, past) => ({
    ...claim,
    id: newId(),
    campaign_id: `past-${past + 1}`,
  }))
  await db.insertInto('claims').values(copies).execute()
  const { claims } = await exportPerson(deps, ann.id, OPERATOR)
  assert.equal((claims as unknown[]).length, pastCampaigns + 1)
})
