import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import * as contract from '#contract/claims/slots.ts'
import { ownClaim, type OwnClaim } from '#contract/claims/claims.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { claim, expireAll, OVER } from '#server/testing/builders/slots.ts'
import { assertInvalid, refusalOf } from '#server/testing/checks/refusals.ts'
import { campaignWith } from '#server/testing/database/races.ts'
import { reallocateSlots } from './reallocate-slots.ts'

async function setUp(t: TestContext, airdrop: Parameters<typeof campaignWith>[0] = { slots: 1 }) {
  const api = await testApi(t, { campaign: campaignWith(airdrop) })
  const { deps, db, call } = api
  const [ann, ben, cleo] = await createUsers(db, deps.campaign.id, 3)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const join = (token: string, body?: unknown) => call(contract.joinWaitingList, { token, body })
  const leave = (token: string, body?: unknown) => call(contract.leaveWaitingList, { token, body })
  const ownClaimOf = async (token: string) => (await call(ownClaim, { token })).body.data as OwnClaim
  return { ...api, ann, ben, cleo, reviewer: reviewerOn(deps, adm), join, leave, ownClaimOf }
}

test('the waiting list: joining and leaving are idempotent, and joining returns the place', async (t) => {
  const { deps, ann, ben, cleo, join, leave, ownClaimOf } = await setUp(t)
  await claim(deps, ann)
  const joined = await join(ben.token)
  assert.deepEqual([joined.status, joined.body.message], [200, 'You’re on the waiting list.'])
  const waiting = joined.body.data as { place: number; since: string }
  assert.deepEqual(waiting, { place: 1, since: new Date(waiting.since).toISOString() })
  assert.deepEqual((await join(ben.token, {})).body, joined.body, 'a second call changes nothing')
  assert.equal(((await join(cleo.token)).body.data as typeof waiting).place, 2)
  assert.deepEqual((await ownClaimOf(ben.token)).waiting, waiting)

  for (let times = 0; times < 2; times += 1) {
    const left = await leave(ben.token)
    assert.deepEqual([left.status, left.body], [200, { message: 'You’re no longer on the waiting list.' }])
  }
  assert.equal((await ownClaimOf(ben.token)).waiting, null)
  assert.equal((await ownClaimOf(cleo.token)).waiting?.place, 1)
  assert.equal(((await join(ben.token)).body.data as typeof waiting).place, 2, 'whoever rejoins is last')
})

test('the waiting list: joining is refused with a claim or a reservation, and while a slot is free', async (t) => {
  const { deps, db, ann, ben, reviewer, join, leave } = await setUp(t)
  assert.deepEqual(refusalOf(await join(ben.token)), [409, 'slots_left'])
  const id = await claim(deps, ann)
  for (const call of [join, leave])
    await assertInvalid((body) => call(ben.token, body), [[{ place: 1 }, { place: 'unknown_field' }]])
  assert.deepEqual(refusalOf(await join(ann.token)), [409, 'already_claimed'])
  await reviewer.reject(id)
  assert.deepEqual(refusalOf(await join(ann.token)), [409, 'slot_held'], 'the slot is kept')
  await join(ben.token)
  await expireAll(deps)
  await reallocateSlots(deps)
  assert.deepEqual(refusalOf(await join(ben.token)), [409, 'slot_held'], 'the slot is reserved')
  assert.equal((await join(ann.token)).status, 200, 'after losing the slot they wait like everyone else')
  const { rows } = await sql<{ user_id: string }>`select user_id from waiting_list`.execute(db)
  assert.deepEqual(rows, [{ user_id: ann.id }])
})

test("the waiting list: cannot be joined outside the campaign's dates, but can be left", async (t) => {
  const early = await setUp(t, { slots: 0, opensAt: '2999-01-01T00:00:00Z' })
  assert.deepEqual(refusalOf(await early.join(early.ann.token)), [409, 'campaign_not_open'])
  const late = await setUp(t, { slots: 0, ...OVER })
  assert.deepEqual(refusalOf(await late.join(late.ann.token)), [409, 'campaign_closed'])
  assert.equal((await late.leave(late.ann.token)).status, 200)
})
