import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { assertSlotsFit, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { campaignWith, inCampaign, meetAtClaim, ROUNDS, tally } from '#server/testing/database/races.ts'
import { deleteAccount } from '../../accounts/deletion/delete-account.ts'
import { appeal } from '../appeal.ts'
import { editClaim } from '../submission/edit-claim.ts'
import { readOwnClaim } from '../own-claim.ts'
import { submitProof } from '../submission/submit-proof.ts'
import {
  setUpRace,
  assertInvariants,
  showRow,
  decideInBulk,
  outcomeOf,
  outcomesBesides,
} from '#server/testing/builders/decision-races.ts'

test('race: the reviewer sees the final proof when an edit meets the start of a review', async (t) => {
  const { here, there, reviewers, claim } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { person, id } = await claim()
    const readWallet = async () => (await readOwnClaim(there, person.id)).claim?.wallet
    const walletBefore = await readWallet()
    const edit = editClaim(here, { userId: person.id, claimId: id, typed: freshProof() })
    const reading = reviewers[1].lock(id).then(readWallet)
    const [walletSeen, edited] = await Promise.all([reading, tally([edit])])
    assert.equal(walletSeen === walletBefore, edited['review_started'] === 1, `round ${round}`)
    assert.equal(await readWallet(), walletSeen, `round ${round}: the reviewer has seen the final revision`)
  }
  await assertInvariants(here)
})

test('race: a decision during an edit applies to the revision seen, or is refused', async (t) => {
  const { here, there, adm, reviewers, claim } = await setUpRace(t)
  const [reviewer, otherReviewer] = reviewers
  for (let round = 1; round <= ROUNDS * 2; round += 1) {
    const { person, id } = await claim()
    const otherClaim = await claim()
    const before = await showRow(here, adm, id)
    const namesRevision = round % 2 === 0
    const revision = namesRevision ? before.revision : undefined
    const revisions = revision === undefined ? {} : { [id]: revision }
    const claimIds = [otherClaim.id, id]
    const edit = () => editClaim(there, { userId: person.id, claimId: id, typed: freshProof() })
    const decide = [
      () => reviewer.approve(id, revision),
      () => reviewer.reject(id, '', 'post_missing', revision),
      () => decideInBulk(here, adm, { decision: 'approve', claimIds, revisions }),
    ][round % 3]
    assert.ok(decide)

    const isEditFirst = round % 4 < 2
    const calls = isEditFirst ? [edit, decide] : [decide, edit]
    // In most rounds, the calls queue for the claim's lock in this order; in the others they run freely.
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
    // `showRow` has shown the edit to `adm`, who is `reviewer`, but not to the other reviewer.
    await assert.rejects(otherReviewer.approve(id), { code: 'claim_changed' })
    await reviewer.approve(id)
  }
  await assertInvariants(here)
})

test('race: an appeal during a decision is answered by it, follows it, or is refused', async (t) => {
  const { here, reviewers, claim } = await setUpRace(t)
  const [reviewer, otherReviewer] = reviewers
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { person, id } = await claim()
    await reviewer.reject(id)
    const endsApproved = round % 2 === 1
    const decide = async () => {
      if (!endsApproved) return otherReviewer.reject(id, 'No.')
      await otherReviewer.undo(id)
      return otherReviewer.approve(id)
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
  const { here, there, reviewers, claim } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { person, id } = await claim()
    await reviewers[0].reject(id)
    const [appealed, corrected] = await Promise.all([
      tally([appeal(here, { userId: person.id, claimId: id, text: 'Please look again.' })]),
      tally([submitProof(there, person.id, freshProof())]),
    ])
    assert.deepEqual(corrected, { done: 1 }, `round ${round}`)
    assert.deepEqual(outcomesBesides(appealed, 'done', 'not_appealable'), [], `round ${round}`)
  }
  await assertInvariants(here)
})

test('race: an appeal that waits for the deletion of its account leaves nothing behind', async (t) => {
  const { here, there, reviewers, claim } = await setUpRace(t)
  const { person, id } = await claim()
  await reviewers[0].reject(id)
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
    await reviewerOn(here, adm).reject(id)
    const counts = await tally([reviewerOn(there, adm).undo(id), submitProof(here, ann.id, freshProof())])
    assert.equal(counts['done'], 1, `round ${round}: ${JSON.stringify(counts)}`)
    assert.equal((counts['claim_superseded'] ?? 0) + (counts['already_claimed'] ?? 0), 1, `round ${round}`)
    await assertSlotsFit(here)
  }
})
