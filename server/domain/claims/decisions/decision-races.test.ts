import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { readUser } from '#server/domain/accounts/user.ts'
import type { Deps } from '#server/deps.ts'
import { decideClaims } from '#server/domain/review/decide-claims.ts'
import { listClaims } from '#server/domain/review/list-claims.ts'
import type { Refusal } from '#server/platform/refusal.ts'
import { assertLedgerInvariants } from '#server/testing/ledger-invariants.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { assertSlotsFit, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { assertLedgerJournaled } from '#server/testing/journal.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { campaignWith, inCampaign, meetAtClaim, ROUNDS, tally, twoNodes } from '#server/testing/races.ts'
import { appeal } from '../appeal.ts'
import { editClaim } from '../submission/edit-claim.ts'
import { readOwnClaim } from '../own-claim.ts'
import { submitProof } from '../submission/submit-proof.ts'

/** Two nodes, each with a reviewer, and a participant who referred all others. */
async function setUp(t: TestContext) {
  const [here, there] = await twoNodes(t)
  const { db, campaign } = here
  const [ref] = await createUsers(db, campaign.id, 1)
  const [adm, boss] = await createUsers(db, campaign.id, 2, { role: 'admin' })
  assert.ok(ref && adm && boss)
  const claim = async () => {
    const [person] = await createUsers(db, campaign.id, 1, { referredBy: ref.id })
    assert.ok(person)
    return { person, id: (await submitProof(here, person.id, freshProof()))._id }
  }
  return {
    here,
    there,
    adm,
    boss,
    reviewers: [reviewerOn(here, adm), reviewerOn(there, boss)] as const,
    claim,
  }
}

/** Invariants: points, slots, locks, appeals and timelines match the claims' final states. */
async function assertInvariants(deps: Deps, round: number): Promise<void> {
  await assertLedgerInvariants(deps)
  await assertSlotsFit(deps)
  await assertLedgerJournaled(deps.db)
  const { rows } = await sql`
    select c.id, c.status, said.what, paid.amount from claims c
    cross join lateral (
      select what, count(*) over () as events from claim_events where claim_id = c.id
        and what in ('received', 'corrected', 'approved', 'rejected', 'reopened') order by at desc, id desc limit 1) said
    cross join lateral (
      select coalesce(sum(amount), 0) as amount from ledger where claim_id = c.id and user_id = c.user_id) paid
    where paid.amount <> case when c.status = 'approved' then 40000 else 0 end
      or said.what <> all (case c.status when 'approved' then array['approved'] when 'rejected' then array['rejected']
        else array['received', 'corrected', 'reopened'] end)
      or c.decided_at is not null and exists (select from review_locks l where l.claim_id = c.id and l.until > now())
      or exists (select from appeals a where a.claim_id = c.id and a.answered_at is null)
        and (c.status = 'approved' or exists (
          select from claims newer where newer.campaign_id = c.campaign_id and newer.user_id = c.user_id and newer.attempt > c.attempt))`.execute(
    deps.db,
  )
  assert.deepEqual(rows, [], `round ${round}`)
}

const statusOf = async ({ db, campaign }: Deps, { id }: TestUser) =>
  (await readUser(db, campaign.id, id)).taskId?.approved

const readRow = async (deps: Deps, reviewer: TestUser, id: string) => {
  const { data } = await listClaims(deps, reviewer.id, { filter: 'waiting', sort: 'age', limit: 100 })
  const decided = await listClaims(deps, reviewer.id, { filter: 'decided', sort: 'age', limit: 2 })
  return { rows: [...data, ...decided.data].filter((row) => row._id === id) }
}

const bulkOf = async (
  deps: Deps,
  { id }: TestUser,
  claimIds: string[],
  revisions: Record<string, string>,
) => {
  const outcomes = await decideClaims(deps, {
    decision: { decision: 'approve', claimIds, revisions, text: '' },
    reviewer: { userId: id, role: 'admin', tokenHash: Buffer.alloc(0) },
    network: '192.0.2.1',
  })
  return outcomes.at(-1)?.outcome
}

