import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FINAL_REASONS } from '#contract/claims/claim-history.ts'
import { MAX_ATTEMPTS } from '#contract/claims/claims.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { appeal } from '../claims/appeal.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { outcomesBesides } from '#server/testing/builders/decision-races.ts'
import { assertSlotInvariants, reviewerOn } from '#server/testing/builders/reviewer.ts'
import {
  passADay,
  addToWaitingList,
  claim,
  closed,
  expireAll,
  rejectKeepingSlots,
  setSlots,
  slotScene,
} from '#server/testing/builders/slots.ts'
import { campaignWith, inCampaign, ROUNDS, tally, twoNodes } from '#server/testing/database/races.ts'
import { reallocateSlots } from './reallocate-slots.ts'
import { joinWaitingList } from './waiting-list.ts'

test('a final rejection frees the slot at once, whatever its reason, and can be appealed', async (t) => {
  const { deps, adm, reviewer, countLeft, ownClaimOf, sendAppeal } = await slotScene(t)
  for (const reason of FINAL_REASONS) {
    const [holder, next] = await createUsers(deps.db, deps.campaign.id, 2)
    const requestedJobs: string[] = []
    const runSoon = (jobName: string) => requestedJobs.push(jobName)
    const id = await claim(deps, holder)
    await joinWaitingList(deps, next.id)
    await reviewerOn({ ...deps, runSoon }, adm).reject(id, { reason })
    assert.deepEqual(requestedJobs, ['slots'], reason)
    assert.equal(await countLeft(), 1, reason)
    const { slot, timeline, claim: rejected } = await ownClaimOf(holder)
    assert.equal(slot, null, reason)
    assert.equal(timeline.at(-1)?.what, 'slot_freed', reason)
    assert.equal(rejected?.isAppealable, true, reason)
    await reallocateSlots(deps)
    const nextClaim = await claim(deps, next)
    await sendAppeal(holder, id)
    await reviewer.reject(id, { text: 'No.', reason })
    await assertSlotInvariants(deps)
    await reviewer.reject(nextClaim, { reason })
  }
})

test('after three attempts a claim can only be appealed, and the waiting list cannot be joined', async (t) => {
  const { deps, ann, ben, reviewer, rejectFinally, ownClaimOf, sendAppeal } = await slotScene(t, { slots: 3 })
  let id = ''
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    assert.equal((await ownClaimOf(ann)).attemptsLeft, MAX_ATTEMPTS - attempt + 1)
    id = await claim(deps, ann)
    // A final rejection uses up an attempt too.
    await (attempt === 1 ? rejectFinally(id) : reviewer.reject(id))
  }
  assert.equal((await ownClaimOf(ann)).attemptsLeft, 0)
  await assert.rejects(claim(deps, ann), { code: 'attempts_over' })
  await passADay(deps)
  await reallocateSlots(deps)
  await assert.rejects(claim(deps, ann), { code: 'attempts_over' })
  // Ben takes the only slot, so that there is a waiting list to join.
  await setSlots(deps, 1)
  await claim(deps, ben)
  await assert.rejects(joinWaitingList(deps, ann.id), { code: 'attempts_over' })

  await sendAppeal(ann, id)
  await setSlots(deps, 2)
  await reviewer.undo(id)
  await reviewer.approve(id)
  await assertSlotInvariants(deps)
})

test('an open appeal suspends the expiry of the kept slot, and the answer resumes it', async (t) => {
  const { deps, ann, ben, reviewer, countLeft, ownClaimOf, sendAppeal } = await slotScene(t)
  const id = await claim(deps, ann)
  await reviewer.reject(id)
  await sendAppeal(ann, id)
  assert.deepEqual((await ownClaimOf(ann)).slot, { state: 'kept', until: null })
  await joinWaitingList(deps, ben.id)
  await passADay(deps)
  await reallocateSlots(deps)
  assert.equal((await ownClaimOf(ann)).slot?.state, 'kept')
  assert.equal((await ownClaimOf(ben)).waiting?.place, 1)
  assert.equal(await countLeft(), 0)
  await reviewer.reject(id, { text: 'It is not there.' })
  await reallocateSlots(deps)
  assert.equal((await ownClaimOf(ann)).slot, null)
  assert.equal((await ownClaimOf(ben)).slot?.state, 'reserved')
  await assertSlotInvariants(deps)
})

test('a kept slot can be claimed while an appeal is open, and after it for the rest of the day', async (t) => {
  const { deps, ann, reviewer, ownClaimOf, sendAppeal } = await slotScene(t)
  const id = await claim(deps, ann)
  await reviewer.reject(id)
  const until = (await ownClaimOf(ann)).slot?.until
  await sendAppeal(ann, id)
  await reviewer.reject(id, { text: 'It is not there.' })
  assert.equal((await ownClaimOf(ann)).slot?.until, until)
  const corrected = await claim(deps, ann)
  await reviewer.reject(corrected)
  await sendAppeal(ann, corrected)
  await passADay(deps)
  await claim(deps, ann)
  await assertSlotInvariants(deps)
})

