import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { FINAL_REASONS } from '#contract/claims/claim-history.ts'
import { MAX_ATTEMPTS } from '#contract/claims/claims.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { createLiveCampaign } from '../campaign/live-campaign.ts'
import { readSlots } from '../campaign/read-campaign.ts'
import type { Deps } from '#server/deps.ts'
import { appeal } from '../claims/appeal.ts'
import { readOwnClaim } from '../claims/own-claim.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { assertSlotsFit, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { campaignWith, inCampaign, ROUNDS, tally, twoNodes } from '#server/testing/races.ts'
import { reallocateSlots } from './reallocate-slots.ts'
import { joinWaitingList } from './waiting-list.ts'

const claim = async (deps: Deps, { id }: TestUser) => (await submitProof(deps, id, freshProof()))._id

/** Moves all reservations and decisions a day into the past. */
const aDayLater = async ({ db }: Deps) => {
  await sql`
    update slots set until = until - interval '24 hours',
      until_without_appeal = until_without_appeal - interval '24 hours'
    where until is not null`.execute(db)
  await sql`
    update claims set decided_at = decided_at - interval '24 hours' where decided_at is not null`.execute(db)
}

async function setUp(t: TestContext, slots = 1) {
  const { deps } = await testNode(t, campaignWith({ slots }))
  const [ann, ben, cleo, dan] = await createUsers(deps.db, deps.campaign.id, 4)
  const [adm] = await createUsers(deps.db, deps.campaign.id, 1, { role: 'admin' })
  const left = async () => (await readSlots(deps.db, deps.campaign.id)).left
  const ownClaimOf = ({ id }: TestUser) => readOwnClaim(deps, id)
  const sendAppeal = ({ id: userId }: TestUser, claimId: string) =>
    appeal(deps, { userId, claimId, text: 'Please look again.' })
  return { deps, ann, ben, cleo, dan, reviewer: reviewerOn(deps, adm), left, ownClaimOf, sendAppeal }
}

test('a final rejection frees the slot at once, whatever its reason, and can be appealed', async (t) => {
  const { deps, reviewer, left, ownClaimOf, sendAppeal } = await setUp(t)
  const [boss] = await createUsers(deps.db, deps.campaign.id, 1, { role: 'admin' })
  for (const reason of FINAL_REASONS) {
    const [holder, next] = await createUsers(deps.db, deps.campaign.id, 2)
    const woken: string[] = []
    const id = await claim(deps, holder)
    await joinWaitingList(deps, next.id)
    await reviewerOn({ ...deps, wake: (work) => woken.push(work) }, boss).reject(id, '', reason)
    assert.deepEqual(woken, ['slots'], reason)
    assert.equal(await left(), 1, reason)
    const { slot, timeline, claim: rejected } = await ownClaimOf(holder)
    assert.deepEqual([slot, timeline.at(-1)?.what], [null, 'slot_freed'], reason)
    assert.equal(rejected?.isAppealable, true, reason)
    await reallocateSlots(deps)
    const nextClaim = await claim(deps, next)
    await sendAppeal(holder, id)
    await reviewer.reject(id, 'No.', reason)
    await assertSlotsFit(deps)
    await reviewer.reject(nextClaim, '', reason)
  }
})

test('after three attempts a claim can only be appealed, and the waiting list cannot be joined', async (t) => {
  const { deps, ann, ben, reviewer, ownClaimOf, sendAppeal } = await setUp(t, 3)
  let id = ''
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    assert.equal((await ownClaimOf(ann)).attemptsLeft, MAX_ATTEMPTS - attempt + 1)
    id = await claim(deps, ann)
    await reviewer.reject(id, '', attempt === 1 ? 'automated' : 'post_missing')
  }
  assert.equal((await ownClaimOf(ann)).attemptsLeft, 0)
  await assert.rejects(claim(deps, ann), { code: 'attempts_over' })
  await aDayLater(deps)
  await reallocateSlots(deps)
  await assert.rejects(claim(deps, ann), { code: 'attempts_over' })
  await deps.db.updateTable('campaigns').set({ slots_total: 1 }).execute()
  await claim(deps, ben)
  await assert.rejects(joinWaitingList(deps, ann.id), { code: 'attempts_over' })
  await sendAppeal(ann, id)
  await deps.db.updateTable('campaigns').set({ slots_total: 2 }).execute()
  await reviewer.undo(id)
  await reviewer.approve(id)
  await assertSlotsFit(deps)
})

test('an open appeal suspends the expiry of the kept slot, and the answer resumes it', async (t) => {
  const { deps, ann, ben, reviewer, left, ownClaimOf, sendAppeal } = await setUp(t)
  const id = await claim(deps, ann)
  await reviewer.reject(id)
  await sendAppeal(ann, id)
  assert.deepEqual((await ownClaimOf(ann)).slot, { state: 'kept', until: null })
  await joinWaitingList(deps, ben.id)
  await aDayLater(deps)
  await reallocateSlots(deps)
  assert.equal((await ownClaimOf(ann)).slot?.state, 'kept')
  assert.deepEqual([(await ownClaimOf(ben)).waiting?.place, await left()], [1, 0])
  await reviewer.reject(id, 'It is not there.')
  await reallocateSlots(deps)
  assert.deepEqual([(await ownClaimOf(ann)).slot, (await ownClaimOf(ben)).slot?.state], [null, 'reserved'])
  await assertSlotsFit(deps)
})

