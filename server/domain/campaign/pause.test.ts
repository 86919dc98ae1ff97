import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { advanceTime } from '#server/testing/advance-time.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { assertSlotInvariants, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { claim, expireAll, rejectKeepingSlots } from '#server/testing/builders/slots.ts'
import { testNode } from '#server/testing/deps.ts'
import { assertSealed } from '#server/testing/journal.ts'
import {
  campaignWith,
  inCampaign,
  meetAtLock,
  ROUNDS,
  tally,
  twoNodes,
} from '#server/testing/database/races.ts'
import { appeal } from '../claims/appeal.ts'
import { readOwnClaim } from '../claims/own-claim.ts'
import { reallocateSlots } from '../slots/reallocate-slots.ts'
import { lockSlots } from '../slots/take-slot.ts'
import { joinWaitingList, leaveWaitingList } from '../slots/waiting-list.ts'
import { pause, resume } from './pause.ts'
import { readCampaign } from './read-campaign.ts'

const OPERATOR = { actor: null }
const PAUSE = { ...OPERATOR, notice: 'The price service is down.', until: null }
const HOUR_MS = 3_600_000

async function setUp(t: TestContext, slots: number) {
  const { db, pool, deps } = await testNode(t, campaignWith({ slots }))
  const [ann, ben, cleo, dan] = await createUsers(db, deps.campaign.id, 4)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const advance = (time: string) => advanceTime(pool, time)
  /** For how many of 24 hours a participant's slot is still kept or reserved. Null without such a slot. */
  const hoursLeft = async ({ id }: TestUser) => {
    const { slot } = await readOwnClaim(deps, id)
    if (!slot) return null
    return slot.until === null ? Infinity : Math.round((Date.parse(slot.until) - Date.now()) / HOUR_MS)
  }
  const assertHoursLeft = async (expected: Partial<Record<'ann' | 'ben' | 'cleo', number | null>>) => {
    const hours = { ann: await hoursLeft(ann), ben: await hoursLeft(ben), cleo: await hoursLeft(cleo) }
    assert.partialDeepStrictEqual(hours, expected)
  }
  return { deps, ann, ben, cleo, dan, reviewer: reviewerOn(deps, adm), adm, advance, assertHoursLeft }
}

test('a paused campaign accepts decisions, but neither claims nor new entries on the waiting list', async (t) => {
  const { deps, ann, ben, reviewer } = await setUp(t, 1)
  const claimId = await claim(deps, ann)
  await pause(deps, PAUSE)
  await assert.rejects(claim(deps, ben), { code: 'campaign_paused' })
  await assert.rejects(joinWaitingList(deps, ben.id), { code: 'campaign_paused' })
  await reviewer.approve(claimId)
  await resume(deps, OPERATOR)
  assert.equal((await readCampaign(deps)).paused, null)
  await joinWaitingList(deps, ben.id)
  await assert.rejects(resume(deps, OPERATOR), { code: 'campaign_not_paused' })
})

test('the notice of a pause is public, can be replaced, and is journaled', async (t) => {
  const { deps, adm } = await setUp(t, 1)
  // PostgreSQL refuses this offset from UTC.
  const until = '2999-03-02T04:00:00+16:00'
  await pause(deps, { actor: adm.id, network: '192.0.2.1', notice: 'We are moving.', until })
  const { stage, open, paused } = await readCampaign(deps)
  assert.deepEqual({ stage, open }, { stage: 'paused', open: false })
  assert.partialDeepStrictEqual(paused, { notice: 'We are moving.', until: '2999-03-01T12:00:00.000Z' })
  await pause(deps, { ...OPERATOR, notice: 'Still moving.', until: null })
  const changed = await readCampaign(deps)
  assert.deepEqual(changed.paused, { since: paused?.since, notice: 'Still moving.', until: null })
  await resume(deps, OPERATOR)

  const journal = await assertSealed(deps.db)
  const entries = journal.filter(({ action }) => /^campaign\.(paused|resumed)/.test(action))
  const recorded = entries.map(({ action, actor, details }) => {
    const content = details?.content as { notice?: string } | undefined
    return { action, actor, notice: content?.notice }
  })
  assert.deepEqual(recorded, [
    { action: 'campaign.paused', actor: adm.id, notice: 'We are moving.' },
    { action: 'campaign.paused', actor: null, notice: 'Still moving.' },
    { action: 'campaign.resumed', actor: null, notice: undefined },
  ])
})

test('the expected end of a pause has to lie ahead, and is hidden once it has passed', async (t) => {
  const { deps, advance } = await setUp(t, 1)
  const lately = new Date(Date.now() - 1).toISOString()
  await assert.rejects(pause(deps, { ...PAUSE, until: lately }), {
    details: { fields: { until: 'moment_past' } },
  })
  assert.equal((await readCampaign(deps)).paused, null)
  await pause(deps, { ...PAUSE, until: new Date(Date.now() + HOUR_MS).toISOString() })
  assert.notEqual((await readCampaign(deps)).paused?.until, null)
  await advance('2 hours')
  assert.equal((await readCampaign(deps)).paused?.until, null)
})

