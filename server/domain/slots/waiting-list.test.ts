import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { ownClaim, type OwnClaim } from '#contract/claims/claims.ts'
import * as contract from '#contract/claims/slots.ts'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { assertSlotInvariants, reviewerOn } from '#server/testing/builders/reviewer.ts'
import {
  addToWaitingList,
  claim,
  closed,
  expireAll,
  rejectKeepingSlots,
  setSlots,
} from '#server/testing/builders/slots.ts'
import { assertInvalid, refusalOf } from '#server/testing/checks/refusals.ts'
import {
  campaignWith,
  inCampaign,
  meetAtLock,
  ROUNDS,
  tally,
  twoNodes,
} from '#server/testing/database/races.ts'
import { reallocateSlots, reserveNext } from './reallocate-slots.ts'
import { lockSlots } from './take-slot.ts'
import { joinWaitingList, leaveWaitingList } from './waiting-list.ts'

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
  // Waiting in another campaign does not count.
  const [elsewhere] = await inCampaign([deps], campaignWith({ slots: 0 }, 'elsewhere'))
  await joinWaitingList(elsewhere, cleo.id)
  const joined = await join(ben.token)
  assert.deepEqual([joined.status, joined.body.message], [200, 'You’re on the waiting list.'])
  const waiting = joined.body.data as { place: number; since: string }
  assert.deepEqual(waiting, { place: 1, since: new Date(waiting.since).toISOString() })
  assert.deepEqual((await join(ben.token, {})).body, joined.body, 'a second call changes nothing')
  assert.equal(((await join(cleo.token)).body.data as typeof waiting).place, 2, 'behind Ben')
  assert.deepEqual((await ownClaimOf(ben.token)).waiting, waiting)

  for (let times = 0; times < 2; times += 1) {
    const left = await leave(ben.token)
    assert.deepEqual([left.status, left.body], [200, { message: 'You’re no longer on the waiting list.' }])
  }
  assert.equal((await ownClaimOf(ben.token)).waiting, null)
  assert.equal((await ownClaimOf(cleo.token)).waiting?.place, 1, 'Ben has left')
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
  const { deps, ann, ownClaimOf } = await setUp(t, { slots: 0, opensAt: '2999-01-01T00:00:00Z' })
  await assert.rejects(joinWaitingList(deps, ann.id), { code: 'campaign_not_open' })
  const late = closed(deps)
  await assert.rejects(joinWaitingList(late, ann.id), { code: 'campaign_closed' })
  await addToWaitingList(deps, [ann])
  await leaveWaitingList(late, ann.id)
  assert.equal((await ownClaimOf(ann.token)).waiting, null)
})

async function readPositions({ db, campaign }: Deps, people: readonly TestUser[]) {
  const { rows } = await sql<{ state: string | null; isWaiting: boolean; mails: string[] }>`
    select s.state, w.ticket is not null as "isWaiting",
      array(select payload->>'template' from jobs where payload->>'to' = u.email and payload->>'template' like 'slot-%'
        order by id) as mails
    from users u
    left join slots s on s.campaign_id = ${campaign.id} and s.user_id = u.id
    left join waiting_list w on w.campaign_id = ${campaign.id} and w.user_id = u.id
    where u.id = any (${people.map(({ id }) => id)}::uuid[]) order by u.id`.execute(db)
  return rows
}

