import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { EVIDENCE_CHECKS } from '#contract/claims/evidence.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { claimant, markRejected } from '#server/testing/builders/claimants.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { setUpRace } from '#server/testing/builders/decision-races.ts'
import { runClaimChecks } from '#server/testing/builders/evidence.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertSlotInvariants, callerOf, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { ROUNDS, tally } from '#server/testing/database/races.ts'
import { testNode } from '#server/testing/deps.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { appeal } from '../appeal.ts'
import { readOwnClaim } from '../own-claim.ts'
import { submitProof } from '../submission/submit-proof.ts'
import { approve } from './approve.ts'
import { holdClaim } from './hold-claim.ts'

/** What a claim earns in the test campaign. */
const GRANT = { pfPoints: 20_000, plsPoints: 20_000 }

const approveAs = (reviewer: TestUser, deps: Deps, claimId: string, amounts = GRANT) =>
  approve(deps, { claimId, amounts, reviewer: callerOf(reviewer), network: '192.0.2.1' })

const readWritten = async ({ db }: Deps) => ({
  ledger: await db
    .selectFrom('ledger')
    .select(['user_id', 'kind', 'amount', 'claim_id'])
    .orderBy('claim_id')
    .orderBy('kind')
    .execute(),
  journal: await entriesOf(db, { action: 'claim.approved' }),
})

test('credits and journals an approval once', async (t) => {
  const { deps } = await testNode(t)
  const [ann] = await createUsers(deps.db, deps.campaign.id, 1)
  const [adm] = await createUsers(deps.db, deps.campaign.id, 1, { role: 'admin' })
  const submitted = await submitProof(deps, ann.id, freshProof())
  const { _id: claimId } = submitted
  const approved = await approveAs(adm, deps, claimId)
  assert.deepEqual(approved, { ...submitted, ...GRANT, approved: true, underReview: false })

  const credit = { user_id: ann.id, amount: 20_000, claim_id: claimId }
  const expected = {
    ledger: [
      { ...credit, kind: 'pf' },
      { ...credit, kind: 'pls' },
    ],
    journal: [
      {
        actor: adm.id,
        action: 'claim.approved',
        subject: claimId,
        before: { status: 'submitted' },
        after: { status: 'approved', ...GRANT },
        content: { network: '192.0.2.1' },
      },
    ],
  }
  assert.deepEqual(await readWritten(deps), expected)
  assert.deepEqual(await approveAs(adm, deps, claimId), approved, 'a repeat gets the same answer')
  assert.deepEqual(await readWritten(deps), expected, 'a repeat changes nothing')
  await assertLedgerInvariants(deps)
})

test('writes nothing when an approval is refused', async (t) => {
  const { deps } = await testNode(t)
  const [adm] = await createUsers(deps.db, deps.campaign.id, 1, { role: 'admin' })
  const { claimId } = await claimant(deps)
  const { claimId: rejectedClaim } = await claimant(deps)
  await markRejected(deps.db, rejectedClaim)
  for (const wrong of [0, 1, -20_000, 19_999, 20_000.5, 40_000, 1e9, Number.NaN, Infinity])
    for (const kind of ['pfPoints', 'plsPoints']) {
      const approving = approveAs(adm, deps, claimId, { ...GRANT, [kind]: wrong })
      await assert.rejects(approving, { code: 'wrong_points' }, String(wrong))
    }
  await assert.rejects(approveAs(adm, deps, newId()), { code: 'claim_not_found' })
  await assert.rejects(approveAs(adm, deps, rejectedClaim), { code: 'claim_rejected' })
  assert.deepEqual(await readWritten(deps), { ledger: [], journal: [] })
})

test('race: eight concurrent approvals by two administrators on two nodes credit and reward once', async (t) => {
  const { here, there, adm, boss, claim } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { id } = await claim()
    const calls = [adm, boss, adm, boss].flatMap((reviewer) =>
      [here, there].map((node) => approveAs(reviewer, node, id)),
    )
    assert.deepEqual(await tally(calls), { done: calls.length }, `round ${round}`)
    for (const answer of await Promise.all(calls)) assert.equal(answer.pfPoints, 20_000)
    const { ledger, journal } = await readWritten(here)
    assert.equal(ledger.length, 3 * round, `round ${round}: PF, PLS and the referral reward`)
    assert.equal(journal.length, round, `round ${round}`)
  }
  await assertLedgerInvariants(here)
})

