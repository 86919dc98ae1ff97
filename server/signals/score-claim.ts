import { sql } from 'kysely'
import { HOLD_THRESHOLD } from '#contract/signals.ts'
import type { Deps } from '../deps.ts'
import { type Database, inTransaction, type Tx } from '../platform/database.ts'
import { type Job, type Outcome, enqueue } from '../platform/jobs.ts'
import { type FoundSignals, findSignals, type WeightedSignal } from './find-signals.ts'
import { latestClaim } from '../claims/latest-claim.ts'
import { holdClaim } from '../claims/hold-claim.ts'
import { setRiskScore } from '../claims/set-risk-score.ts'
import { joinAccounts } from './join-accounts.ts'
import { reasonOf } from './words.ts'

/** The kind of job that finds the signals of a claim. */
export const SCORE_JOB = 'weigh-claim'

/** Has a claim weighed: it is new, or more is known of it. */
export async function queueScoring(tx: Tx, claimId: string): Promise<void> {
  await enqueue(tx, { kind: SCORE_JOB, payload: { claimId } })
}

/** Does such a job; it may be done again. */
export async function scoreDueClaim({ db }: Pick<Deps, 'db'>, job: Job): Promise<Outcome> {
  await scoreClaim(db, (job.payload as { claimId: string }).claimId)
  return { done: true }
}

/**
 * Finds the signals of a claim anew, and those of the claims that it is joined to by them, whose weight it
 * may have changed. Done again it finds the same.
 */
export async function scoreClaim(db: Database, claimId: string): Promise<void> {
  const touched = await inTransaction(db, (tx) => weigh(tx, claimId))
  for (const userId of touched) {
    const other = await newestClaim(db, claimId, userId)
    if (other) await inTransaction(db, (tx) => weigh(tx, other))
  }
}

/** @returns the accounts that the claim's participant is joined to. */
async function weigh(tx: Tx, claimId: string): Promise<Set<string>> {
  const claim = await lockClaim(tx, claimId)
  if (!claim) return new Set()
  const found = await findSignals(tx, claim)
  await keepSignals(tx, claim.id, found)
  await holdIfHeavy(tx, claim, found)
  await joinAccounts(tx, { campaignId: claim.campaign_id, userId: claim.user_id, by: found })
  return new Set(found.flatMap(({ joins }) => joins))
}

/**
 * Tells the desk how much speaks against a claim, and holds one for which it is much, once its evidence is
 * there: a person decides it.
 */
async function holdIfHeavy(
  tx: Tx,
  { id: claimId, status }: WeightedSignal,
  found: readonly FoundSignals[],
): Promise<void> {
  const risk = found.reduce((sum, { weight }) => sum + weight, 0)
  await setRiskScore(tx, { claimId, risk })
  if (risk < HOLD_THRESHOLD || status === 'submitted') return
  const reasons = found.map(({ kind, facts }) => reasonOf(kind, facts))
  await holdClaim(tx, { claimId, reasons })
}

/** Locked until the end: two that weigh the same claim wait for each other. */
async function lockClaim(tx: Tx, claimId: string): Promise<WeightedSignal | undefined> {
  const { rows } = await sql<WeightedSignal>`
    select c.id, c.campaign_id, c.user_id, c.status, c.submitted_at,
      u.email_key, u.email_twin, u.referred_by, u.created_at as joined_at
    from claims c join users u on u.id = c.user_id
    where c.id = ${claimId} for no key update of c`.execute(tx)
  return rows[0]
}

async function keepSignals(tx: Tx, claimId: string, found: readonly FoundSignals[]): Promise<void> {
  await tx.deleteFrom('signals').where('claim_id', '=', claimId).execute()
  if (found.length === 0) return
  await tx
    .insertInto('signals')
    .values(
      found.map(({ kind, weight, facts }) => ({
        claim_id: claimId,
        kind,
        weight,
        facts: JSON.stringify(facts),
      })),
    )
    .execute()
}

async function newestClaim(db: Database, beside: string, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select c.id from claims b join lateral ${latestClaim(sql.ref('b.campaign_id'), userId)} c on true
    where b.id = ${beside}`.execute(db)
  return rows[0]?.id
}