/** The outcome of a call; of a bulk decision, the last one. */
const codeOf = (end: PromiseSettledResult<unknown>): string => {
  if (end.status === 'rejected') return (end.reason as Refusal).code
  return typeof end.value === 'string' ? end.value : 'done'
}

const only = (counts: Record<string, number>, ...codes: string[]) =>
  Object.keys(counts).filter((code) => !codes.includes(code))

test('race: approve, reject and undo by two reviewers on two nodes are serialized', async (t) => {
  const { here, there, reviewers, claim } = await setUp(t)
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
    assert.deepEqual(
      only(counts, 'done', 'claim_approved', 'claim_rejected', 'nothing_to_undo'),
      [],
      `round ${round}`,
    )
    await assertInvariants(round % 2 ? here : there, round)
  }
})

test('race: of two reviewers who lock a claim at once one succeeds, and the refusal names them to the other', async (t) => {
  const { here, adm, boss, reviewers, claim } = await setUp(t)
  const names = [adm, boss].map(({ username }) => username)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { id } = await claim()
    // Every second round there is an expired lock.
    if (round % 2 === 0) {
      await reviewers[round % 4 === 0 ? 0 : 1].lock(id)
      await here.db
        .updateTable('review_locks')
        .set({ until: sql`now()` })
        .execute()
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
      assert.deepEqual(
        [code, by],
        isHolder ? [undefined, undefined] : ['claim_locked', holder],
        `round ${round}`,
      )
    }
    // Only the lock's holder can decide.
    const decided = await tally(reviewers.map((reviewer) => reviewer.approve(id)))
    assert.deepEqual(only(decided, 'done', 'claim_locked'), [], `round ${round}`)
    const { decider } = await here.db
      .selectFrom('claims as c')
      .innerJoin('users as u', 'u.id', 'c.decided_by')
      .select('u.username as decider')
      .where('c.id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(decider, holder, `round ${round}`)
    await assertInvariants(here, round)
  }
})

test('race: overlapping bulk decisions decide each claim once and report consistent outcomes', async (t) => {
  const { here, there, adm, boss, claim } = await setUp(t)
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
      const approved = await statusOf(here, person)
      const [byOne, byOther] = [verified, other].map(
        (outcomes) => outcomes.find(({ claimId }) => claimId === id)?.outcome,
      )
      const expected = isMixed
        ? { one: approved ? 'done' : 'claim_rejected', other: approved ? 'claim_approved' : 'done' }
        : { one: 'done', other: 'done' }
      assert.equal(byOne, index < 3 ? expected.one : undefined, `round ${round}, claim ${index}`)
      assert.equal(byOther, index > 0 ? expected.other : undefined, `round ${round}, claim ${index}`)
    }
    await assertInvariants(here, round)
  }
})

test('race: either the edit or the start of the review succeeds, never both', async (t) => {
  const { here, there, reviewers, claim } = await setUp(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { person, id } = await claim()
    const before = (await readOwnClaim(here, person.id)).claim?.wallet
    const review = async (): Promise<string | undefined> => {
      await reviewers[1].lock(id)
      return (await readOwnClaim(there, person.id)).claim?.wallet
    }
    const edit = editClaim(here, { userId: person.id, claimId: id, typed: freshProof() })
    const [seen, edited] = await Promise.all([review(), tally([edit])])
    assert.equal(
      seen === before,
      edited['review_started'] === 1,
      'the revision that a reviewer saw is unchanged',
    )
    assert.equal((await readOwnClaim(here, person.id)).claim?.wallet, seen, `round ${round}`)
    await assertInvariants(here, round)
  }
})

