import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { grantedPoints } from '#contract/claims/granted-points.ts'
import { readUser } from '#server/domain/accounts/user.ts'
import type { Deps } from '#server/deps.ts'
import { decideClaims } from '#server/domain/review/decide-claims.ts'
import { listClaims } from '#server/domain/review/list-claims.ts'
import type { Refusal } from '#server/platform/refusal.ts'
import { assertLedgerInvariants } from '../checks/ledger-invariants.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { assertSlotInvariants, callerOf, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { assertLedgerJournaled } from '#server/testing/journal.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { twoNodes } from '#server/testing/database/races.ts'
import { submitProof } from '#server/domain/claims/submission/submit-proof.ts'

/** Two nodes, each with a reviewer (`adm` here, `boss` there), and a participant who referred all others. */
export async function setUpRace(t: TestContext) {
  const [here, there] = await twoNodes(t)
  const { db, campaign } = here
  const [referrer] = await createUsers(db, campaign.id, 1)
  const [adm, boss] = await createUsers(db, campaign.id, 2, { role: 'admin' })
  const claim = async () => {
    const [person] = await createUsers(db, campaign.id, 1, { referredBy: referrer.id })
    return { person, id: (await submitProof(here, person.id, freshProof()))._id }
  }
  const reviewers = [reviewerOn(here, adm), reviewerOn(there, boss)] as const
  return { here, there, adm, boss, reviewers, claim }
}

/**
 * Asserts that points, slots, locks, appeals and timelines match the claims' final states. Call it once,
 * after the last round: each round has claims of its own, so whatever a round breaks stays broken.
 */
export async function assertInvariants(deps: Deps): Promise<void> {
  await assertLedgerInvariants(deps)
  await assertSlotInvariants(deps)
  await assertLedgerJournaled(deps.db)
  const { pfPoints, plsPoints } = grantedPoints(deps.campaign.airdrop)
  const { rows } = await sql`
    select c.id, c.status, last.what, paid.amount from claims c
    cross join lateral (
      select what from claim_events where claim_id = c.id
        and what in ('received', 'corrected', 'approved', 'rejected', 'reopened') order by at desc, id desc limit 1) last
    cross join lateral (
      select coalesce(sum(amount), 0) as amount from ledger where claim_id = c.id and user_id = c.user_id) paid
    where paid.amount <> case when c.status = 'approved' then ${pfPoints + plsPoints} else 0 end
      or last.what <> all (case c.status when 'approved' then array['approved'] when 'rejected' then array['rejected']
        else array['received', 'corrected', 'reopened'] end)
      or c.decided_at is not null and exists (select from review_locks l where l.claim_id = c.id and l.until > now())
      or exists (select from appeals a where a.claim_id = c.id and a.answered_at is null)
        and (c.status = 'approved' or exists (
          select from claims newer where newer.campaign_id = c.campaign_id and newer.user_id = c.user_id
          and newer.attempt > c.attempt))`.execute(deps.db)
  assert.deepEqual(rows, [])
}

export const isApproved = async ({ db, campaign }: Deps, { id }: TestUser) =>
  // The API calls a participant's claim `taskId`.
  (await readUser(db, campaign.id, id)).taskId?.approved

/** Shows a reviewer a claim in the list of waiting or decided claims. @returns its row. */
export const showRow = async (deps: Deps, reviewer: TestUser, id: string) => {
  const waiting = await listClaims(deps, reviewer.id, { filter: 'waiting', sort: 'age', limit: 100 })
  // Two suffice: of decided claims, the latest come first, and no call of these tests decides more than two.
  const decided = await listClaims(deps, reviewer.id, { filter: 'decided', sort: 'age', limit: 2 })
  return [...waiting.data, ...decided.data].find((row) => row._id === id) ?? assert.fail()
}

export const decideInBulk = (
  deps: Deps,
  reviewer: TestUser,
  decision: Omit<Parameters<typeof decideClaims>[1]['decision'], 'text'>,
) =>
  decideClaims(deps, {
    decision: { ...decision, text: '' },
    reviewer: callerOf(reviewer),
    network: '192.0.2.1',
  })

/** The outcome of a call. For a bulk decision, the outcome of its last claim. */
export const outcomeOf = (result: PromiseSettledResult<unknown>): string => {
  if (result.status === 'rejected') return (result.reason as Refusal).code
  return Array.isArray(result.value) ? (result.value.at(-1) as { outcome: string }).outcome : 'done'
}

/** The unexpected outcomes among counts by outcome, as of `tally` in races.ts. */
export const outcomesBesides = (counts: Record<string, number>, ...expected: string[]) =>
  Object.keys(counts).filter((code) => !expected.includes(code))
