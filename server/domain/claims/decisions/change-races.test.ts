import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { assertSlotsFit, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { campaignWith, inCampaign, meetAtClaim, ROUNDS, tally } from '#server/testing/races.ts'
import { deleteAccount } from '../../accounts/deletion/delete-account.ts'
import { appeal } from '../appeal.ts'
import { editClaim } from '../submission/edit-claim.ts'
import { readOwnClaim } from '../own-claim.ts'
import { submitProof } from '../submission/submit-proof.ts'
import {
  setUpRace,
  assertInvariants,
  readRows,
  approveInBulk,
  codeOf,
  outcomesBesides,
} from '#server/testing/builders/decision-races.ts'

test('race: an edit at the start of a review is refused, or comes first, and the reviewer sees it', async (t) => {
  const { here, there, reviewers, claim } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { person, id } = await claim()
    const before = (await readOwnClaim(here, person.id)).claim?.wallet
    const review = async (): Promise<string | undefined> => {
      await reviewers[1].lock(id)
      return (await readOwnClaim(there, person.id)).claim?.wallet
    }
    const edit = editClaim(here, { userId: person.id, claimId: id, typed: freshProof() })
    const [seen, edited] = await Promise.all([review(), tally([edit])])
    const isUnchanged = seen === before
    assert.equal(isUnchanged, edited['review_started'] === 1, 'a reviewer sees the revision that stays')
    assert.equal((await readOwnClaim(here, person.id)).claim?.wallet, seen, `round ${round}`)
  }
  await assertInvariants(here)
})

test('race: a decision during an edit applies to the revision seen, or is refused', async (t) => {
  const { here, there, adm, reviewers, claim } = await setUpRace(t)
  const [first, second] = reviewers
  for (let round = 1; round <= ROUNDS * 2; round += 1) {
    const { person, id } = await claim()
    const other = await claim()
    const { rows } = await readRows(here, adm, id)
    const { revision, wallet } = rows[0] ?? assert.fail()
    const edit = () => editClaim(there, { userId: person.id, claimId: id, typed: freshProof() })
    const named = round % 2 === 0 ? revision : undefined
    const decide = [
      () => first.approve(id, named),
      () => first.reject(id, '', 'post_missing', named),
      () => approveInBulk(here, adm, [other.id, id], named === undefined ? {} : { [id]: named }),
    ][round % 3]
    assert.ok(decide)
    // Unsynchronized, or forced to meet at the lock in either order.
    const calls = round % 4 < 2 ? [edit, decide] : [decide, edit]
    const meets = round % 5 < 3
    const begun = meets ? await meetAtClaim<unknown>(here, id, calls) : calls.map((call) => call())
    const ends = await Promise.allSettled(begun)
    const [edited, decided] = (calls[0] === edit ? ends : ends.toReversed()).map(codeOf)
    const now = (await readRows(there, adm, id)).rows[0] ?? assert.fail()
    assert.deepEqual(
      [edited, decided, now.wallet === wallet, now.decidedAt !== null],
      decided === 'done' ? ['review_started', 'done', true, true] : ['done', 'claim_changed', false, false],
      `round ${round}`,
    )
    if (meets) assert.equal(decided === 'done', calls[0] === decide, `round ${round}: who came first`)
    // Refused for the reviewer who has not seen the edit, accepted for the one who has.
    if (decided !== 'done') {
      await assert.rejects(second.approve(id), { code: 'claim_changed' })
      await first.approve(id)
    }
  }
  await assertInvariants(here)
})

test('race: an appeal during a decision is answered by it, follows it, or is refused', async (t) => {
  const { here, reviewers, claim } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { person, id } = await claim()
    await reviewers[0].reject(id)
    const submitAppeal = () => appeal(here, { userId: person.id, claimId: id, text: 'Please look again.' })
    const [appealed, decided] = await Promise.all([
      tally([submitAppeal(), submitAppeal()]),
      tally(
        round % 2
          ? [reviewers[1].undo(id).then(() => reviewers[1].approve(id))]
          : [reviewers[1].reject(id, 'No.')],
      ),
    ])
    const { claim: mine, timeline } = await readOwnClaim(here, person.id)
    const appeals = timeline.filter(({ what }) => what === 'appealed').length
    assert.equal(appealed['done'] ?? 0, appeals, `round ${round}`)
    assert.ok(appeals <= 1)
    const unexpected = outcomesBesides(appealed, 'done', 'already_appealed', 'not_appealable')
    assert.deepEqual(unexpected, [], `round ${round}`)
    assert.deepEqual(outcomesBesides(decided, 'done', 'claim_rejected'), [], `round ${round}`)
    assert.equal(mine?.appeal !== null, appeals === 1)
    // Rejecting again succeeds only if the appeal came first: it is then the answer.
    if (round % 2 === 0)
      assert.equal(mine?.appeal?.isAnswered ?? false, decided['done'] === 1, `round ${round}`)
  }
  await assertInvariants(here)
})

test('race: an appeal during a correction of the same claim leaves no open appeal on a superseded claim', async (t) => {
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
  const { here: one, there: other, adm } = await setUpRace(t)
  const [ann] = await createUsers(one.db, one.campaign.id, 1)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [here, there] = await inCampaign([one, other], campaignWith({ slots: 1 }, `round-${round}`))
    const { _id } = await submitProof(here, ann.id, freshProof())
    await reviewerOn(here, adm).reject(_id)
    const counts = await tally([reviewerOn(there, adm).undo(_id), submitProof(here, ann.id, freshProof())])
    assert.equal(counts['done'], 1, `round ${round}: ${JSON.stringify(counts)}`)
    assert.equal((counts['claim_superseded'] ?? 0) + (counts['already_claimed'] ?? 0), 1, `round ${round}`)
    await assertSlotsFit(here)
  }
})
