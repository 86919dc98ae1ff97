import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frozen, PAID, payoutDeps } from '#server/testing/builders/payouts.ts'
import { ban } from '../../accounts/bans/ban.ts'
import { deleteAccount } from '../../accounts/deletion/delete-account.ts'
import { readPayout } from '../read-payout.ts'

test('leaves out banned and deleted accounts, with their approved claims, and still accounts for every point', async (t) => {
  const { deps, db, adm, approved } = await payoutDeps(t)
  const [paid, banned, deleted] = [await approved(), await approved(), await approved()]
  const by = { userId: adm.id }
  await ban(deps, { userId: banned.id, reason: 'A test.', revokesApproval: false, by })
  await deleteAccount(deps, { userId: deleted.id, by: adm.id })
  assert.deepEqual((await readPayout(deps)).plan?.approved, 1)
  const live = await frozen(deps, { actor: adm.id, undecided: 0 })
  const rows = await db.selectFrom('payout_rows').select('wallet').execute()
  assert.deepEqual(rows, [{ wallet: paid.wallet }])
  assert.equal(live.pf, PAID.pf)
  const leftOut = await db.selectFrom('payout_left_out').selectAll().orderBy('number').execute()
  const reasons = leftOut.map(({ reason, user_id, pf, pls }) => [reason, user_id, BigInt(pf), BigInt(pls)])
  assert.deepEqual(reasons, [
    ['account_banned', banned.id, PAID.pf, PAID.pls],
    ['account_deleted', deleted.id, PAID.pf, PAID.pls],
  ])
})
