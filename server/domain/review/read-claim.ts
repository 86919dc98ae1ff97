import { sql } from 'kysely'
import type { ReviewClaim } from '#contract/dashboard/review.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import type { Deps } from '#server/deps.ts'
import { readEvidence } from '../evidence/findings.ts'
import type { Database } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import { readSignals, readCluster } from '../signals/read-signals.ts'
import { readTimeline } from '../claims/claim-events.ts'
import { translateHeldFor, translateRejection, translateTimeline } from '../claims/translate-reasons.ts'
import { recordSeenRevisions } from '../claims/decisions/optimistic-lock.ts'
import { readRows } from './read-rows.ts'

type ReadClaimInput = { reviewerId: string; claimId: string; locale?: Locale }

/** Reads a claim, and records that the reviewer has seen its revision. @throws refusal `claim_not_found`. */
export async function readClaim(
  { db, campaign }: Deps,
  { reviewerId, claimId, locale = DEFAULT_LOCALE }: ReadClaimInput,
): Promise<ReviewClaim> {
  const claims = sql`
    select claims.*, 1 as place from claims where id = ${claimId} and campaign_id = ${campaign.id}`
  const [keyedRow] = await readRows(db, reviewerId, { claims, key: sql`array[]::text[]` }) // not paged
  if (!keyedRow) throw refuse('claim_not_found')
  const { row } = keyedRow
  await recordSeenRevisions(db, reviewerId, [{ claimId, revision: Number(row.revision) }])
  const [evidence, signals, cluster, appeal, timeline] = await Promise.all([
    readEvidence(db, claimId, locale),
    readSignals(db, claimId, locale),
    readCluster(db, claimId, locale),
    readAppeal(db, claimId),
    readTimeline(db, campaign.id, row.userId),
  ])
  return {
    ...row,
    heldFor: await translateHeldFor(db, row, locale),
    rejection: row.rejection && translateRejection(row.rejection, locale),
    evidence,
    signals,
    cluster,
    appeal,
    timeline: translateTimeline(timeline, locale),
  }
}

async function readAppeal(db: Database, claimId: string): Promise<ReviewClaim['appeal']> {
  const appeal = await db
    .selectFrom('appeals')
    .select(['text', 'at', 'answered_at'])
    .where('claim_id', '=', claimId)
    .executeTakeFirst()
  return appeal
    ? { text: appeal.text, at: appeal.at.toISOString(), isAnswered: appeal.answered_at !== null }
    : null
}
