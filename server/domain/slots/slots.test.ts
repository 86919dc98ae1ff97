import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { outcomesBesides } from '#server/testing/builders/decision-races.ts'
import { assertSlotInvariants, reviewerOn } from '#server/testing/builders/reviewer.ts'
import {
  addToWaitingList,
  claim,
  closed,
  expireAll,
  OVER,
  passADay,
  rejectKeepingSlots,
  setSlots,
  slotScene,
} from '#server/testing/builders/slots.ts'
import { campaignWith, inCampaign, ROUNDS, tally, twoNodes } from '#server/testing/database/races.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { queuedMails } from '#server/testing/queued-mails.ts'
import { readOwnClaim } from '../claims/own-claim.ts'
import { close } from '../settings/campaign-dates.ts'
import { changeSettings } from '../settings/change-settings.ts'
import { reallocateSlots } from './reallocate-slots.ts'
import { joinWaitingList, leaveWaitingList } from './waiting-list.ts'

const readSlotMails = async ({ db }: Deps) =>
  (await queuedMails(db)).flatMap(({ template, to }) =>
    /slot|waiting/.test(template) ? [{ template, to }] : [],
  )

/** The templates of the emails to each person about slots and the waiting list. */
async function readMailsTo(deps: Deps, ...people: TestUser[]): Promise<string[][]> {
  const mails = await readSlotMails(deps)
  return people.map(({ email }) => mails.flatMap(({ to, template }) => (to === email ? [template] : [])))
}

/** The only slot is kept for Ann, whose claim was rejected. */
async function setUp(t: TestContext) {
  const scene = await slotScene(t)
  const rejected = await claim(scene.deps, scene.ann)
  await rejectKeepingSlots(scene.deps, [rejected])
  return { ...scene, rejected }
}

test('a participant who is banned while their call is on its way does not join the waiting list', async (t) => {
  const { deps, ben } = await setUp(t)
  await deps.db.updateTable('users').set({ banned_at: new Date() }).where('id', '=', ben.id).execute()
  await assert.rejects(joinWaitingList(deps, ben.id), { code: 'account_banned' })
})

test('a rejected claim keeps its slot for a day, then frees it', async (t) => {
  const { deps, ann, ben, reviewer, countLeft, ownClaimOf } = await slotScene(t)
  await reviewer.reject(await claim(deps, ann))
  await reallocateSlots(deps)
  assert.equal(await countLeft(), 0)
  await assert.rejects(claim(deps, ben), { code: 'slots_gone' })
  await passADay(deps)
  await reallocateSlots(deps)
  assert.equal(await countLeft(), 1)
  assert.equal((await ownClaimOf(ann)).timeline.at(-1)?.what, 'slot_freed')
  await claim(deps, ben)
  await assert.rejects(claim(deps, ann), { code: 'slots_gone' })
  await assertSlotInvariants(deps)
})

test('a claim with an expired reservation loses the slot at once, to the first on the waiting list', async (t) => {
  const { deps, ann, ben, countLeft } = await setUp(t)
  await joinWaitingList(deps, ben.id)
  await passADay(deps)
  await assert.rejects(claim(deps, ann), { code: 'slots_gone' })
  await claim(deps, ben)
  assert.equal(await countLeft(), 0)
  await assertSlotInvariants(deps)
})

test('joining the waiting list with an expired reservation gives up the slot at once', async (t) => {
  const { deps, ann, ben, ownClaimOf } = await setUp(t)
  await joinWaitingList(deps, ben.id)
  await passADay(deps)
  assert.equal((await joinWaitingList(deps, ann.id)).place, 1, 'the slot is reserved for Ben')
  const { slot, timeline } = await ownClaimOf(ann)
  assert.equal(slot, null)
  assert.equal(timeline.at(-1)?.what, 'slot_freed')
  assert.equal((await ownClaimOf(ben)).slot?.state, 'reserved')
  await assertSlotInvariants(deps)
})

test('an undo gives a claim its expired slot again, even if one is free or someone waits', async (t) => {
  const { deps, reviewer, rejected, ann, ben, cleo, countLeft, ownClaimOf } = await setUp(t)
  await setSlots(deps, 2)
  await passADay(deps)
  await reviewer.undo(rejected)
  assert.equal(await countLeft(), 1)
  assert.equal((await ownClaimOf(ann)).claim?.status, 'under_review')
  await assertSlotInvariants(deps)

  await claim(deps, ben)
  await reviewer.reject(rejected)
  await joinWaitingList(deps, cleo.id)
  await passADay(deps)
  await reviewer.undo(rejected)
  await reallocateSlots(deps)
  assert.equal((await ownClaimOf(ann)).claim?.status, 'under_review')
  await assertSlotInvariants(deps)
})