test('race: a decision during an edit applies to the revision seen, or is refused', async (t) => {
  const { here, there, adm, reviewers, claim } = await setUp(t)
  const [first, second] = reviewers
  for (let round = 1; round <= ROUNDS * 2; round += 1) {
    const { person, id } = await claim()
    const other = await claim()
    const { rows } = await readRow(here, adm, id)
    const { revision, wallet } = rows[0] ?? assert.fail()
    const edit = () => editClaim(there, { userId: person.id, claimId: id, typed: freshProof() })
    const named = round % 2 === 0 ? revision : undefined
    const decide = [
      () => first.approve(id, named),
      () => first.reject(id, '', 'post_missing', named),
      () => bulkOf(here, adm, [other.id, id], named === undefined ? {} : { [id]: named }),
    ][round % 3]
    assert.ok(decide)
    // Unsynchronized, or forced to meet at the lock in either order.
    const calls = round % 4 < 2 ? [edit, decide] : [decide, edit]
    const meets = round % 5 < 3
    const begun = meets ? await meetAtClaim<unknown>(here, id, calls) : calls.map((call) => call())
    const ends = await Promise.allSettled(begun)
    const [edited, decided] = (calls[0] === edit ? ends : ends.toReversed()).map(codeOf)
    const now = (await readRow(there, adm, id)).rows[0] ?? assert.fail()
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
    await assertInvariants(here, round)
  }
})

test('race: an appeal during a decision is answered by it, follows it, or is refused', async (t) => {
  const { here, reviewers, claim } = await setUp(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { person, id } = await claim()
    await reviewers[0].reject(id)
    const submitAppeal = () => appeal(here, { userId: person.id, claimId: id, text: 'Please look again.' })
    const [said, decided] = await Promise.all([
      tally([submitAppeal(), submitAppeal()]),
      tally(
        round % 2
          ? [reviewers[1].undo(id).then(() => reviewers[1].approve(id))]
          : [reviewers[1].reject(id, 'No.')],
      ),
    ])
    const { claim: mine, timeline } = await readOwnClaim(here, person.id)
    const appeals = timeline.filter(({ what }) => what === 'appealed').length
    assert.equal(said['done'] ?? 0, appeals, `round ${round}`)
    assert.ok(appeals <= 1)
    assert.deepEqual(only(said, 'done', 'already_appealed', 'not_appealable'), [], `round ${round}`)
    assert.deepEqual(only(decided, 'done', 'claim_rejected'), [], `round ${round}`)
    assert.equal(mine?.appeal !== null, appeals === 1)
    // A rejection stays only when the appeal came first: then it is the answer.
    if (round % 2 === 0)
      assert.equal(mine?.appeal?.isAnswered ?? false, decided['done'] === 1, `round ${round}`)
    await assertInvariants(here, round)
  }
})

test('race: an appeal during a correction of the same claim leaves no open appeal on a superseded claim', async (t) => {
  const { here, there, reviewers, claim } = await setUp(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { person, id } = await claim()
    await reviewers[0].reject(id)
    const [said, corrected] = await Promise.all([
      tally([appeal(here, { userId: person.id, claimId: id, text: 'Please look again.' })]),
      tally([submitProof(there, person.id, freshProof())]),
    ])
    assert.deepEqual(corrected, { done: 1 }, `round ${round}`)
    assert.deepEqual(only(said, 'done', 'not_appealable'), [], `round ${round}`)
    await assertInvariants(here, round)
  }
})

test('race: undoing a rejection during a correction leaves exactly one live claim', async (t) => {
  const { here: one, there: other, adm } = await setUp(t)
  const [ann] = await createUsers(one.db, one.campaign.id, 1)
  assert.ok(ann)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [here, there] = await inCampaign([one, other], campaignWith({ slots: 1 }, `round-${round}`))
    assert.ok(here && there)
    const { _id } = await submitProof(here, ann.id, freshProof())
    await reviewerOn(here, adm).reject(_id)
    const counts = await tally([reviewerOn(there, adm).undo(_id), submitProof(here, ann.id, freshProof())])
    assert.equal(counts['done'], 1, `round ${round}: ${JSON.stringify(counts)}`)
    assert.equal((counts['claim_superseded'] ?? 0) + (counts['already_claimed'] ?? 0), 1, `round ${round}`)
    await assertSlotsFit(here)
  }
})
