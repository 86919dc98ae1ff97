import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ClaimStatus } from '#contract/entities.ts'
import type { JournalEntry } from '#contract/journal.ts'
import type { Locale } from '#contract/locales.ts'
import type { Person, PersonClaim, SentMail } from '#contract/dashboard/person.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Claims } from '#server/platform/database/database.types.ts'
import { explanationOf, fromColumns } from '../claims/claim.ts'
import { readEventsOf } from '../claims/claim-events.ts'
import { latestClaim } from '../claims/latest-claim.ts'
import { translateHeldFor, translateRejection, translateTimeline } from '../claims/translate-reasons.ts'
import { readEvidence } from '../evidence/findings.ts'
import { selectEntries } from '../journal/read-journal.ts'
import { selectAliveSessions } from '../sessions/session.ts'
import { readSignals } from '../signals/read-signals.ts'

// All lists begin with the newest.

type StoredClaim = Selectable<Claims> & {
  decider: string | null
  appeal: string | null
  appealed_at: Date | null
  answered_at: Date | null
}

/** A person's claims in all campaigns, worded in `locale`. */
export async function readClaimsOf(
  db: Database,
  userId: string,
  limit: number,
  locale: Locale,
): Promise<PersonClaim[]> {
  const { rows } = await claimsOf(userId, limit).execute(db)
  return Promise.all(
    rows.map(async (row) => {
      const claim = asClaim(row)
      return {
        ...claim,
        rejection: claim.rejection && translateRejection(claim.rejection, locale),
        heldFor: await translateHeldFor(db, claim, locale),
        evidence: await readEvidence(db, row.id, locale),
        signals: await readSignals(db, row.id, locale),
        timeline: translateTimeline(await readEventsOf(db, row.id), locale),
      }
    }),
  )
}

/** Uses the index `claims_by_user`. */
const claimsOf = (userId: string, limit: number): RawBuilder<StoredClaim> => sql`
  select c.*, d.username as decider, a.text as appeal, a.at as appealed_at, a.answered_at
  from claims c
  left join users d on d.id = c.decided_by
  left join appeals a on a.claim_id = c.id
  where c.user_id = ${userId} order by c.submitted_at desc, c.id desc limit ${limit}`

function asClaim(claim: StoredClaim): Omit<PersonClaim, 'evidence' | 'signals' | 'timeline'> {
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

/**
 * Journal entries about an account and its claims. Uses the indexes `journal_by_subject` and
 * `journal_by_actor`.
 * @param includesOwnActions also includes what the account did to anything else.
 */
export function readEntriesAbout(
  db: Database,
  userId: string,
  { limit, includesOwnActions }: { limit: number; includesOwnActions: boolean },
): Promise<JournalEntry[]> {
  return selectEntries(db)
    .where('j.id', '=', sql<string>`any(array(${entriesAbout(userId, limit, includesOwnActions)}))`)
    .limit(limit)
    .execute()
}

/** Reads one range of the index per subject. */
const entriesAbout = (userId: string, limit: number, includesOwnActions: boolean): RawBuilder<string> => sql`
  select e.id from (select ${userId}::uuid as id union all select id from claims where user_id = ${userId}) about
  cross join lateral (
    select id from journal where subject = about.id order by at desc, id desc limit ${limit}) e
  ${includesOwnActions ? sql`union (select id from journal where actor = ${userId} order by at desc, id desc limit ${limit})` : sql``}`

/** Each email is deleted a week after it is sent or given up. Uses the index `jobs_recipients`. */
export async function readMailsTo(db: Database, address: string, limit: number): Promise<SentMail[]> {
  const { rows } = await sql<StoredMail>`
    select payload ->> 'template' as template, created_at, coalesce(done_at, dead_at) as ended_at, attempts,
      case when done_at is not null then 'sent' when dead_at is not null then 'given_up' else 'queued' end as state,
      last_error as trouble
    from jobs where kind in ('mail', 'announcement') and lower(payload ->> 'to') = lower(${address})
    order by id desc limit ${limit}`.execute(db)
  return rows.map(({ created_at, ended_at, ...mail }) => ({
    ...mail,
    queuedAt: created_at.toISOString(),
    endedAt: ended_at?.toISOString() ?? null,
  }))
}

type StoredMail = Omit<SentMail, 'queuedAt' | 'endedAt'> & { created_at: Date; ended_at: Date | null }

export async function readSessions(db: Database, userId: string): Promise<Person['sessions']> {
  const sessions = await selectAliveSessions(db, userId).select('s.binding_hash').execute()
  return sessions.map(({ created_at, last_seen_at, binding_hash, ...session }) => ({
    ...session,
    startedAt: created_at.toISOString(),
    lastSeenAt: last_seen_at.toISOString(),
    // A binding cookie ties a session to the browser in which it began.
    inBrowser: binding_hash !== null,
  }))
}

/** Uses the index `ledger_by_user`. */
export async function readLedgerOf(db: Database, userId: string, limit: number): Promise<Person['ledger']> {
  const rows = await db
    .selectFrom('ledger')
    .select(['created_at', 'campaign_id as campaign', 'kind', 'amount', 'claim_id as claimId'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ created_at, ...row }) => ({
    ...(row as Omit<Person['ledger'][number], 'at'>),
    at: created_at.toISOString(),
  }))
}

/** Uses the index `users_by_referrer`. */
export async function readReferrals(
  db: Database,
  campaignId: string,
  userId: string,
  limit: number,
): Promise<Person['referrals']> {
  const inviter = await db
    .selectFrom('users as u')
    .innerJoin('users as r', 'r.id', 'u.referred_by')
    .select(['r.id as _id', 'r.username'])
    .where('u.id', '=', userId)
    .executeTakeFirst()
  const { rows: invited } = await sql<{ _id: string; username: string; claimStatus: ClaimStatus | null }>`
    select i.id as _id, i.username, c.status as "claimStatus"
    from (select id, username from users where referred_by = ${userId} order by id desc limit ${limit}) i
    left join lateral ${latestClaim(campaignId, sql.ref('i.id'))} c on true
    order by i.id desc`.execute(db)
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('referred_by', '=', userId)
    .executeTakeFirstOrThrow()
  return { invitedBy: inviter ?? null, count, invited }
}
