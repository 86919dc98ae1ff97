import { sql } from 'kysely'
import type { Rejection, TimelineEntry } from '#contract/claim-history.ts'
import type { Database, Tx } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'

export type ClaimEvent = { claimId: string; what: TimelineEntry['what']; rejection?: Rejection }

/** Writes what happened to claims into the timelines of their participants, in the transaction that does it. */
export async function recordEvent(tx: Tx, ...noted: readonly ClaimEvent[]): Promise<void> {
  await tx
    .insertInto('claim_events')
    .values(
      noted.map(({ claimId, what, rejection }) => ({
        id: newId(),
        claim_id: claimId,
        what,
        reason_code: rejection?.code ?? null,
        reason: rejection?.text ?? null,
        // When it was written: the lock that comes first may have been waited for.
        at: sql<Date>`clock_timestamp()`,
      })),
    )
    .execute()
}

/** How much of it is shown: the newest. */
export const TIMELINE_LENGTH = 100

/** What happened last to all claims of a participant in a campaign, oldest first. */
export async function readTimeline(
  db: Database | Tx,
  campaignId: string,
  userId: string,
): Promise<TimelineEntry[]> {
  const events = await db
    .selectFrom('claim_events as e')
    .innerJoin('claims as c', 'c.id', 'e.claim_id')
    .select(['e.what', 'e.at', 'e.reason_code', 'e.reason'])
    .where('c.campaign_id', '=', campaignId)
    .where('c.user_id', '=', userId)
    .orderBy('e.at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(TIMELINE_LENGTH)
    .execute()
  return events.toReversed().map(({ what, at, reason_code: code, reason }) => ({
    what: what as TimelineEntry['what'],
    at: at.toISOString(),
    reason: code === null ? null : { code: code as Rejection['code'], text: reason ?? '' },
  }))
}
