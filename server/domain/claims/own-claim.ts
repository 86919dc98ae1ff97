import { sql } from 'kysely'
import { type ClaimStatus, hasReason } from '#contract/entities.ts'
import { MAX_ATTEMPTS, MAX_EDITS, type OwnClaim } from '#contract/claims/claims.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import { readPlace } from '../slots/waiting-list.ts'
import { readTelegramAccount } from '../telegram/account.ts'
import { readProvenWallet } from '../wallets/proven-wallet.ts'
import { explanationOf, fromColumns } from './claim.ts'
import { readTimeline } from './claim-events.ts'
import { latestClaim } from './latest-claim.ts'

/** @param offersTelegram whether participants can connect a Telegram account. */
export async function readOwnClaim(
  { db, campaign }: Deps,
  userId: string,
  offersTelegram = false,
): Promise<OwnClaim> {
  // All queries share a connection, since every open profile repeats this call.
  return db.connection().execute(async (connection) => {
    const claim = await readLatestClaim(connection, campaign.id, userId)
    return {
      claim,
      attemptsLeft: Math.max(0, MAX_ATTEMPTS - (claim?.attempt ?? 0)),
      timeline: await readTimeline(connection, campaign.id, userId),
      slot: await readReservation(connection, campaign.id, userId),
      waiting: (await readPlace(connection, campaign.id, userId)) ?? null,
      typicalWaitSeconds: await readTypicalWaitSeconds(connection, campaign.id),
      telegram: offersTelegram ? { account: await readTelegramAccount(connection, userId) } : null,
      provenWallet: await readProvenWallet(connection, campaign.id, userId),
    }
  })
}

async function readLatestClaim(db: Database, campaignId: string, userId: string): Promise<OwnClaim['claim']> {
  const claim = await db
    .selectFrom(latestClaim(campaignId, userId).as('c'))
    .leftJoin('appeals as a', 'a.claim_id', 'c.id')
    .selectAll('c')
    .select(['a.text as appeal', 'a.at as appealed_at', 'a.answered_at'])
    .select(queuePlace.as('place'))
    .executeTakeFirst()
  if (!claim) return null
  return {
    _id: claim.id,
    attempt: claim.attempt,
    status: claim.status as ClaimStatus,
    ...fromColumns(claim),
    revision: String(claim.revision),
    isEditable: claim.decided_at === null && claim.review_started_at === null && claim.revision <= MAX_EDITS,
    isAppealable: hasReason(claim.status) && claim.appeal === null,
    ...explanationOf(claim),
    queuePlace: claim.place,
  }
}

/**
 * The place of an undecided claim `c` in the review queue: 1 is next. Uses the index `claims_waiting`.
 * Without the separate comparison of `submitted_at`, PostgreSQL would read all of another index.
 */
const queuePlace = sql<number | null>`case when c.decided_at is null then (
  select count(*) from claims w where w.campaign_id = c.campaign_id and w.decided_at is null
    and w.submitted_at <= c.submitted_at and (w.submitted_at, w.id) <= (c.submitted_at, c.id)) end`

/** The slot kept or reserved for a participant. A pause of the campaign postpones `until`. */
async function readReservation(db: Database, campaignId: string, userId: string): Promise<OwnClaim['slot']> {
  const slot = await db
    .selectFrom('slots as s')
    .innerJoin('campaigns as c', 'c.id', 's.campaign_id')
    .select(['s.state', sql<Date | number>`after_pause(s.until, c.paused_at)`.as('until')])
    .where('s.campaign_id', '=', campaignId)
    .where('s.user_id', '=', userId)
    .where(sql<boolean>`after_pause(s.until, c.paused_at) > now()`)
    .executeTakeFirst()
  if (!slot) return null
  // During an appeal, `until` is 'infinity', which the database driver returns as a number.
  const until = slot.until instanceof Date ? slot.until.toISOString() : null
  return { state: slot.state === 'kept' ? 'kept' : 'reserved', until }
}

const DECISIONS_SAMPLED = 50
const MIN_DECISIONS = 5

/** The median wait for the latest decisions, or null if they are too few. Uses the index `claims_decided`. */
async function readTypicalWaitSeconds(db: Database, campaignId: string): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select case when count(*) >= ${MIN_DECISIONS}
      then round(percentile_cont(0.5) within group (order by waited)) end::float8 as seconds
    from (
      select extract(epoch from decided_at - submitted_at) as waited from claims
      where campaign_id = ${campaignId} and decided_at is not null
      order by decided_at desc, id desc limit ${DECISIONS_SAMPLED}) latest`.execute(db)
  return rows[0]?.seconds ?? null
}
