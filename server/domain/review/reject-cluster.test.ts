import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { rejectCluster, reviewClaim, type ReviewClaim } from '#contract/dashboard/review.ts'
import { newId } from '#server/platform/database/ids.ts'
import { scoreClaim } from '../signals/score-claim.ts'
import { appeal } from '../claims/appeal.ts'
import { editClaim } from '../claims/submission/edit-claim.ts'
import { testApi } from '#server/testing/api.ts'
import { claimant } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { assertSlotInvariants, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertInvalid, refusalOf } from '#server/testing/checks/refusals.ts'

type Reply = { outcomes: { claimId: string; outcome: string }[]; freed: number; left: number }

/** Six accounts of one person, of which one is approved and two are rejected, and an unrelated account. */
async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { deps, db } = api
  const [adm, boss] = await createUsers(db, deps.campaign.id, 2, { role: 'admin' })
  const people = []
  for (let index = 0; index < 6; index += 1)
    people.push(await claimant(deps, { email: `ann${index === 0 ? '' : `+${index}`}@mail.example` }))
  const other = await claimant(deps)
  const reviewer = reviewerOn(deps, boss)
  const [approved, rejected, appealed, ...waiting] = people
  assert.ok(approved && rejected && appealed && waiting.length === 3)
  // Scoring one claim links all accounts with a variant of its email.
  await scoreClaim(db, approved.claimId)
  await reviewer.approve(approved.claimId)
  for (const { claimId } of [rejected, appealed]) await reviewer.reject(claimId)
  await appeal(deps, { userId: appealed.id, claimId: appealed.claimId, text: 'Please look again.' })
  const params = { claimId: waiting[0]?.claimId ?? '' }
  const { data } = (await api.call(reviewClaim, { token: adm.token, params })).body
  const cluster = (data as ReviewClaim).cluster ?? assert.fail()
  const revisions = Object.fromEntries(cluster.members.map(({ claimId, revision }) => [claimId, revision]))
  const send = (body: unknown, { clusterId = cluster.id, by = adm } = {}) =>
    api.call(rejectCluster, { token: by.token, params: { clusterId }, body })
  const statesOf = async (participants: readonly { id: string }[]) => {
    const rows = await db
      .selectFrom('claims as c')
      .leftJoin('slots as s', 's.user_id', 'c.user_id')
      .select(['c.user_id', 'c.status', 's.state'])
      .execute()
    const states = new Map(
      rows.map(({ user_id, status, state }) => [user_id, `${status}, ${state ?? 'no slot'}`]),
    )
    return participants.map(({ id }) => states.get(id))
  }
  const claims = { approved, rejected, appealed, waiting, other }
  return { ...api, ...claims, adm, reviewer, revisions, send, statesOf }
}

test("rejects and journals a cluster's waiting claims, and frees kept slots except under appeal", async (t) => {
  const cluster = await setUp(t)
  const { deps, db, approved, rejected, appealed, waiting, other, revisions, send, statesOf } = cluster
  const { status, body } = await send({ reason: 'same_person', text: 'Six of one.', revisions })
  assert.equal(status, 200, JSON.stringify(body))
  const { outcomes, freed, left } = body.data as Reply
  assert.deepEqual(
    outcomes.map(({ claimId, outcome }) => ({ claimId, outcome })),
    waiting.map(({ claimId }) => ({ claimId, outcome: 'done' })),
  )
  const keptSlots = 1
  assert.deepEqual({ freed, left }, { freed: waiting.length + keptSlots, left: 0 })

  const rejectedWithoutSlot = 'rejected, no slot'
  assert.deepEqual(await statesOf([approved, rejected, appealed, ...waiting, other]), [
    'approved, claimed',
    rejectedWithoutSlot,
    'rejected, kept',
    ...waiting.map(() => rejectedWithoutSlot),
    'submitted, claimed',
  ])
  const subjectsOf = async (action: string) =>
    (await entriesOf(db, { action })).map(({ subject }) => String(subject)).toSorted()
  assert.deepEqual(await subjectsOf('claim.slot_withdrawn'), [rejected.claimId])
  const everRejected = [rejected, appealed, ...waiting].map(({ claimId }) => claimId)
  assert.deepEqual(await subjectsOf('claim.rejected'), everRejected.toSorted())
  await assertSlotInvariants(deps)

  const again = await send({ reason: 'same_person' })
  assert.deepEqual(again.body.data, { outcomes: [], freed: 0, left: 0 })
})

test('refuses an unknown cluster, skips changed and locked claims, and leaves the reviewer their own slot', async (t) => {
  const { deps, db, adm, reviewer, rejected, waiting, revisions, send, statesOf } = await setUp(t)
  const unknown = await send({ reason: 'automated' }, { clusterId: newId() })
  assert.deepEqual(refusalOf(unknown), [404, 'cluster_not_found'])
  await assertInvalid(send, [
    [{}, { reason: 'not_offered' }],
    [{ reason: 'post_missing' }, { reason: 'not_offered' }],
    [{ reason: 'automated', claimIds: [] }, { claimIds: 'unknown_field' }],
  ])
  const [edited, locked] = waiting
  assert.ok(edited && locked)
  await editClaim(deps, { userId: edited.id, claimId: edited.claimId, proof: freshProof() })
  await reviewer.lock(locked.claimId)
  const reject = async (seen: object, by: typeof adm) => {
    const { body } = await send({ reason: 'automated', revisions: seen }, { by })
    const { outcomes, ...counts } = body.data as Reply
    return { outcomes: outcomes.map(({ outcome }) => outcome), ...counts }
  }
  // A participant of the cluster is now the reviewer.
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', rejected.id).execute()
  const outcomes = ['claim_changed', 'claim_locked']
  assert.deepEqual(await reject(revisions, rejected), { outcomes: [...outcomes, 'done'], freed: 1, left: 2 })
  assert.deepEqual(await statesOf([rejected]), ['rejected, kept'])
  // Without revisions, the decision is about the last ones that the reviewer was shown. It frees the kept slot.
  assert.deepEqual(await reject({}, adm), { outcomes, freed: 1, left: 2 })
  await assertSlotInvariants(deps)
})