test('race: a claim approved during its background check ends approved, with its evidence', async (t) => {
  const { here, there, adm, claim } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { id } = await claim()
    await Promise.all([runClaimChecks(there), approveAs(adm, here, id), approveAs(adm, there, id)])
    const { rows } = await sql`
      select status, (select count(*) from evidence where claim_id = c.id) as checks
      from claims c where id = ${id}`.execute(here.db)
    assert.deepEqual(rows, [{ status: 'approved', checks: EVIDENCE_CHECKS.length }], `round ${round}`)
  }
  await assertLedgerInvariants(here)
})

test('race: concurrent approvals of a referral chain reward everyone but its last', async (t) => {
  const LINKS = 4
  const { here, there, adm } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const chain = await createUsers(here.db, here.campaign.id, LINKS)
    const ids = chain.map(({ id }) => id)
    await sql`
      update users u set referred_by = inviter from unnest(${ids.slice(0, -1)}::uuid[], ${ids.slice(1)}::uuid[])
        link (inviter, invited) where u.id = invited`.execute(here.db)
    const claims = await Promise.all(chain.map(({ id }) => submitProof(here, id, freshProof())))
    const calls = claims.map(({ _id }, index) => approveAs(adm, index % 2 ? there : here, _id))
    assert.deepEqual(await tally(calls), { done: LINKS }, `round ${round}`)
  }
  const { ledger } = await readWritten(here)
  const rewards = ledger.filter((row) => row.kind === 'referral')
  assert.equal(rewards.length, (LINKS - 1) * ROUNDS, 'everyone in a chain but its last is rewarded')
  await assertLedgerInvariants(here)
})

async function setUp(t: TestContext) {
  const { deps } = await testNode(t)
  const { db, campaign } = deps
  const proof = freshProof()
  const ann = await claimant(deps, { proof })
  const [adm, boss] = await createUsers(db, campaign.id, 2, { role: 'admin' })
  const id = ann.claimId
  return {
    deps,
    ann,
    proof,
    reviewer: reviewerOn(deps, adm),
    otherReviewer: reviewerOn(deps, boss),
    id,
    hold: (...reasons: string[]) => inTransaction(db, (tx) => holdClaim(tx, { claimId: id, reasons })),
    readOwn: () => readOwnClaim(deps, ann.id),
    readTimeline: async () => (await readOwnClaim(deps, ann.id)).timeline.map(({ what }) => what),
  }
}

test('journal and timeline keep an approval, its undo by another administrator and the next approval', async (t) => {
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
  await assertSlotInvariants(deps)
})

test('a rejection can be undone until the participant resubmits the claim, even with the same proof', async (t) => {
  const { deps, ann, proof, reviewer, id, readTimeline } = await setUp(t)
  await reviewer.reject(id)
  await reviewer.undo(id)
  await reviewer.reject(id)
  const { _id: corrected } = await submitProof(deps, ann.id, proof)
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
  await assertSlotInvariants(deps)
})

test('a held claim shows its latest reasons and can be appealed, and a decision ends the hold until undone', async (t) => {
  const { deps, ann, reviewer, id, hold, readOwn, readTimeline } = await setUp(t)
  await hold('Others claimed from your network.')
  const heldFor = ['Others claimed from your network.', 'It was quick.']
  await hold(...heldFor)
  const { claim } = await readOwn()
  assert.partialDeepStrictEqual(claim, { status: 'held', isAppealable: true })
  assert.deepEqual(claim?.heldFor, heldFor)

  await appeal(deps, { userId: ann.id, claimId: id, text: 'We share a flat.' })
  await reviewer.approve(id)
  await hold('Too late.')
  assert.partialDeepStrictEqual((await readOwn()).claim, { status: 'approved', appeal: { isAnswered: true } })
  await reviewer.undo(id)
  const { claim: reopened } = await readOwn()
  assert.deepEqual([reopened?.status, reopened?.heldFor], ['held', heldFor])
  assert.deepEqual(await readTimeline(), ['received', 'held', 'appealed', 'approved', 'reopened'])
})
