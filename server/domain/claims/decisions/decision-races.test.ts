import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import type { Refusal } from '#server/platform/refusal.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import {
  setUpRace,
  assertInvariants,
  showRow,
  decideInBulk,
  isApproved,
  outcomeOf,
  outcomesBesides,
} from '#server/testing/builders/decision-races.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertSlotInvariants, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { rejectKeepingSlots } from '#server/testing/builders/slots.ts'
import { campaignWith, inCampaign, meetAtClaim, ROUNDS, tally } from '#server/testing/database/races.ts'
import { deleteAccount } from '../../accounts/deletion/delete-account.ts'
import { appeal } from '../appeal.ts'
import { readOwnClaim } from '../own-claim.ts'
import { editClaim } from '../submission/edit-claim.ts'
import { submitProof } from '../submission/submit-proof.ts'

// In all tests, `reviewers` are `adm` on the node `here` and `boss` on the node `there`.

test('race: approve, reject and undo by two reviewers on two nodes are serialized', async (t) => {
  const { here, reviewers, claim } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { id } = await claim()
    const calls = reviewers.flatMap((reviewer) => [
      reviewer.approve(id),
      reviewer.reject(id),
      reviewer.undo(id),
      reviewer.approve(id),
    ])
    const counts = await tally(calls)
    assert.ok((counts['done'] ?? 0) >= 1, `round ${round}`)
    const unexpected = outcomesBesides(counts, 'done', 'claim_approved', 'claim_rejected', 'nothing_to_undo')
    assert.deepEqual(unexpected, [], `round ${round}`)
  }
  await assertInvariants(here)
})

test('race: of two reviewers who lock a claim at once, one succeeds and the other learns who', async (t) => {
  const { here, adm, boss, reviewers, claim } = await setUpRace(t)
  const one = { username: adm.username, reviewer: reviewers[0] }
  const other = { username: boss.username, reviewer: reviewers[1] }
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { id } = await claim()
    const hasExpiredLock = round % 2 === 0
    if (hasExpiredLock) {
      await (round % 4 === 0 ? one : other).reviewer.lock(id)
      await sql`update review_locks set until = now()`.execute(here.db)
    }
    const order = round % 3 === 0 ? [other, one, other, one] : [one, other, one, other]
    const calls = order.map((caller) => () => caller.reviewer.lock(id))
    // In most rounds, the calls queue for the claim's lock in this order; in the others they run freely.
    const isForced = round % 5 < 3
    const running = isForced ? await meetAtClaim(here, id, calls) : calls.map((call) => call())
    const results = await Promise.allSettled(running)

    const { holder } = await readReviewers(here, id)
    if (isForced) assert.equal(holder, order[0]?.username, `round ${round}: the first call wins`)
    for (const [index, result] of results.entries()) {
      const { code, details } = (result.status === 'rejected' ? result.reason : {}) as Partial<Refusal>
      const isHolder = order[index]?.username === holder
      const expected = isHolder ? { code: undefined, by: undefined } : { code: 'claim_locked', by: holder }
      assert.deepEqual({ code, by: details?.by }, expected, `round ${round}`)
    }
    const decided = await tally(reviewers.map((reviewer) => reviewer.approve(id)))
    assert.deepEqual(outcomesBesides(decided, 'done', 'claim_locked'), [], `round ${round}`)
    const { decider } = await readReviewers(here, id)
    assert.equal(decider, holder, `round ${round}: only the lock's holder can decide`)
  }
  await assertInvariants(here)
})

async function readReviewers({ db }: Deps, claimId: string) {
  const { rows } = await sql<{ holder: string | null; decider: string | null }>`
    select holder.username as holder, decider.username as decider
    from claims c left join users decider on decider.id = c.decided_by
      left join review_locks l on l.claim_id = c.id left join users holder on holder.id = l.reviewer
    where c.id = ${claimId}`.execute(db)
  return rows[0] ?? assert.fail()
}

