import { sql } from 'kysely'
import { HOLD_THRESHOLD } from '#contract/claims/signals.ts'
import type { Deps } from '#server/deps.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { type Job, type Outcome, enqueue } from '#server/platform/jobs/jobs.ts'
import { findSignals, type FoundSignal, type ScoredClaim } from './find-signals.ts'
import { latestClaim } from '../claims/latest-claim.ts'
import { holdClaim, setRiskScore } from '../claims/decisions/hold-claim.ts'
import { linkAccounts } from './link-accounts.ts'
import { reasonOf } from './signal-texts.ts'
import { MAX_ACCOUNTS_READ } from './weights.ts'

export const SCORE_JOB = 'score-claim'

export async function queueScoring(tx: Tx, claimId: string): Promise<void> {
  await enqueue(tx, { kind: SCORE_JOB, payload: { claimId } })
}

export async function scoreDueClaim({ db }: Pick<Deps, 'db'>, job: Job): Promise<Outcome> {
  await scoreClaim(db, (job.payload as { claimId: string }).claimId)
  return { done: true }
}

/**
 * Scores a claim's risk (fraud, sybil accounts). Then scores the latest claims of all accounts that its
 * signals link, or linked before, because their risk may have changed, too. Idempotent.
 */
export async function scoreClaim(db: Database, claimId: string): Promise<void> {
  const affected = await inTransaction(db, (tx) => scoreInTransaction(tx, claimId))
  // One step only. If scoring went on, accounts at the edge of a busy network could link and unlink forever.
  for (const userId of affected) {
    const other = await findLatestClaim(db, claimId, userId)
    if (other) await inTransaction(db, (tx) => scoreInTransaction(tx, other))
  }
}

/** @returns the accounts that the claim's signals link, or linked before. */
async function scoreInTransaction(tx: Tx, claimId: string): Promise<Set<string>> {
  const claim = await lockClaim(tx, claimId)
  if (!claim) return new Set()
  const signals = await findSignals(tx, claim)
  await saveSignals(tx, claim.id, signals)
  await applyRisk(tx, claim, signals)
  const unlinked = await linkAccounts(tx, { campaignId: claim.campaign_id, userId: claim.user_id, signals })
  const linked = signals.flatMap(({ linkedTo }) => linkedTo)
  return new Set([...linked, ...unlinked.slice(0, MAX_ACCOUNTS_READ)])
}

/**
 * Waits for other scorings of the claim and for a deletion of its account.
 * @returns undefined if the claim is gone or its account is deleted.
 */
async function lockClaim(tx: Tx, claimId: string): Promise<ScoredClaim | undefined> {
  await tx.selectFrom('claims').select('id').where('id', '=', claimId).forNoKeyUpdate().execute()
  const { rows } = await sql<ScoredClaim>`
    select c.id, c.campaign_id, c.user_id, c.status, c.submitted_at,
      u.email_key, u.canonical_email, u.referred_by, u.created_at as registered_at
    from claims c join users u on u.id = c.user_id
    where c.id = ${claimId} and u.deleted_at is null`.execute(tx)
  return rows[0]
}

async function saveSignals(tx: Tx, claimId: string, signals: readonly FoundSignal[]): Promise<void> {
  await tx.deleteFrom('signals').where('claim_id', '=', claimId).execute()
  if (signals.length === 0) return
  await tx
    .insertInto('signals')
    .values(
      signals.map(({ kind, weight, facts }) => {
        return { claim_id: claimId, kind, weight, facts: JSON.stringify(facts) }
      }),
    )
    .execute()
}

/** Stores the risk. From {@link HOLD_THRESHOLD} on, holds the claim if it has been checked. */
async function applyRisk(
  tx: Tx,
  { id: claimId, status }: ScoredClaim,
  signals: readonly FoundSignal[],
): Promise<void> {
  const risk = signals.reduce((sum, { weight }) => sum + weight, 0)
  await setRiskScore(tx, claimId, risk)
  if (risk < HOLD_THRESHOLD || status === 'submitted') return
  const reasons = signals.map(({ kind, facts }) => reasonOf(kind, facts))
  const kindsAndFacts = signals.map(({ kind, facts }) => ({ kind, facts }))
  await holdClaim(tx, { claimId, reasons, signals: kindsAndFacts })
}

/** A user's latest claim in the campaign of `claimId`. */
async function findLatestClaim(db: Database, claimId: string, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select c.id
    from claims scored join lateral ${latestClaim(sql.ref('scored.campaign_id'), userId)} c on true
    where scored.id = ${claimId}`.execute(db)
  return rows[0]?.id
}
