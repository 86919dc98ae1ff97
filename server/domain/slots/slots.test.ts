import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { readSlots } from '../campaign/read-campaign.ts'
import type { Deps } from '#server/deps.ts'
import { readOwnClaim } from '../claims/own-claim.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { assertSlotsFit, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { campaignWith, inCampaign, ROUNDS, tally, twoNodes } from '#server/testing/races.ts'
import { reallocateSlots } from './reallocate-slots.ts'
import { joinWaitingList, leaveWaitingList } from './waiting-list.ts'

const claim = (deps: Deps, { id }: TestUser) => submitProof(deps, id, freshProof())

/** Moves all reservations a day into the past. */
const aDayLater = async ({ db, campaign }: Deps) => {
  await db
    .updateTable('slots')
    .set({ until: sql`until - interval '24 hours'` })
    .where('campaign_id', '=', campaign.id)
    .where('until', 'is not', null)
    .execute()
}

/** The emails about slots, in the order in which they were queued: template and recipient of each. */
async function readSlotMails({ db }: Deps): Promise<[string, string][]> {
  const { rows } = await sql<{ template: string; to: string }>`
    select payload->>'template' as template, payload->>'to' as "to" from jobs
    where payload->>'template' like 'slot-%' order by id`.execute(db)
  return rows.map(({ template, to }) => [template, to])
}

/** One slot and four participants; the first has a rejected claim. */
async function setUp(t: TestContext) {
  const { deps } = await testNode(t, campaignWith({ slots: 1 }))
  const [ann, ben, cleo, dan] = await createUsers(deps.db, deps.campaign.id, 4)
  const [adm] = await createUsers(deps.db, deps.campaign.id, 1, { role: 'admin' })
  const reviewer = reviewerOn(deps, adm)
  const { _id: rejected } = await claim(deps, ann)
  await reviewer.reject(rejected)
  const left = async () => (await readSlots(deps.db, deps.campaign.id)).left
  return { deps, reviewer, rejected, ann, ben, cleo, dan, left }
}

test('a rejected claim keeps its slot for a day, then frees it', async (t) => {
  const { deps, ann, ben, left } = await setUp(t)
  await reallocateSlots(deps)
  assert.equal(await left(), 0)
  await assert.rejects(claim(deps, ben), { code: 'slots_gone' })
  await aDayLater(deps)
  await reallocateSlots(deps)
  assert.equal(await left(), 1)
  assert.equal((await readOwnClaim(deps, ann.id)).timeline.at(-1)?.what, 'slot_freed')
  await claim(deps, ben)
  await assert.rejects(claim(deps, ann), { code: 'slots_gone' })
  await assertSlotsFit(deps)
})

test('a claim with an expired reservation reallocates the slot at once: to the waiting list, not to the claim', async (t) => {
  const { deps, ann, ben, left } = await setUp(t)
  await joinWaitingList(deps, ben.id)
  await aDayLater(deps)
  await assert.rejects(claim(deps, ann), { code: 'slots_gone' })
  await claim(deps, ben)
  assert.equal(await left(), 0)
  await assertSlotsFit(deps)
})

test('whoever joins the waiting list with an expired reservation loses the slot at once, and waits like everyone else', async (t) => {
  const { deps, ann, ben } = await setUp(t)
  await joinWaitingList(deps, ben.id)
  await aDayLater(deps)
  assert.equal((await joinWaitingList(deps, ann.id)).place, 1, 'the slot is reserved for the other')
  const { slot, timeline } = await readOwnClaim(deps, ann.id)
  assert.deepEqual([slot, timeline.at(-1)?.what], [null, 'slot_freed'])
  assert.equal((await readOwnClaim(deps, ben.id)).slot?.state, 'reserved')
  await assertSlotsFit(deps)
})

test('a late undo before reallocation takes the expired reservation ahead of the waiting list', async (t) => {
  const { deps, reviewer, rejected, ann, ben, cleo, left } = await setUp(t)
  await deps.db.updateTable('campaigns').set({ slots_total: 2 }).execute()
  await aDayLater(deps)
  await reviewer.undo(rejected)
  assert.deepEqual([await left(), (await readOwnClaim(deps, ann.id)).claim?.status], [1, 'under_review'])
  await assertSlotsFit(deps)
  await claim(deps, ben)
  await reviewer.reject(rejected)
  await joinWaitingList(deps, cleo.id)
  await aDayLater(deps)
  await reviewer.undo(rejected)
  await reallocateSlots(deps)
  assert.equal((await readOwnClaim(deps, ann.id)).claim?.status, 'under_review')
  await assertSlotsFit(deps)
})

