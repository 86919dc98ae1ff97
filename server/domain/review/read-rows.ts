import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ClaimStatus } from '#contract/entities.ts'
import type { ReviewRow } from '#contract/dashboard/review.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Claims } from '#server/platform/database/database.types.ts'
import { fromColumns, reasonsOf } from '../claims/claim.ts'
import { IS_LOCKED } from '../claims/decisions/lock-claim.ts'
import { bandOf } from './risk-bands.ts'

/** `key`: the row's position in the order of the list, for a cursor. */
type StoredRow = Selectable<Claims> & {
  username: string
  email: string
  has_open_appeal: boolean
  locked_by: string | null
  is_own_lock: boolean | null
  locked_until: Date | null
  decider: string | null
  is_superseded: boolean
  key: string[]
}

type KeyedRow = { row: ReviewRow; key: string[] }

/** `claims`: a query for claims with their `place`. `key`: an expression for the key of a claim `c`. */
type ClaimSelection = { claims: RawBuilder<unknown>; key: RawBuilder<unknown> }

export async function readRows(
  db: Database,
  reviewerId: string,
  selection: ClaimSelection,
): Promise<KeyedRow[]> {
  const { rows } = await storedRows(reviewerId, selection).execute(db)
  return rows.map((stored) => ({ row: asRow(stored, reviewerId), key: stored.key }))
}

/** Uses primary keys, and `claims_campaign_id_user_id_attempt_key` to find newer attempts. */
const storedRows = (reviewerId: string, { claims, key }: ClaimSelection): RawBuilder<StoredRow> => sql`
  select c.*, ${key} as key, u.username, u.email, decider.username as decider,
    exists (select from appeals a where a.claim_id = c.id and a.answered_at is null) as has_open_appeal,
    holder.username as locked_by, l.reviewer = ${reviewerId} as is_own_lock, l.until as locked_until,
    exists (select from claims n where n.campaign_id = c.campaign_id and n.user_id = c.user_id
      and n.attempt > c.attempt) as is_superseded
  from (${claims}) c
  join users u on u.id = c.user_id
  left join users decider on decider.id = c.decided_by
  left join review_locks l on l.claim_id = c.id and ${IS_LOCKED}
  left join users holder on holder.id = l.reviewer
  order by c.place`

function asRow(stored: StoredRow, reviewerId: string): ReviewRow {
  const { locked_by, locked_until } = stored
  return {
    _id: stored.id,
    attempt: stored.attempt,
    status: stored.status as ClaimStatus,
    userId: stored.user_id,
    username: stored.username,
    email: stored.email,
    ...fromColumns(stored),
    revision: String(stored.revision),
    submittedAt: stored.submitted_at.toISOString(),
    risk: stored.risk,
    riskBand: bandOf(stored.risk),
    ...reasonsOf(stored),
    hasOpenAppeal: stored.has_open_appeal,
    lock:
      locked_by !== null && locked_until !== null
        ? { by: locked_by, isMine: stored.is_own_lock ?? false, until: locked_until.toISOString() }
        : null,
    decidedAt: stored.decided_at?.toISOString() ?? null,
    decidedBy: stored.decider,
    isOwn: stored.user_id === reviewerId,
    isSuperseded: stored.is_superseded,
  }
}