test('reservations do not expire during a pause, which extends them by its length', async (t) => {
  const { deps, ann, ben, cleo, reviewer, advance, assertHoursLeft } = await setUp(t, 2)
  const [annsClaim, bensClaim] = [await claim(deps, ann), await claim(deps, ben)]
  await joinWaitingList(deps, cleo.id)
  await reviewer.reject(annsClaim)
  await advance('4 hours')
  await pause(deps, PAUSE)
  await advance('30 hours')
  // Ben's slot is kept from now on, so it is extended only by the rest of the pause.
  await reviewer.reject(bensClaim)
  await advance('6 hours')
  await reallocateSlots(deps)
  await assertHoursLeft({ ann: 20, ben: 24, cleo: null })

  await resume(deps, OPERATOR)
  await reallocateSlots(deps)
  await assertHoursLeft({ ann: 20, ben: 24, cleo: null })
  await claim(deps, ann)
  await advance('25 hours')
  await reallocateSlots(deps)
  await assertHoursLeft({ ben: null, cleo: 24 })
  await assertSlotInvariants(deps)
})

test('a pause does not revive reservations that have expired or were given up', async (t) => {
  const { deps, ann, ben, cleo, dan, reviewer, advance, assertHoursLeft } = await setUp(t, 2)
  const claimId = await claim(deps, ann)
  await claim(deps, dan)
  await joinWaitingList(deps, ben.id)
  await joinWaitingList(deps, cleo.id)
  await reviewer.reject(claimId)
  await advance('25 hours')
  await reallocateSlots(deps)
  await assertHoursLeft({ ben: 24 })
  await pause(deps, PAUSE)
  await advance('1 hour')
  await leaveWaitingList(deps, ben.id)
  await advance('2 hours')
  await resume(deps, OPERATOR)
  await reallocateSlots(deps)
  await assertHoursLeft({ ben: null, cleo: 24 })
})

test('a slot kept for an appeal has no end until the answer, and a pause meanwhile does not count', async (t) => {
  const { deps, ann, ben, cleo, reviewer, advance, assertHoursLeft } = await setUp(t, 3)
  const rejected = new Map<TestUser, string>()
  for (const person of [ann, ben, cleo]) rejected.set(person, await claim(deps, person))
  await rejectKeepingSlots(deps, [...rejected.values()])
  const appealBy = (person: TestUser) =>
    appeal(deps, { userId: person.id, claimId: rejected.get(person) ?? '', text: 'The post is there.' })
  const uphold = (person: TestUser) => reviewer.reject(rejected.get(person) ?? '')

  await advance('4 hours')
  await appealBy(ann)
  await appealBy(ben)
  await pause(deps, PAUSE)
  await advance('30 hours')
  await appealBy(cleo)
  await uphold(ben)
  await assertHoursLeft({ ben: 20 })

  await advance('6 hours')
  await resume(deps, OPERATOR)
  await assertHoursLeft({ ann: Infinity })
  await uphold(ann)
  await uphold(cleo)
  await reallocateSlots(deps)
  await assertHoursLeft({ ann: 20, ben: 20, cleo: 20 })
  await assertSlotInvariants(deps)
})

test('a claim that waited for the lock behind a pause is refused, whether its slot is free or kept', async (t) => {
  const [one, two] = await twoNodes(t, campaignWith({ slots: 2 }))
  const [ann, ben] = await createUsers(one.db, one.campaign.id, 2)
  await rejectKeepingSlots(one, [await claim(one, ann)])
  // The pause is first in the queue for the lock. Both claims have read before that the campaign is running.
  const calls = await meetAtLock<unknown>(one.db, (tx) => lockSlots(tx, one.campaign.id), [
    () => pause(one, PAUSE),
    () => claim(two, ann),
    () => claim(two, ben),
  ])
  assert.deepEqual(await tally(calls), { done: 1, campaign_paused: 2 })
  await assertSlotInvariants(one)
})

test('a reallocation that waited for the lock behind a pause frees no slot', async (t) => {
  const [one, two] = await twoNodes(t, campaignWith({ slots: 1 }))
  const [ann] = await createUsers(one.db, one.campaign.id, 1)
  await rejectKeepingSlots(one, [await claim(one, ann)])
  await expireAll(one)
  const calls = await meetAtLock<unknown>(one.db, (tx) => lockSlots(tx, one.campaign.id), [
    () => pause(one, PAUSE),
    () => reallocateSlots(two),
  ])
  assert.deepEqual(await tally(calls), { done: 2 })
  assert.deepEqual((await readCampaign(one)).slots, { total: 1, left: 0 }, 'it is still kept')
})

test('race: no claim is accepted after the pause on another node, and none is lost', async (t) => {
  const nodes = await twoNodes(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [one, two] = await inCampaign(nodes, campaignWith({ slots: 8 }, `round-${round}`))
    const [rejected, latecomer, ...others] = await createUsers(one.db, one.campaign.id, 10)
    assert.ok(rejected && latecomer)
    await rejectKeepingSlots(one, [await claim(one, rejected)])
    const nodeFor = (index: number) => (index % 2 ? one : two)
    const claiming = [rejected, ...others].map((person, index) => claim(nodeFor(index), person))
    const pausing = pause(nodeFor(round), PAUSE).then(() =>
      assert.rejects(claim(nodeFor(round + 1), latecomer), { code: 'campaign_paused' }, `round ${round}`),
    )
    const counts = await tally([...claiming, pausing])
    const { rows } = await sql<{ claims: number }>`
      select count(*) as claims from claims
      where campaign_id = ${one.campaign.id} and status <> 'rejected'`.execute(one.db)
    const { done = 0, campaign_paused = 0, slots_gone = 0 } = counts
    const accounted = done + campaign_paused + slots_gone
    assert.equal(accounted, claiming.length + 1, `round ${round}: ${JSON.stringify(counts)}`)
    // `done` includes the pause.
    assert.equal(rows[0]?.claims, done - 1, `round ${round}`)
    await resume(two, OPERATOR)
    await assertSlotInvariants(one)
  }
})