test('reserves a slot for the first on the waiting list for a day, then for the next', async (t) => {
  const { deps, ann, ben, cleo, dan, countLeft, ownClaimOf } = await setUp(t)
  for (const { id } of [ben, cleo]) await joinWaitingList(deps, id)
  await passADay(deps)
  await reallocateSlots(deps)
  assert.partialDeepStrictEqual(await ownClaimOf(ben), { slot: { state: 'reserved' }, waiting: null })
  assert.equal((await ownClaimOf(cleo)).waiting?.place, 1)
  assert.equal(await countLeft(), 0, 'a reserved slot is not free')
  for (const other of [ann, cleo, dan]) await assert.rejects(claim(deps, other), { code: 'slots_gone' })
  await passADay(deps)
  await reallocateSlots(deps)
  await assert.rejects(claim(deps, ben), { code: 'slots_gone' })
  await claim(deps, cleo)
  await assertSlotInvariants(deps)
  assert.deepEqual(await readSlotMails(deps), [
    { template: 'slot-freed', to: ann.email },
    { template: 'slot-reserved', to: ben.email },
    { template: 'slot-freed', to: ben.email },
    { template: 'slot-reserved', to: cleo.email },
  ])
})

test('a reservation that is given up goes to the next participant still on the waiting list', async (t) => {
  const { deps, ann, ben, cleo, dan, ownClaimOf } = await setUp(t)
  for (const { id } of [ben, cleo, dan]) await joinWaitingList(deps, id)
  await leaveWaitingList(deps, cleo.id)
  await passADay(deps)
  await reallocateSlots(deps)
  await leaveWaitingList(deps, ben.id)
  await reallocateSlots(deps)
  assert.equal((await ownClaimOf(dan)).slot?.state, 'reserved')
  // Ben gets no email that his time is up.
  assert.deepEqual(await readSlotMails(deps), [
    { template: 'slot-freed', to: ann.email },
    { template: 'slot-reserved', to: ben.email },
    { template: 'slot-reserved', to: dan.email },
  ])
  await claim(deps, dan)
})

test('added slots go to the waiting list first, the rest to whoever claims', async (t) => {
  const { deps, ben, cleo } = await setUp(t)
  await joinWaitingList(deps, ben.id)
  await setSlots(deps, 3)
  await assert.rejects(claim(deps, cleo), { code: 'slots_gone' }, 'the waiting list goes first')
  await reallocateSlots(deps)
  await claim(deps, cleo)
  await claim(deps, ben)
  await assertSlotInvariants(deps)
})

test('race: expiry, reallocation, claims and joins on two nodes assign no slot twice and skip no one', async (t) => {
  const nodes = await twoNodes(t)
  const people = await createUsers(nodes[0].db, nodes[0].campaign.id, 13)
  const [holders, claimants, joiners] = [people.slice(0, 4), people.slice(4, 8), people.slice(8)]
  const [waiting] = await createUsers(nodes[0].db, nodes[0].campaign.id, 1)
  const [adm] = await createUsers(nodes[0].db, nodes[0].campaign.id, 1, { role: 'admin' })
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [one, two] = await inCampaign(nodes, campaignWith({ slots: 4 }, `round-${round}`))
    const nodeFor = (index: number) => (index % 2 ? two : one)
    const claims = await Promise.all(holders.map((holder) => claim(one, holder)))
    const rejected = claims.slice(0, 3)
    await rejectKeepingSlots(one, rejected)
    await joinWaitingList(one, waiting.id)
    await passADay(one)

    const counts = await tally([
      reallocateSlots(one),
      reallocateSlots(two),
      reviewerOn(two, adm).undo(rejected[0] ?? ''),
      ...holders.slice(1).map((holder) => claim(two, holder)),
      ...claimants.map((person, index) => claim(nodeFor(index), person)),
      ...joiners.map(({ id }, index) => joinWaitingList(nodeFor(index), id)),
    ])
    const unexpected = outcomesBesides(counts, 'done', 'slots_gone', 'slots_left', 'already_claimed')
    assert.deepEqual(unexpected, [], `round ${round}`)
    await reallocateSlots(one)
    await assertSlotInvariants(one)
    const { slot } = await readOwnClaim(one, waiting.id)
    assert.equal(slot?.state, 'reserved', `round ${round}: whoever waited has a slot`)
  }
})

test('after the close, an expired reservation goes to no one, and the waiting list ends with one email each', async (t) => {
  const { deps, ann, ben, cleo } = await setUp(t)
  for (const { id } of [ben, cleo]) await joinWaitingList(deps, id)
  await expireAll(deps)
  const late = closed(deps)
  // Repeated to see that no one gets a second email.
  for (let times = 0; times < 3; times += 1) await reallocateSlots(late)
  for (const person of [ben, cleo]) {
    assert.partialDeepStrictEqual(await readOwnClaim(late, person.id), { slot: null, waiting: null })
    await assert.rejects(claim(late, person), { code: 'campaign_closed' })
  }
  const ended = ['waiting-list-ended']
  assert.deepEqual(await readMailsTo(deps, ann, ben, cleo), [['slot-ended'], ended, ended])
  await assert.rejects(claim(late, ann), { code: 'campaign_closed' })
  const entries = await entriesOf(deps.db, { action: 'slots.waiting_ended' })
  const subjects = entries.map(({ subject }) => String(subject))
  assert.deepEqual(subjects.toSorted(), [ben.id, cleo.id].toSorted())
  await assertSlotInvariants(deps)
})

