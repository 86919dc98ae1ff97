import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { decideClaims } from '#server/domain/review/decide-claims.ts'
import type { Refusal } from '#server/platform/refusal.ts'
import type { TestUser } from '#server/testing/builders/create-users.ts'
import { meetAtClaim, ROUNDS, tally } from '#server/testing/races.ts'
import {
  setUpRace,
  assertInvariants,
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

test('race: of two reviewers who lock a claim at once one succeeds, and the refusal names them to the other', async (t) => {
  const { here, adm, boss, reviewers, claim } = await setUpRace(t)
  const names = [adm, boss].map(({ username }) => username)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { id } = await claim()
    // Every second round there is an expired lock.
    if (round % 2 === 0) {
      await reviewers[round % 4 === 0 ? 0 : 1].lock(id)
      await sql`update review_locks set until = now()`.execute(here.db)
    }
    const order = round % 3 === 0 ? [1, 0, 1, 0] : [0, 1, 0, 1]
    const calls = order.map((at) => () => reviewers[at === 0 ? 0 : 1].lock(id))
    // Unsynchronized, or forced to meet at the lock in either order.
    const meets = round % 5 < 3
    const results = await Promise.allSettled(
      meets ? await meetAtClaim(here, id, calls) : calls.map((call) => call()),
    )
    const { holder } = await here.db
      .selectFrom('review_locks as l')
      .innerJoin('users as u', 'u.id', 'l.reviewer')
      .select('u.username as holder')
      .where('l.claim_id', '=', id)
      .executeTakeFirstOrThrow()
    if (meets) assert.equal(holder, names[order[0] ?? 0], `round ${round}: who came first`)
    for (const [index, result] of results.entries()) {
      const isHolder = names[order[index] ?? 0] === holder
      const { code, by } = (result.status === 'rejected' ? result.reason : {}) as Partial<Refusal>
      const expected = isHolder ? [undefined, undefined] : ['claim_locked', holder]
      assert.deepEqual([code, by], expected, `round ${round}`)
    }
    // Only the lock's holder can decide.
    const decided = await tally(reviewers.map((reviewer) => reviewer.approve(id)))
    assert.deepEqual(outcomesBesides(decided, 'done', 'claim_locked'), [], `round ${round}`)
    const { decider } = await here.db
      .selectFrom('claims as c')
      .innerJoin('users as u', 'u.id', 'c.decided_by')
      .select('u.username as decider')
      .where('c.id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(decider, holder, `round ${round}`)
  }
  await assertInvariants(here)
})

test('race: overlapping bulk decisions decide each claim once and report consistent outcomes', async (t) => {
  const { here, there, adm, boss, claim } = await setUpRace(t)
  const bulk = (deps: Deps, reviewer: TestUser, claimIds: string[], reason?: 'post_missing') =>
    decideClaims(deps, {
      decision: { decision: reason ? 'reject' : 'approve', claimIds, reason, text: '' },
      reviewer: { userId: reviewer.id, role: 'admin', tokenHash: Buffer.alloc(0) },
      network: '192.0.2.1',
    })
  for (let round = 1; round <= ROUNDS; round += 1) {
    const claims = [await claim(), await claim(), await claim(), await claim()]
    const ids = claims.map(({ id }) => id)
    // Overlapping, in opposite orders; every third round both approve.
    const isMixed = round % 3 !== 0
    const [verified, other] = await Promise.all([
      bulk(here, adm, ids.slice(0, 3)),
      bulk(there, boss, ids.slice(1).toReversed(), isMixed ? 'post_missing' : undefined),
    ])
    for (const [index, { person, id }] of claims.entries()) {
      const approved = await isApproved(here, person)
      const [byOne, byOther] = [verified, other].map(
        (outcomes) => outcomes.find(({ claimId }) => claimId === id)?.outcome,
      )
      const expected = isMixed
        ? { one: approved ? 'done' : 'claim_rejected', other: approved ? 'claim_approved' : 'done' }
        : { one: 'done', other: 'done' }
      assert.equal(byOne, index < 3 ? expected.one : undefined, `round ${round}, claim ${index}`)
      assert.equal(byOther, index > 0 ? expected.other : undefined, `round ${round}, claim ${index}`)
    }
  }
  await assertInvariants(here)
})
