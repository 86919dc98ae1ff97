import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { readUser } from '#server/domain/accounts/user.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { claimant } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { assertSlotsFit, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { appeal } from '../appeal.ts'
import { holdClaim } from './hold-claim.ts'
import { readOwnClaim } from '../own-claim.ts'
import { submitProof } from '../submission/submit-proof.ts'

/** Ann, invited by Ref, has a claim, which two administrators review. */
async function setUp(t: TestContext) {
  const { deps } = await testNode(t)
  const { db, campaign } = deps
  const [ref] = await createUsers(db, campaign.id, 1)
  const ann = await claimant(deps, { referredBy: ref.id })
  const [adm, boss] = await createUsers(db, campaign.id, 2, { role: 'admin' })
  const id = ann.claimId
  const totalPointsOf = async (userId: string) => (await readUser(db, campaign.id, userId)).totalPoints
  return {
    deps,
    ann,
    reviewer: reviewerOn(deps, adm),
    otherReviewer: reviewerOn(deps, boss),
    id,
    hold: (...reasons: string[]) => inTransaction(db, (tx) => holdClaim(tx, { claimId: id, reasons })),
    readOwn: () => readOwnClaim(deps, ann.id),
    readTimeline: async () => (await readOwnClaim(deps, ann.id)).timeline.map(({ what }) => what),
    readPoints: async () => ({ ann: await totalPointsOf(ann.id), ref: await totalPointsOf(ref.id) }),
  }
}

/** 20,000 points of each kind, and the reward for inviting Ann. */
const GRANTED = { ann: 40_000, ref: 1_000 }

test('undoing an approval reverses all points, and approving again credits them once', async (t) => {
  const { deps, reviewer, otherReviewer, id, readPoints, readTimeline } = await setUp(t)
  await reviewer.approve(id)
  assert.deepEqual(await readPoints(), GRANTED)
  const reopened = await otherReviewer.undo(id)
  assert.partialDeepStrictEqual(reopened, { approved: false, underReview: true, pfPoints: 0 })
  assert.deepEqual(await readPoints(), { ann: 0, ref: 0 })
  await assert.rejects(reviewer.undo(id), { code: 'nothing_to_undo' })
  await assertLedgerInvariants(deps)
  await reviewer.approve(id)
  await reviewer.approve(id)
  assert.deepEqual(await readPoints(), GRANTED)
  await assertLedgerInvariants(deps)
  await assertSlotsFit(deps)

  // Ledger, journal and timeline keep all three decisions: each credits or reverses PF, PLS and the reward.
  const rows = await deps.db.selectFrom('ledger').select(['reverses', 'amount', 'id']).execute()
  const reversals = rows.filter(({ reverses }) => reverses !== null)
  assert.deepEqual({ rows: rows.length, reversals: reversals.length }, { rows: 9, reversals: 3 })
  for (const { reverses, amount } of reversals) {
    const reversed = rows.find((row) => row.id === reverses)
    assert.equal(reversed?.amount, -amount, 'a reversal names the row that it reverses')
  }
  const decisions = (await entriesOf(deps.db, { subject: id })).map(({ action }) => action)
  assert.deepEqual(decisions, ['claim.approved', 'claim.reopened', 'claim.approved'])
  assert.equal((await entriesOf(deps.db, { action: 'points.reversed' })).length, 3)
  assert.deepEqual(await readTimeline(), ['received', 'approved', 'reopened', 'approved'])
})

test('a rejection gives its reason and keeps the slot', async (t) => {
  const { deps, ann, reviewer, id, readOwn } = await setUp(t)
  const text = 'It is gone. <b>=1+1</b>'
  const task = await reviewer.reject(id, text)
  assert.partialDeepStrictEqual(task, { status: 'rejected', reason: `We couldn’t find your post. ${text}` })
  const { isTaskCompleted, taskId } = await readUser(deps.db, deps.campaign.id, ann.id)
  assert.deepEqual({ isTaskCompleted, taskId }, { isTaskCompleted: false, taskId: task })
  assert.equal((await readOwn()).slot?.state, 'kept')
  await assertSlotsFit(deps)
})

test('a rejection can be undone until the claim is corrected; the corrected claim gets the same slot', async (t) => {
  const { deps, ann, reviewer, id, readTimeline } = await setUp(t)
  await reviewer.reject(id)
  await reviewer.undo(id)
  await reviewer.reject(id)
  const { _id: corrected } = await submitProof(deps, ann.id, freshProof())
  await assert.rejects(reviewer.undo(id), { code: 'claim_superseded' })
  await reviewer.approve(corrected)
  await assert.rejects(reviewer.reject(corrected), { code: 'claim_approved' })

  const claims = await deps.db.selectFrom('claims').select(['attempt', 'slot']).orderBy('attempt').execute()
  assert.deepEqual(claims, [
    { attempt: 1, slot: 1 },
    { attempt: 2, slot: 1 },
  ])
  const expected = ['received', 'rejected', 'reopened', 'rejected', 'corrected', 'approved']
  assert.deepEqual(await readTimeline(), expected)
  await assertLedgerInvariants(deps)
  await assertSlotsFit(deps)
})

test('a held claim gives its latest reasons, and can be appealed until it is decided', async (t) => {
  const { deps, ann, reviewer, id, hold, readOwn, readTimeline } = await setUp(t)
  await hold('Others claimed from your network.')
  const heldFor = ['Others claimed from your network.', 'It was quick.']
  await hold(...heldFor)
  const { claim } = await readOwn()
  assert.partialDeepStrictEqual(claim, { status: 'held', isAppealable: true })
  assert.deepEqual(claim?.heldFor, heldFor)

  await appeal(deps, { userId: ann.id, claimId: id, text: 'We share a flat.' })
  await reviewer.approve(id)
  assert.partialDeepStrictEqual((await readOwn()).claim, { status: 'approved', appeal: { isAnswered: true } })
  assert.deepEqual(await readTimeline(), ['received', 'held', 'appealed', 'approved'])
})

test('a decided claim is not held; undoing the decision on a held claim holds it again', async (t) => {
  const { reviewer, id, hold, readOwn, readTimeline } = await setUp(t)
  await hold('It was quick.')
  await reviewer.approve(id)
  await hold('Too late.')
  assert.equal((await readOwn()).claim?.status, 'approved')
  await reviewer.undo(id)
  const { claim } = await readOwn()
  assert.deepEqual([claim?.status, claim?.heldFor], ['held', ['It was quick.']])
  assert.deepEqual(await readTimeline(), ['received', 'held', 'approved', 'reopened'])
})
