import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
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

/** Ann has a claim, which two administrators review. */
async function setUp(t: TestContext) {
  const { deps } = await testNode(t)
  const { db, campaign } = deps
  const ann = await claimant(deps)
  const [adm, boss] = await createUsers(db, campaign.id, 2, { role: 'admin' })
  const id = ann.claimId
  return {
    deps,
    ann,
    reviewer: reviewerOn(deps, adm),
    otherReviewer: reviewerOn(deps, boss),
    id,
    hold: (...reasons: string[]) => inTransaction(db, (tx) => holdClaim(tx, { claimId: id, reasons })),
    readOwn: () => readOwnClaim(deps, ann.id),
    readTimeline: async () => (await readOwnClaim(deps, ann.id)).timeline.map(({ what }) => what),
  }
}

test('an approval can be undone by another administrator and made again; journal and timeline keep each step', async (t) => {
  const { deps, reviewer, otherReviewer, id, readTimeline } = await setUp(t)
  await reviewer.approve(id)
  const reopened = await otherReviewer.undo(id)
  const withoutPoints = { approved: false, underReview: true, pfPoints: 0, plsPoints: 0 }
  assert.partialDeepStrictEqual(reopened, withoutPoints)
  await reviewer.approve(id)
  const decisions = (await entriesOf(deps.db, { subject: id })).map(({ action }) => action)
  assert.deepEqual(decisions, ['claim.approved', 'claim.reopened', 'claim.approved'])
  assert.deepEqual(await readTimeline(), ['received', 'approved', 'reopened', 'approved'])
  await assertLedgerInvariants(deps)
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