test('reserves a slot for a day for the first on the waiting list, then for the next', async (t) => {
  const { deps, ann, ben, cleo, dan, left } = await setUp(t)
  for (const { id } of [ben, cleo]) await joinWaitingList(deps, id)
  await aDayLater(deps)
  await reallocateSlots(deps)
  const mine = await readOwnClaim(deps, ben.id)
  assert.deepEqual([mine.slot?.state, mine.waiting], ['reserved', null])
  assert.equal((await readOwnClaim(deps, cleo.id)).waiting?.place, 1)
  assert.equal(await left(), 0, 'a reserved slot is not free')
  for (const other of [ann, cleo, dan]) await assert.rejects(claim(deps, other), { code: 'slots_gone' })
  await aDayLater(deps)
  await reallocateSlots(deps)
  await assert.rejects(claim(deps, ben), { code: 'slots_gone' })
  await claim(deps, cleo)
  await assertSlotsFit(deps)
  assert.deepEqual(await readSlotMails(deps), [
    ['slot-freed', ann.email],
    ['slot-reserved', ben.email],
    ['slot-freed', ben.email],
    ['slot-reserved', cleo.email],
  ])
})

test('a reservation that is given up goes to the next on the list; participants who have left it are skipped', async (t) => {
  const { deps, ann, ben, cleo, dan } = await setUp(t)
  for (const { id } of [ben, cleo, dan]) await joinWaitingList(deps, id)
  await leaveWaitingList(deps, cleo.id)
  await aDayLater(deps)
  await reallocateSlots(deps)
  await leaveWaitingList(deps, ben.id)
  await reallocateSlots(deps)
  assert.equal((await readOwnClaim(deps, dan.id)).slot?.state, 'reserved')
  // Ben is not told that his time is up.
  assert.deepEqual(await readSlotMails(deps), [
    ['slot-freed', ann.email],
    ['slot-reserved', ben.email],
    ['slot-reserved', dan.email],
  ])
  await claim(deps, dan)
})

test('added slots go to the waiting list first, the rest to whoever claims', async (t) => {
  const { deps, ben, cleo } = await setUp(t)
  await joinWaitingList(deps, ben.id)
  await deps.db.updateTable('campaigns').set({ slots_total: 3 }).execute()
  await assert.rejects(claim(deps, cleo), { code: 'slots_gone' }, 'the waiting list goes first')
  await reallocateSlots(deps)
  await claim(deps, cleo)
  await claim(deps, ben)
  await assertSlotsFit(deps)
})

test('race: expiry, reallocation on two nodes, claims and joins never over-allocate or skip anyone', async (t) => {
  const nodes = await twoNodes(t)
  const people = await createUsers(nodes[0].db, nodes[0].campaign.id, 14)
  const [adm] = await createUsers(nodes[0].db, nodes[0].campaign.id, 1, { role: 'admin' })
  for (let round = 1; round <= ROUNDS; round += 1) {
    const here = await inCampaign(nodes, campaignWith({ slots: 4 }, `round-${round}`))
    const [one, two] = here
    const claims = await Promise.all(people.slice(0, 4).map((member) => claim(one, member)))
    for (const { _id } of claims.slice(0, 3)) await reviewerOn(one, adm).reject(_id)
    await joinWaitingList(one, people[4]?.id ?? '')
    await aDayLater(one)
    const counts = await tally([
      reallocateSlots(one),
      reallocateSlots(two),
      reviewerOn(two, adm).undo(claims[0]?._id ?? ''),
      ...people.slice(1, 4).map((member) => claim(two, member)),
      ...people.slice(5, 9).map((member, index) => claim(here[index % 2] ?? one, member)),
      ...people.slice(9).map(({ id }, index) => joinWaitingList(here[index % 2] ?? two, id)),
    ])
    const known = ['done', 'slots_gone', 'slots_left', 'already_claimed']
    const unexpected = Object.keys(counts).filter((code) => !known.includes(code))
    assert.deepEqual(unexpected, [], `round ${round}`)
    await reallocateSlots(one)
    await assertSlotsFit(one)
    const { slot } = await readOwnClaim(one, people[4]?.id ?? '')
    assert.equal(slot?.state, 'reserved', `round ${round}: who waited has a slot`)
  }
})
