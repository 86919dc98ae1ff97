import { sql } from 'kysely'
import type { Rejection, TimelineEntry } from '#contract/claims/claim-history.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'

export type ClaimEvent = { claimId: string; what: TimelineEntry['what']; rejection?: Rejection | undefined }

export async function recordEvent(tx: Tx, ...events: readonly ClaimEvent[]): Promise<void> {
  await tx
    .insertInto('claim_events')
    .values(
      events.map(({ claimId, what, rejection }) => ({
        id: newId(),
        claim_id: claimId,
        what,
        reason_code: rejection?.code ?? null,
        reason: rejection?.text ?? null,
        // Not now(): the transaction may have waited for a lock since it began.
        at: sql<Date>`clock_timestamp()`,
      })),
    )
    .execute()
}

const MAX_TIMELINE_LENGTH = 100

/** The latest {@link MAX_TIMELINE_LENGTH} events of a participant's claims in a campaign, oldest first. */
export async function readTimeline(
  db: Database | Tx,
  campaignId: string,
  userId: string,
): Promise<TimelineEntry[]> {
  const events = await latestEvents(db)
    .innerJoin('claims as c', 'c.id', 'e.claim_id')
    .where('c.campaign_id', '=', campaignId)
    .where('c.user_id', '=', userId)
    .execute()
  return events.toReversed().map(asEntry)
}

/** The same for a single claim. */
export async function readEventsOf(db: Database | Tx, claimId: string): Promise<TimelineEntry[]> {
  const events = await latestEvents(db).where('e.claim_id', '=', claimId).execute()
  return events.toReversed().map(asEntry)
}

const latestEvents = (db: Database | Tx) =>
  db
    .selectFrom('claim_events as e')
    .select(['e.what', 'e.at', 'e.reason_code', 'e.reason'])
    .orderBy('e.at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(MAX_TIMELINE_LENGTH)

type StoredRejection = { reason_code: string | null; reason: string | null }

const asEntry = ({ what, at, ...stored }: StoredRejection & { what: string; at: Date }): TimelineEntry => ({
  what: what as TimelineEntry['what'],
  at: at.toISOString(),
  reason: rejectionFromColumns(stored),
})

/** Null for a claim or event without a rejection. The text is empty once it has been erased. */
export const rejectionFromColumns = ({ reason_code: code, reason }: StoredRejection): Rejection | null =>
  code === null ? null : { code: code as Rejection['code'], text: reason ?? '' }
