import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { readUser } from '#server/domain/accounts/user.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { assertSlotsFit, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { appeal } from '../appeal.ts'
import { holdClaim } from './hold-claim.ts'
import { readOwnClaim } from '../own-claim.ts'
import { submitProof } from '../submission/submit-proof.ts'

/** An invited participant with a claim, and two administrators. */
async function setUp(t: TestContext) {
  const { deps } = await testNode(t)
  const [ref] = await createUsers(deps.db, deps.campaign.id, 1)
  const [ann] = await createUsers(deps.db, deps.campaign.id, 1, { referredBy: ref.id })
  const [adm, boss] = await createUsers(deps.db, deps.campaign.id, 2, { role: 'admin' })
  const { _id: id } = await submitProof(deps, ann.id, freshProof())
  return { deps, ref, ann, adm, reviewer: reviewerOn(deps, adm), other: reviewerOn(deps, boss), id }
}

const pointsOf = async ({ db, campaign }: Deps, userId: string) =>
  (await readUser(db, campaign.id, userId)).totalPoints

const timelineOf = async (deps: Deps, userId: string) =>
  (await readOwnClaim(deps, userId)).timeline.map(({ what }) => what)

test('undoing an approval reverses all points; approving again credits them once', async (t) => {
  const { deps, ref, ann, reviewer, other, id } = await setUp(t)
  await reviewer.approve(id)
  assert.deepEqual([await pointsOf(deps, ann.id), await pointsOf(deps, ref.id)], [40_000, 1000])
  const open = await other.undo(id)
  assert.deepEqual([open.approved, open.underReview, open.pfPoints], [false, true, 0])
  assert.deepEqual([await pointsOf(deps, ann.id), await pointsOf(deps, ref.id)], [0, 0])
  await assert.rejects(reviewer.undo(id), { code: 'nothing_to_undo' })
  await assertLedgerInvariants(deps)
  await reviewer.approve(id)
  await reviewer.approve(id)
  assert.deepEqual([await pointsOf(deps, ann.id), await pointsOf(deps, ref.id)], [40_000, 1000])
  const rows = await deps.db.selectFrom('ledger').select(['reverses', 'amount', 'id']).execute()
  const reversals = rows.filter(({ reverses }) => reverses !== null)
  assert.deepEqual([rows.length, reversals.length], [9, 3])
  for (const { reverses, amount } of reversals)
    assert.equal(rows.find((row) => row.id === reverses)?.amount, -amount, 'names the row that it reverses')
  await assertLedgerInvariants(deps)
  await assertSlotsFit(deps)
  assert.deepEqual(await timelineOf(deps, ann.id), ['received', 'approved', 'reopened', 'approved'])
  const entries = await entriesOf(deps.db, { subject: id })
  const actions = entries.map(({ action }) => action)
  assert.deepEqual(actions, ['claim.approved', 'claim.reopened', 'claim.approved'])
  const reversed = await entriesOf(deps.db, { action: 'points.reversed' })
  assert.equal(reversed.length, 3)
})

test('a rejection gives its reason, keeps the slot, and can be undone or corrected', async (t) => {
  const { deps, ann, reviewer, id } = await setUp(t)
  await assert.rejects(reviewer.reject(id, '', 'other'), { fields: { text: 'required' } })
  const words = 'It is gone. <b>=1+1</b>'
  const task = await reviewer.reject(id, words)
  assert.deepEqual([task.status, task.reason], ['rejected', `We couldn’t find your post. ${words}`])
  const user = await readUser(deps.db, deps.campaign.id, ann.id)
  assert.deepEqual([user.isTaskCompleted, user.taskId], [false, task])
  assert.equal((await readOwnClaim(deps, ann.id)).slot?.state, 'kept')
  await assert.rejects(reviewer.reject(id), { code: 'claim_rejected' })
  await assert.rejects(reviewer.approve(id), { code: 'claim_rejected' })
  await assertSlotsFit(deps)
  await reviewer.undo(id)
  await reviewer.reject(id)
  const corrected = await submitProof(deps, ann.id, freshProof())
  await assert.rejects(reviewer.undo(id), { code: 'claim_superseded' })
  await reviewer.approve(corrected._id)
  await assert.rejects(reviewer.reject(corrected._id), { code: 'claim_approved' })
  const claims = await deps.db.selectFrom('claims').select(['attempt', 'slot']).orderBy('attempt').execute()
  assert.deepEqual(claims, [
    { attempt: 1, slot: 1 },
    { attempt: 2, slot: 1 },
  ])
  const expected = ['received', 'rejected', 'reopened', 'rejected', 'corrected', 'approved']
  assert.deepEqual(await timelineOf(deps, ann.id), expected)
  await assertLedgerInvariants(deps)
  await assertSlotsFit(deps)
})

test("refuses undoing or rejecting one's own claim, or one locked by another reviewer", async (t) => {
  const { deps, adm, reviewer, other, id } = await setUp(t)
  const own = (await submitProof(deps, adm.id, freshProof()))._id
  for (const act of [reviewer.reject, reviewer.undo, reviewer.lock, reviewer.approve])
    await assert.rejects(act(own), { code: 'own_claim' })
  await reviewer.lock(id)
  await reviewer.lock(id)
  for (const act of [other.lock, other.approve, other.reject])
    await assert.rejects(act(id), { code: 'claim_locked', by: adm.username })
  await reviewer.unlock(id)
  await other.lock(id)
  await sql`update review_locks set until = now()`.execute(deps.db)
  await reviewer.approve(id)
  assert.equal((await deps.db.selectFrom('review_locks').selectAll().execute()).length, 0)
})

test('a held claim gives its reasons, can be appealed once, and is decided alone', async (t) => {
  const { deps, ann, reviewer, id } = await setUp(t)
  const sendAppeal = (text: string) => appeal(deps, { userId: ann.id, claimId: id, text })
  await assert.rejects(sendAppeal('Why?'), { code: 'not_appealable' })
  const hold = (...reasons: string[]) =>
    inTransaction(deps.db, (tx) => holdClaim(tx, { claimId: id, reasons }))
  await hold('Others claimed from your network.')
  await hold('Others claimed from your network.', 'It was quick.')
  const held = await readOwnClaim(deps, ann.id)
  assert.deepEqual([held.claim?.status, held.claim?.isAppealable], ['held', true])
  assert.deepEqual(held.claim?.heldFor, ['Others claimed from your network.', 'It was quick.'])
  await sendAppeal('We share a flat.')
  await assert.rejects(sendAppeal('We do.'), { code: 'already_appealed' })
  await reviewer.approve(id)
  await hold('Too late.')
  const after = await readOwnClaim(deps, ann.id)
  assert.deepEqual([after.claim?.status, after.claim?.appeal?.isAnswered], ['approved', true])
  await reviewer.undo(id)
  assert.equal((await readOwnClaim(deps, ann.id)).claim?.status, 'held', 'a held claim is held again')
  assert.deepEqual(await timelineOf(deps, ann.id), ['received', 'held', 'appealed', 'approved', 'reopened'])
})