test('race: overlapping bulk decisions decide each claim once and report consistent outcomes', async (t) => {
  const { here, there, adm, boss, claim } = await setUpRace(t)
  const approve = { decision: 'approve' } as const
  const reject = { decision: 'reject', reason: 'post_missing' } as const
  for (let round = 1; round <= ROUNDS; round += 1) {
    const claims = [await claim(), await claim(), await claim(), await claim()]
    const ids = claims.map(({ id }) => id)
    // `adm` decides all but the last claim and `boss` all but the first, in opposite orders.
    const doBothApprove = round % 3 === 0
    const [byAdm, byBoss] = await Promise.all([
      decideInBulk(here, adm, { ...approve, claimIds: ids.slice(0, 3) }),
      decideInBulk(there, boss, {
        ...(doBothApprove ? approve : reject),
        claimIds: ids.slice(1).toReversed(),
      }),
    ])
    for (const [index, { person, id }] of claims.entries()) {
      const [outcomeOfAdm, outcomeOfBoss] = [byAdm, byBoss].map(
        (outcomes) => outcomes.find(({ claimId }) => claimId === id)?.outcome,
      )
      const endsApproved = await isApproved(here, person)
      if (doBothApprove) assert.ok(endsApproved, `round ${round}, claim ${index}`)
      const expectedOfAdm = endsApproved ? 'done' : 'claim_rejected'
      const expectedOfBoss = endsApproved && !doBothApprove ? 'claim_approved' : 'done'
      assert.equal(outcomeOfAdm, index < 3 ? expectedOfAdm : undefined, `round ${round}, claim ${index}`)
      assert.equal(outcomeOfBoss, index > 0 ? expectedOfBoss : undefined, `round ${round}, claim ${index}`)
    }
  }
  await assertInvariants(here)
})

test('race: a reviewer sees the final proof when the claim is edited as their review starts', async (t) => {
  const { here, there, reviewers, claim } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { person, id } = await claim()
    const readWallet = async () => (await readOwnClaim(there, person.id)).claim?.wallet
    const walletBefore = await readWallet()
    const edit = editClaim(here, { userId: person.id, claimId: id, proof: freshProof() })
    const reading = reviewers[1].lock(id).then(readWallet)
    const [walletSeen, edited] = await Promise.all([reading, tally([edit])])
    assert.equal(walletSeen === walletBefore, edited['review_started'] === 1, `round ${round}`)
    assert.equal(await readWallet(), walletSeen, `round ${round}: the reviewer has seen the final revision`)
  }
  await assertInvariants(here)
})

test('race: a decision during an edit applies to the revision that the reviewer saw, or is refused', async (t) => {
  const { here, there, adm, reviewers, claim } = await setUpRace(t)
  const [reviewer, otherReviewer] = reviewers
  // Twice as many rounds, because they combine more cases.
  for (let round = 1; round <= ROUNDS * 2; round += 1) {
    const { person, id } = await claim()
    const isInBulk = round % 3 === 2
    const claimIds = isInBulk ? [(await claim()).id, id] : [id]
    const before = await showRow(here, adm, id)
    const namesRevision = round % 2 === 0
    const revision = namesRevision ? before.revision : undefined
    const revisions = revision === undefined ? {} : { [id]: revision }
    const edit = () => editClaim(there, { userId: person.id, claimId: id, proof: freshProof() })
    const decide = () => {
      if (isInBulk) return decideInBulk(here, adm, { decision: 'approve', claimIds, revisions })
      if (round % 3 === 1) return reviewer.reject(id, { revision })
      return reviewer.approve(id, revision)
    }

    const isEditFirst = round % 4 < 2
    const calls = isEditFirst ? [edit, decide] : [decide, edit]
    const isForced = round % 5 < 3
    const running = isForced ? await meetAtClaim<unknown>(here, id, calls) : calls.map((call) => call())
    const results = await Promise.allSettled(running)
    const [edited, decided] = (isEditFirst ? results : results.toReversed()).map(outcomeOf)
    const after = await showRow(there, adm, id)
    assert.deepEqual(
      { edited, decided, isEdited: after.wallet !== before.wallet, isDecided: after.decidedAt !== null },
      decided === 'done'
        ? { edited: 'review_started', decided: 'done', isEdited: false, isDecided: true }
        : { edited: 'done', decided: 'claim_changed', isEdited: true, isDecided: false },
      `round ${round}`,
    )
    if (isForced) assert.equal(decided === 'done', !isEditFirst, `round ${round}: the first call wins`)

    if (decided === 'done') continue
    // `showRow` has shown the edit to `reviewer` (who is `adm`), but not to `otherReviewer`.
    await assert.rejects(otherReviewer.approve(id), { code: 'claim_changed' })
    await reviewer.approve(id)
  }
  await assertInvariants(here)
})

