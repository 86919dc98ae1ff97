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
import { assertSlotsFit, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertInvalid } from '#server/testing/checks/refusals.ts'

type Reply = { outcomes: { claimId: string; outcome: string }[]; freed: number; left: number }

/** Six accounts of one person, one approved, two rejected with kept slots; and an unrelated account. */
async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { deps, db } = api
  const [adm, boss] = await createUsers(db, deps.campaign.id, 2, { role: 'admin' })
  const people = []
  for (let index = 0; index < 6; index += 1)
    people.push(await claimant(deps, { email: `ann${index === 0 ? '' : `+${index}`}@mail.example` }))
  const other = await claimant(deps)
  for (const { claimId } of people) await scoreClaim(db, claimId)
  const reviewer = reviewerOn(deps, boss)
  const [approved, rejected, appealed, ...waiting] = people
  assert.ok(approved && rejected && appealed && waiting.length === 3)
  await reviewer.approve(approved.claimId)
  for (const { claimId } of [rejected, appealed]) await reviewer.reject(claimId)
  await appeal(deps, { userId: appealed.id, claimId: appealed.claimId, text: 'Please look again.' })
  const card = async () => {
    const { body } = await api.call(reviewClaim, {
      token: adm.token,
      params: { claimId: waiting[0]?.claimId ?? '' },
    })
    return (body.data as ReviewClaim).cluster ?? assert.fail()
  }
  const send = (clusterId: string, body: unknown, token: string | undefined = adm.token) =>
    api.call(rejectCluster, { token, params: { clusterId }, body })
  const stateOf = async (ids: readonly string[]) => {
    const rows = await db
      .selectFrom('claims as c')
      .leftJoin('slots as s', (join) => join.onRef('s.user_id', '=', 'c.user_id'))
      .select(['c.id', 'c.status', 's.state'])
      .where('c.id', 'in', ids)
      .execute()
    return ids.map((id) => {
      const row = rows.find((each) => each.id === id)
      return [row?.status, row?.state]
    })
  }
  return { ...api, reviewer, approved, rejected, appealed, waiting, other, card, send, stateOf }
}

test("rejects a cluster's undecided claims and frees its kept slots, journals each, and touches no others", async (t) => {
  const { deps, db, approved, rejected, appealed, waiting, other, card, send, stateOf } = await setUp(t)
  const { id, members } = await card()
  const revisions = Object.fromEntries(members.map(({ claimId, revision }) => [claimId, revision]))
  const { status, body } = await send(id, { reason: 'same_person', text: 'Six of one.', revisions })
  assert.equal(status, 200, JSON.stringify(body))
  const { outcomes, freed, left } = body.data as Reply
  const shown = outcomes.map(({ claimId, outcome }) => [claimId, outcome])
  const expected = waiting.map(({ claimId }) => [claimId, 'done'])
  assert.deepEqual(shown, expected)
  assert.deepEqual([freed, left], [4, 0])
  const ids = [approved, rejected, appealed, ...waiting, other].map(({ claimId }) => claimId)
  const gone = ['rejected', null]
  assert.deepEqual(await stateOf(ids), [
    ['approved', 'claimed'],
    gone,
    ['rejected', 'kept'],
    gone,
    gone,
    gone,
    ['submitted', 'claimed'],
  ])
  const entries = await db.selectFrom('journal').select(['action', 'subject']).execute()
  const of = (action: string) =>
    entries.filter((entry) => entry.action === action).map(({ subject }) => subject)
  assert.deepEqual(of('claim.slot_withdrawn'), [rejected.claimId])
  for (const { claimId } of waiting)
    assert.equal(of('claim.rejected').filter((at) => at === claimId).length, 1)
  await assertSlotsFit(deps)
  const again = await send(id, { reason: 'same_person' })
  assert.deepEqual(again.body.data, { outcomes: [], freed: 0, left: 0 })
})

test("refuses an invalid request; skips members with a stale revision or another reviewer's lock, and rejects the others", async (t) => {
  const { deps, db, reviewer, waiting, card, send } = await setUp(t)
  const { id, members } = await card()
  const unknown = await send(newId(), { reason: 'automated' })
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'cluster_not_found'])
  await assertInvalid(
    (body: unknown) => send(id, body),
    [
      [{}, { reason: 'not_offered' }],
      [{ reason: 'post_missing' }, { reason: 'not_offered' }],
      [{ reason: 'automated', claimIds: [] }, { claimIds: 'unknown_field' }],
    ],
  )
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  assert.equal((await send(id, { reason: 'automated' }, '')).status, 401)
  assert.equal((await send(id, { reason: 'automated' }, ann.token)).status, 403)

  const revisions = Object.fromEntries(members.map(({ claimId, revision }) => [claimId, revision]))
  const [edited, locked, last] = waiting
  assert.ok(edited && locked && last)
  await editClaim(deps, { userId: edited.id, claimId: edited.claimId, typed: freshProof() })
  await reviewer.lock(locked.claimId)
  for (const given of [revisions, {}]) {
    const { body } = await send(id, { reason: 'automated', revisions: given })
    const { outcomes, left } = body.data as Reply
    const skipped: string[] = outcomes.flatMap(({ claimId, outcome }) =>
      claimId === last.claimId ? [] : [outcome],
    )
    assert.deepEqual(skipped, ['claim_changed', 'claim_locked'])
    assert.equal(left, 2)
  }
  await assertSlotsFit(deps)
})