test('race: a reallocation while others leave and join serves those who stay, in order', async (t) => {
  const nodes = await twoNodes(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [one, two] = await inCampaign(nodes, campaignWith({ slots: 2 }, `round-${round}`))
    const nodeFor = (index: number) => (index % 2 ? one : two)
    const people = await createUsers(one.db, one.campaign.id, 26)
    const [holders, leavers] = [people.slice(0, 2), people.slice(2, 14)]
    const [stayers, newcomers, claimants] = [people.slice(14, 20), people.slice(20, 23), people.slice(23)]
    await rejectKeepingSlots(one, await Promise.all(holders.map((holder) => claim(one, holder))))
    await addToWaitingList(one, [...leavers, ...stayers])
    await expireAll(one)
    await setSlots(one, stayers.length)

    const counts = await tally([
      ...leavers.slice(0, 6).map(({ id }, index) => leaveWaitingList(nodeFor(index), id)),
      reallocateSlots(one),
      reallocateSlots(two),
      ...leavers.slice(6).map(({ id }, index) => leaveWaitingList(nodeFor(index), id)),
      ...newcomers.map(({ id }, index) => joinWaitingList(nodeFor(index), id)),
      ...claimants.map((person, index) => claim(nodeFor(index), person)),
    ])
    const reallocations = 2
    const done = leavers.length + newcomers.length + reallocations
    assert.deepEqual(counts, { done, slots_gone: claimants.length }, `round ${round}`)
    await reallocateSlots(one) // for slots that were freed after the other reallocations
    await assertSlotInvariants(one)
    const stayed = { state: 'reserved', isWaiting: false, mails: ['slot-reserved'] }
    for (const position of await readPositions(one, stayers))
      assert.deepEqual(position, stayed, `round ${round}: stayed`)
    for (const position of await readPositions(one, leavers)) {
      // A slot may have been reserved before they left. Giving it up causes no further email.
      const mails = position.mails.length === 0 ? [] : ['slot-reserved']
      assert.deepEqual(position, { state: null, isWaiting: false, mails }, `round ${round}: left`)
    }
    for (const position of await readPositions(one, newcomers))
      assert.deepEqual(position, { state: null, isWaiting: true, mails: [] }, `round ${round}: joined`)
  }
})

test('a reallocation that waits for someone who is leaving the list reserves the slot for the next', async (t) => {
  const [one, two] = await twoNodes(t, campaignWith({ slots: 0 }))
  const people = await createUsers(one.db, one.campaign.id, 2)
  const [first] = people
  await addToWaitingList(one, people)
  await setSlots(one, 1)
  const lockEntry = (tx: Tx) =>
    sql`select from waiting_list where user_id = ${first.id} for update`.execute(tx)
  const calls = [() => leaveWaitingList(one, first.id), () => reallocateSlots(two)]
  await Promise.all(await meetAtLock<unknown>(one.db, lockEntry, calls))
  assert.deepEqual(await readPositions(one, people), [
    { state: null, isWaiting: false, mails: [] },
    { state: 'reserved', isWaiting: false, mails: ['slot-reserved'] },
  ])
  await assertSlotInvariants(one)
})

test('a claim that waited for the lock does not overtake a waiting list that formed meanwhile', async (t) => {
  const [one, two] = await twoNodes(t, campaignWith({ slots: 1 }))
  const [person] = await createUsers(one.db, one.campaign.id, 1)
  const lock = (tx: Tx) => lockSlots(tx, one.campaign.id)
  const submitting = await meetAtLock(one.db, lock, [() => claim(two, person)], (tx) =>
    addToWaitingList({ ...one, db: tx }, [person]),
  )
  assert.deepEqual(await tally(submitting), { slots_gone: 1 })
  await reallocateSlots(one)
  const [position] = await readPositions(one, [person])
  assert.partialDeepStrictEqual(position, { state: 'reserved', isWaiting: false })
  await assertSlotInvariants(one)
})

test('undoing a rejection uses the slot that the participant was given while the undo waited', async (t) => {
  const [one, two] = await twoNodes(t, campaignWith({ slots: 1 }))
  const [adm] = await createUsers(one.db, one.campaign.id, 1, { role: 'admin' })
  const [person, other] = await createUsers(one.db, one.campaign.id, 2)
  const claimId = await claim(one, person)
  await rejectKeepingSlots(one, [claimId])
  await expireAll(one)
  await reallocateSlots(one)
  await claim(one, other)
  await joinWaitingList(one, person.id)
  await setSlots(one, 2)
  const lock = (tx: Tx) => lockSlots(tx, one.campaign.id)
  const [undoing] = await meetAtLock(one.db, lock, [() => reviewerOn(two, adm).undo(claimId)], async (tx) =>
    assert.equal(await reserveNext(tx, one.campaign.id), person.id),
  )
  assert.equal((await undoing)?.underReview, true)
  const [position] = await readPositions(one, [person])
  assert.partialDeepStrictEqual(position, { state: 'claimed', isWaiting: false })
  await assertSlotInvariants(one)
})