test('slots that are free at the close are not reserved for the waiting list', async (t) => {
  const { deps, ann, ben } = await slotScene(t)
  await claim(deps, ann)
  await joinWaitingList(deps, ben.id)
  await setSlots(deps, 5)
  await reallocateSlots(closed(deps))
  assert.deepEqual(await readMailsTo(deps, ben), [['waiting-list-ended']])
  assert.equal((await readOwnClaim(deps, ben.id)).slot, null)
})

test('a slot reserved before the close can be claimed after it', async (t) => {
  const { deps, ben } = await setUp(t)
  await joinWaitingList(deps, ben.id)
  await expireAll(deps)
  await reallocateSlots(deps)
  await reallocateSlots(closed(deps))
  await claim(closed(deps), ben)
  await assertSlotInvariants(deps)
})

test('race: two nodes end a waiting list while some leave it, and email everyone else once', async (t) => {
  const nodes = await twoNodes(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [one, two] = await inCampaign(nodes, campaignWith({ slots: 2 }, `round-${round}`))
    const people = await createUsers(one.db, one.campaign.id, 22)
    const [holders, leaving, waiting] = [people.slice(0, 2), people.slice(2, 7), people.slice(7)]
    await rejectKeepingSlots(one, await Promise.all(holders.map((holder) => claim(one, holder))))
    await addToWaitingList(one, [...leaving, ...waiting])
    await expireAll(one)
    const reallocations = 3
    const counts = await tally([
      reallocateSlots(closed(one)),
      ...leaving.map(({ id }, index) => leaveWaitingList(index % 2 ? two : one, id)),
      reallocateSlots(closed(two)),
      reallocateSlots(closed(one)),
    ])
    assert.deepEqual(counts, { done: leaving.length + reallocations }, `round ${round}`)
    for (const mails of await readMailsTo(one, ...waiting))
      assert.deepEqual(mails, ['waiting-list-ended'], `round ${round}`)
    for (const mails of await readMailsTo(one, ...leaving))
      assert.match(mails.join(), /^(waiting-list-ended)?$/, `round ${round}`)
    const { rows } = await sql`
      select user_id from slots where campaign_id = ${one.campaign.id} and state <> 'free'
      union all select user_id from waiting_list where campaign_id = ${one.campaign.id}`.execute(one.db)
    assert.deepEqual(rows, [], `round ${round}`)
  }
})

test('a node that has not heard of an extension keeps the waiting list open', async (t) => {
  // A campaign that has ended, until its end is moved.
  const file = campaignWith({ slots: 1, ...OVER })
  const [one, behind] = await twoNodes(t, file)
  const changes = [{ path: 'airdrop.closesAt', value: '2120-01-31T12:00:00Z' }]
  await changeSettings(one.db, file, { changes, actor: null })
  await one.liveCampaign.refresh()
  const [ann, ben] = await createUsers(one.db, file.id, 2)
  await claim(one, ann)
  assert.equal((await joinWaitingList(behind, ben.id)).place, 1)
  assert.equal(behind.campaign.airdrop.closesAt, OVER.closesAt)
  await reallocateSlots(behind)
  assert.equal((await readOwnClaim(one, ben.id)).waiting?.place, 1)
  assert.deepEqual(await readMailsTo(one, ben), [[]])
})

test('a node that has not heard of the close promises no slot and adds no one to the waiting list', async (t) => {
  const open = { opensAt: '2020-01-01T00:00:00Z', closesAt: null, slots: 1 }
  const [one, behind] = await inCampaign(await twoNodes(t), campaignWith(open))
  const [ann, ben, cleo] = await createUsers(one.db, one.campaign.id, 3)
  const [adm] = await createUsers(one.db, one.campaign.id, 1, { role: 'admin' })
  const claimId = await claim(one, ann)
  // The reason `automated` is final, so the slot is not kept.
  await reviewerOn(one, adm).reject(claimId, { reason: 'automated' })
  await claim(one, ben)
  await behind.liveCampaign.refresh()
  await close(one, { actor: null })
  await assert.rejects(reviewerOn(behind, adm).undo(claimId), { code: 'slots_gone' })
  await assert.rejects(joinWaitingList(behind, cleo.id), { code: 'campaign_closed' })
  await reallocateSlots(one)
  assert.deepEqual(await readMailsTo(one, ann, cleo), [[], []])
})