test('a successful appeal gets a free slot ahead of the waiting list', async (t) => {
  const { deps, ann, ben, reviewer, rejectFinally, ownClaimOf, sendAppeal } = await slotScene(t)
  const id = await claim(deps, ann)
  await joinWaitingList(deps, ben.id)
  await rejectFinally(id)
  await sendAppeal(ann, id)
  await reviewer.undo(id)
  await reallocateSlots(deps)
  assert.equal((await ownClaimOf(ann)).claim?.status, 'under_review')
  assert.equal((await ownClaimOf(ben)).waiting?.place, 1)
  await assertSlotInvariants(deps)
})

test('an undo without a free slot promises the next slot once, ahead of the waiting list, even after the last attempt', async (t) => {
  const { deps, ann, ben, cleo, dan, reviewer, rejectFinally, ownClaimOf, sendAppeal } = await slotScene(t, {
    slots: 2,
  })
  const [claimOfAnn, claimOfBen] = [await claim(deps, ann), await claim(deps, ben)]
  const rejected = [claimOfAnn, claimOfBen]
  for (const id of rejected) await rejectFinally(id)
  const taken = [await claim(deps, cleo), await claim(deps, dan)]
  const [eve] = await createUsers(deps.db, deps.campaign.id, 1)
  for (const { id } of [eve, ben]) await joinWaitingList(deps, id)
  await sendAppeal(ann, claimOfAnn)
  for (const id of rejected) {
    assert.equal((await reviewer.undo(id)).status, 'rejected')
    await assert.rejects(reviewer.undo(id), { code: 'slots_gone' }, 'a second undo promises nothing more')
  }
  const places = await Promise.all([ann, ben, eve].map(async (who) => (await ownClaimOf(who)).waiting?.place))
  assert.deepEqual(places, [1, 2, 3])
  assert.equal((await ownClaimOf(ann)).claim?.appeal?.isAnswered, true)
  const entries = await entriesOf(deps.db, { action: 'claim.promised_slot' })
  const promised = entries.map(({ subject }) => subject)
  assert.deepEqual(promised, rejected)

  await deps.db.updateTable('claims').set({ attempt: MAX_ATTEMPTS }).where('id', '=', claimOfAnn).execute()
  for (const id of taken) await rejectFinally(id)
  await reallocateSlots(deps)
  await claim(deps, ann)
  await claim(deps, ben)
  assert.equal((await ownClaimOf(eve)).waiting?.place, 1)
  await assertSlotInvariants(deps)
})

test('after the close, an undo takes a free slot, or is refused without promising the next one', async (t) => {
  const { deps, adm, ann, ben, rejectFinally, ownClaimOf } = await slotScene(t)
  const reviewerAfterClose = reviewerOn(closed(deps), adm)
  const id = await claim(deps, ann)
  await rejectFinally(id)
  const other = await claim(deps, ben)
  await assert.rejects(reviewerAfterClose.undo(id), { code: 'slots_gone' })
  assert.equal((await ownClaimOf(ann)).waiting, null)
  await rejectFinally(other)
  assert.equal((await reviewerAfterClose.undo(id)).underReview, true)
  await assertSlotInvariants(deps)
})

test('race: rejections, appeals and undos during reallocation neither lose a slot nor assign one twice', async (t) => {
  const nodes = await twoNodes(t)
  const [adm, boss] = await createUsers(nodes[0].db, nodes[0].campaign.id, 2, { role: 'admin' })
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [one, two] = await inCampaign(nodes, campaignWith({ slots: 4 }, `round-${round}`))
    const [ann, ben, cleo, dan] = await createUsers(one.db, one.campaign.id, 4)
    const ids = await Promise.all([ann, ben, cleo, dan].map((holder) => claim(one, holder)))
    const [ofAnn = '', ofBen = '', ofCleo = '', ofDan = ''] = ids
    await addToWaitingList(one, await createUsers(one.db, one.campaign.id, 3))
    const [here, there] = [reviewerOn(one, adm), reviewerOn(two, boss)]
    await rejectKeepingSlots(one, [ofCleo])
    await expireAll(one)

    const counts = await tally([
      here.reject(ofAnn, { reason: 'automated' }),
      reallocateSlots(two),
      there.reject(ofBen, { reason: 'same_person' }),
      there.undo(ofAnn),
      appeal(one, { userId: cleo.id, claimId: ofCleo, text: 'Please look again.' }),
      reallocateSlots(one),
      here.undo(ofDan),
      there.undo(ofCleo),
    ])
    const unexpected = outcomesBesides(counts, 'done', 'nothing_to_undo', 'slots_gone', 'not_appealable')
    assert.deepEqual(unexpected, [], `round ${round}`)
    await reallocateSlots(two)
    await assertSlotInvariants(one)
  }
})
