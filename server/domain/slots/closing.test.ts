import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { readOwnClaim } from '../claims/own-claim.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { assertSlotsFit, reviewerOn } from '#server/testing/builders/reviewer.ts'
import {
  addToWaitingList,
  claim,
  closed,
  expireAll,
  OVER,
  setSlots,
  slotScene,
} from '#server/testing/builders/slots.ts'
import { campaignWith, inCampaign, ROUNDS, tally, twoNodes } from '#server/testing/database/races.ts'
import { close } from '../settings/campaign-dates.ts'
import { changeSettings } from '../settings/change-settings.ts'
import { reallocateSlots } from './reallocate-slots.ts'
import { joinWaitingList, leaveWaitingList } from './waiting-list.ts'

/** The templates of a participant's emails about slots and the waiting list. */
async function readMailsTo({ db }: Deps, { email }: TestUser): Promise<string[]> {
  const { rows } = await sql<{ template: string }>`
    select payload->>'template' as template from jobs where payload->>'to' = ${email}
      and payload->>'template' ~ 'slot|waiting' order by id`.execute(db)
  return rows.map(({ template }) => template)
}

test('after the close, an expired reservation goes to no one, and the waiting list ends with one email each', async (t) => {
  const { deps, ann, ben, cleo, reviewer } = await slotScene(t)
  await reviewer.reject(await claim(deps, ann))
  for (const { id } of [ben, cleo]) await joinWaitingList(deps, id)
  await expireAll(deps)
  const late = closed(deps)
  // Repeated, because no one must get a second email.
  for (let times = 0; times < 3; times += 1) await reallocateSlots(late)
  for (const person of [ben, cleo]) {
    assert.partialDeepStrictEqual(await readOwnClaim(late, person.id), { slot: null, waiting: null })
    assert.deepEqual(await readMailsTo(deps, person), ['waiting-list-ended'])
    await assert.rejects(claim(late, person), { code: 'campaign_closed' })
  }
  assert.deepEqual(await readMailsTo(deps, ann), ['slot-ended'])
  await assert.rejects(claim(late, ann), { code: 'campaign_closed' })
  const entries = await entriesOf(deps.db, { action: 'slots.waiting_ended' })
  const ended = entries.map(({ subject }) => String(subject))
  assert.deepEqual(ended.toSorted(), [ben.id, cleo.id].toSorted())
  await assertSlotsFit(deps)
})

test('slots that are free at the close are not reserved for the waiting list', async (t) => {
  const { deps, ann, ben } = await slotScene(t)
  await claim(deps, ann)
  await joinWaitingList(deps, ben.id)
  await setSlots(deps, 5)
  await reallocateSlots(closed(deps))
  assert.deepEqual(await readMailsTo(deps, ben), ['waiting-list-ended'])
  assert.equal((await readOwnClaim(deps, ben.id)).slot, null)
})

test('a slot reserved before the close can be claimed after it', async (t) => {
  const { deps, ann, ben, reviewer } = await slotScene(t)
  await reviewer.reject(await claim(deps, ann))
  await joinWaitingList(deps, ben.id)
  await expireAll(deps)
  await reallocateSlots(deps)
  await reallocateSlots(closed(deps))
  await claim(closed(deps), ben)
  await assertSlotsFit(deps)
})

test('race: two nodes that end a waiting list while some leave it email everyone else once', async (t) => {
  const nodes = await twoNodes(t)
  const [adm] = await createUsers(nodes[0].db, nodes[0].campaign.id, 1, { role: 'admin' })
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [one, two] = await inCampaign(nodes, campaignWith({ slots: 2 }, `round-${round}`))
    const people = await createUsers(one.db, one.campaign.id, 22)
    const [holders, leaving, waiting] = [people.slice(0, 2), people.slice(2, 7), people.slice(7)]
    for (const holder of holders) await reviewerOn(one, adm).reject(await claim(one, holder))
    await addToWaitingList(one, [...leaving, ...waiting])
    await expireAll(one)
    const counts = await tally([
      reallocateSlots(closed(one)),
      ...leaving.map(({ id }, index) => leaveWaitingList(index % 2 ? two : one, id)),
      reallocateSlots(closed(two)),
      reallocateSlots(closed(one)),
    ])
    assert.deepEqual(counts, { done: leaving.length + 3 }, `round ${round}`)
    for (const person of waiting)
      assert.deepEqual(await readMailsTo(one, person), ['waiting-list-ended'], `round ${round}`)
    for (const person of leaving)
      assert.match((await readMailsTo(one, person)).join(), /^(waiting-list-ended)?$/, `round ${round}`)
    const { rows } = await sql`
      select user_id from slots where campaign_id = ${one.campaign.id} and state <> 'free'
      union all select user_id from waiting_list where campaign_id = ${one.campaign.id}`.execute(one.db)
    assert.deepEqual(rows, [], `round ${round}`)
  }
})

test('a node that has not heard of an extension keeps the waiting list open', async (t) => {
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
  assert.deepEqual(await readMailsTo(one, ben), [])
})

test('a node that has not heard of the close promises no one the next slot, and adds no one to the waiting list', async (t) => {
  const open = { opensAt: '2020-01-01T00:00:00Z', closesAt: null, slots: 1 }
  const [one, behind] = await inCampaign(await twoNodes(t), campaignWith(open))
  const [ann, ben, cleo] = await createUsers(one.db, one.campaign.id, 3)
  const [adm] = await createUsers(one.db, one.campaign.id, 1, { role: 'admin' })
  const claimId = await claim(one, ann)
  // A final rejection, after which the slot is not kept.
  await reviewerOn(one, adm).reject(claimId, '', 'automated')
  await claim(one, ben)
  await behind.liveCampaign.refresh()
  await close(one, { actor: null })
  await assert.rejects(reviewerOn(behind, adm).undo(claimId), { code: 'slots_gone' })
  await assert.rejects(joinWaitingList(behind, cleo.id), { code: 'campaign_closed' })
  await reallocateSlots(one)
  for (const person of [ann, cleo]) assert.deepEqual(await readMailsTo(one, person), [])
})