test('race: an appeal during a decision is answered by the decision, follows it, or is refused', async (t) => {
  const { here, reviewers, claim } = await setUpRace(t)
  const [, reviewer] = reviewers
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { person, id } = await claim()
    await rejectKeepingSlots(here, [id])
    const endsApproved = round % 2 === 1
    const decide = async () => {
      if (!endsApproved) return reviewer.reject(id, { text: 'No.' })
      await reviewer.undo(id)
      return reviewer.approve(id)
    }
    const submitAppeal = () => appeal(here, { userId: person.id, claimId: id, text: 'Please look again.' })
    const [appealed, decided] = await Promise.all([
      tally([submitAppeal(), submitAppeal()]),
      tally([decide()]),
    ])
    const { claim: ownClaim, timeline } = await readOwnClaim(here, person.id)
    const appeals = timeline.filter(({ what }) => what === 'appealed').length
    assert.equal(appealed['done'] ?? 0, appeals, `round ${round}`)
    assert.ok(appeals <= 1, `round ${round}: ${appeals} appeals`)
    const unexpected = outcomesBesides(appealed, 'done', 'already_appealed', 'not_appealable')
    assert.deepEqual(unexpected, [], `round ${round}`)
    assert.deepEqual(outcomesBesides(decided, 'done', 'claim_rejected'), [], `round ${round}`)
    assert.equal(ownClaim?.appeal !== null, appeals === 1)
    // A second rejection succeeds only as the answer to an appeal.
    if (!endsApproved)
      assert.equal(ownClaim?.appeal?.isAnswered ?? false, decided['done'] === 1, `round ${round}`)
  }
  await assertInvariants(here)
})

test('race: an appeal during a correction leaves no open appeal against the superseded claim', async (t) => {
  const { here, there, claim } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { person, id } = await claim()
    await rejectKeepingSlots(here, [id])
    const [appealed, corrected] = await Promise.all([
      tally([appeal(here, { userId: person.id, claimId: id, text: 'Please look again.' })]),
      tally([submitProof(there, person.id, freshProof())]),
    ])
    assert.deepEqual(corrected, { done: 1 }, `round ${round}`)
    assert.deepEqual(outcomesBesides(appealed, 'done', 'not_appealable'), [], `round ${round}`)
  }
  await assertInvariants(here)
})

test('race: an appeal leaves nothing behind when it waits for the deletion of its account', async (t) => {
  const { here, there, claim } = await setUpRace(t)
  const { person, id } = await claim()
  await rejectKeepingSlots(here, [id])
  const [deleted, appealed] = await meetAtClaim(here, id, [
    () => deleteAccount(there, { userId: person.id, by: person.id }),
    () => appeal(here, { userId: person.id, claimId: id, text: 'I am Ann, please look again.' }),
  ])
  await deleted
  await assert.rejects(appealed ?? assert.fail(), { code: 'unauthenticated' })
  assert.deepEqual(await here.db.selectFrom('appeals').selectAll().execute(), [])
})

test('race: undoing a rejection during a correction leaves exactly one live claim', async (t) => {
  const { here: oneNode, there: otherNode, adm } = await setUpRace(t)
  const [ann] = await createUsers(oneNode.db, oneNode.campaign.id, 1)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [here, there] = await inCampaign([oneNode, otherNode], campaignWith({ slots: 1 }, `round-${round}`))
    const { _id: id } = await submitProof(here, ann.id, freshProof())
    await rejectKeepingSlots(here, [id])
    const counts = await tally([reviewerOn(there, adm).undo(id), submitProof(here, ann.id, freshProof())])
    assert.equal(counts['done'], 1, `round ${round}: ${JSON.stringify(counts)}`)
    assert.equal((counts['claim_superseded'] ?? 0) + (counts['already_claimed'] ?? 0), 1, `round ${round}`)
    await assertSlotInvariants(here)
  }
})
