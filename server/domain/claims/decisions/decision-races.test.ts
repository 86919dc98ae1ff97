import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import type { Refusal } from '#server/platform/refusal.ts'
import { meetAtClaim, ROUNDS, tally } from '#server/testing/database/races.ts'
import {
  setUpRace,
  assertInvariants,
  decideInBulk,
  isApproved,
  outcomesBesides,
} from '#server/testing/builders/decision-races.ts'

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

test('race: one of two reviewers who lock a claim at once succeeds, and the other’s refusal says who', async (t) => {
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

/** The names of who holds the review lock of a claim, and of who has decided it. */
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
    // The two calls overlap, and go through the claims in opposite orders.
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
