import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ClaimStatus } from '#contract/entities.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import type { PersonClaim } from '#contract/dashboard/person.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Claims } from '#server/platform/database/database.types.ts'
import { explanationOf } from '../claims/claim.ts'
import { readEventsOf } from '../claims/claim-events.ts'
import { heldForIn, rejectionIn, timelineIn } from '../claims/own-claim-words.ts'
import { fromColumns } from '../claims/proof-columns.ts'
import { readEvidence } from '../evidence/findings.ts'
import { readSignals } from '../signals/read-signals.ts'

/** Attempts shown, in all campaigns together. */
export const CLAIMS_SHOWN = 20

type Stored = Selectable<Claims> & {
  decider: string | null
  appeal: string | null
  appealed_at: Date | null
  answered_at: Date | null
}

/** A person's claims with everything that is known about them, newest first, in a language. */
export async function readClaimsOf(
  db: Database,
  userId: string,
  locale: Locale = DEFAULT_LOCALE,
): Promise<PersonClaim[]> {
  const { rows } = await claimsOf(userId).execute(db)
  return Promise.all(
    rows.map(async (row) => {
      const claim = asClaim(row)
      return {
        ...claim,
        rejection: claim.rejection && rejectionIn(claim.rejection, locale),
        heldFor: await heldForIn(db, claim, locale),
        evidence: await readEvidence(db, row.id, locale),
        signals: await readSignals(db, row.id, locale),
        timeline: timelineIn(await readEventsOf(db, row.id), locale),
      }
    }),
  )
}

/** Uses the index claims_by_user. */
const claimsOf = (userId: string): RawBuilder<Stored> => sql`
  select c.*, d.username as decider, a.text as appeal, a.at as appealed_at, a.answered_at
  from claims c
  left join users d on d.id = c.decided_by
  left join appeals a on a.claim_id = c.id
  where c.user_id = ${userId} order by c.submitted_at desc, c.id desc limit ${CLAIMS_SHOWN}`

function asClaim(claim: Stored): Omit<PersonClaim, 'evidence' | 'signals' | 'timeline'> {
  return {
    _id: claim.id,
    campaign: claim.campaign_id,
    attempt: claim.attempt,
    status: claim.status as ClaimStatus,
    ...fromColumns(claim),
    submittedAt: claim.submitted_at.toISOString(),
    decidedAt: claim.decided_at?.toISOString() ?? null,
    decidedBy: claim.decider,
    ...explanationOf(claim),
    risk: claim.risk,
  }
}