test('a correction can take the slot until the day is over, as if there had been no appeal, and while an appeal is open', async (t) => {
  const { deps, ann, reviewer, ownClaimOf, sendAppeal } = await setUp(t)
  const id = await claim(deps, ann)
  await reviewer.reject(id)
  const until = (await ownClaimOf(ann)).slot?.until
  await sendAppeal(ann, id)
  await reviewer.reject(id, 'It is not there.')
  assert.equal((await ownClaimOf(ann)).slot?.until, until)
  const corrected = await claim(deps, ann)
  await reviewer.reject(corrected)
  await sendAppeal(ann, corrected)
  await aDayLater(deps)
  await claim(deps, ann)
  await assertSlotsFit(deps)
})

test('a successful appeal gets a free slot ahead of the waiting list', async (t) => {
  const { deps, ann, ben, reviewer, ownClaimOf, sendAppeal } = await setUp(t)
  const id = await claim(deps, ann)
  await joinWaitingList(deps, ben.id)
  await reviewer.reject(id, '', 'automated')
  await sendAppeal(ann, id)
  await reviewer.undo(id)
  await reallocateSlots(deps)
  assert.equal((await ownClaimOf(ann)).claim?.status, 'under_review')
  assert.equal((await ownClaimOf(ben)).waiting?.place, 1)
  await assertSlotsFit(deps)
})

test('without a free slot a successful appeal goes to the front, also after the last attempt, behind earlier ones', async (t) => {
  const { deps, ann, ben, cleo, dan, reviewer, ownClaimOf, sendAppeal } = await setUp(t, 2)
  const [first, second] = [await claim(deps, ann), await claim(deps, ben)]
  for (const id of [first, second]) await reviewer.reject(id, '', 'same_person')
  const taken = [await claim(deps, cleo), await claim(deps, dan)]
  const [eve] = await createUsers(deps.db, deps.campaign.id, 1)
  await joinWaitingList(deps, eve.id)
  await joinWaitingList(deps, ben.id)
  await sendAppeal(ann, first)
  for (const id of [first, second]) {
    assert.equal((await reviewer.undo(id)).status, 'rejected')
    await assert.rejects(reviewer.undo(id), { code: 'slots_gone' }, 'a repeat grants no second promise')
  }
  const places = await Promise.all([ann, ben, eve].map(async (who) => (await ownClaimOf(who)).waiting?.place))
  assert.deepEqual(places, [1, 2, 3])
  assert.equal((await ownClaimOf(ann)).claim?.appeal?.isAnswered, true)
  await deps.db.updateTable('claims').set({ attempt: MAX_ATTEMPTS }).where('id', '=', first).execute()
  for (const id of taken) await reviewer.reject(id, '', 'automated')
  await reallocateSlots(deps)
  await claim(deps, ann)
  await claim(deps, ben)
  assert.equal((await ownClaimOf(eve)).waiting?.place, 1)
  await assertSlotsFit(deps)
  const entries = await entriesOf(deps.db, { action: 'claim.promised_slot' })
  const promised = entries.map(({ subject }) => subject)
  assert.deepEqual(promised, [first, second])
})

test('after the close an undo takes a free slot but joins no waiting list', async (t) => {
  const { deps, ann, ben, reviewer, ownClaimOf } = await setUp(t)
  const campaign = campaignWith({ slots: 1, closesAt: '2020-02-01T00:00:00Z' })
  const [adm] = await createUsers(deps.db, campaign.id, 1, { role: 'admin' })
  const liveCampaign = createLiveCampaign(deps.db, campaign)
  const reviewerAfterwards = reviewerOn({ ...deps, campaign, liveCampaign }, adm)
  const id = await claim(deps, ann)
  await reviewer.reject(id, '', 'automated')
  const other = await claim(deps, ben)
  await assert.rejects(reviewerAfterwards.undo(id), { code: 'slots_gone' })
  assert.equal((await ownClaimOf(ann)).waiting, null)
  await reviewer.reject(other, '', 'automated')
  assert.equal((await reviewerAfterwards.undo(id)).underReview, true)
  await assertSlotsFit(deps)
})

test('race: final rejections, appeals and undo during reallocation on two nodes neither lose a slot nor assign one twice', async (t) => {
  const nodes = await twoNodes(t)
  const [adm, boss] = await createUsers(nodes[0].db, nodes[0].campaign.id, 2, { role: 'admin' })
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [one, two] = await inCampaign(nodes, campaignWith({ slots: 4 }, `round-${round}`))
    const people = await createUsers(one.db, one.campaign.id, 7)
    const holders = people.slice(0, 4)
    const ids = await Promise.all(holders.map((member) => claim(one, member)))
    const [a = '', b = '', c = '', d = ''] = ids
    for (const { id } of people.slice(4)) await joinWaitingList(one, id)
    const [here, there] = [reviewerOn(one, adm), reviewerOn(two, boss)]
    await here.reject(c)
    const { id: campaignId } = one.campaign
    await sql`
      update slots set until = now() where campaign_id = ${campaignId} and until is not null`.execute(one.db)
    const counts = await tally([
      here.reject(a, '', 'automated'),
      reallocateSlots(two),
      there.reject(b, '', 'same_person'),
      there.undo(a),
      appeal(one, { userId: holders[2]?.id ?? '', claimId: c, text: 'Please look again.' }),
      reallocateSlots(one),
      here.undo(d),
      there.undo(c),
    ])
    const known = ['done', 'nothing_to_undo', 'slots_gone', 'not_appealable']
    const unexpected = Object.keys(counts).filter((code) => !known.includes(code))
    assert.deepEqual(unexpected, [], `round ${round}`)
    await reallocateSlots(two)
    await assertSlotsFit(one)
  }
})
