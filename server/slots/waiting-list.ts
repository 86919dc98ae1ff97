import { sql } from 'kysely'
import type { ErrorCode } from '#contract/errors.ts'
import { MAX_ATTEMPTS } from '#contract/claims.ts'
import { isClosed, isEarly } from '../campaign/opening.ts'
import type { Deps } from '../deps.ts'
import { type Database, inTransaction, type Tx } from '../platform/database.ts'
import { refuse } from '../platform/refusal.ts'
import { lockSlots } from './expire-holds.ts'

/** 1 is next; `since` is an ISO time. */
export type Place = { place: number; since: string }

/** Puts a participant at the end of the list of those who wait for a slot; a repeat tells the place again. */
export async function joinWaitingList(deps: Deps, userId: string): Promise<Place> {
  const { campaign, db } = deps
  const known = await readPlace(db, campaign.id, userId)
  if (known) return known
  return inTransaction(db, async (tx) => {
    // Before slots are given: whoever joins while the last one becomes free is refused, or gets it.
    await lockSlots(tx, campaign.id)
    const reason = await reasonAgainst(tx, deps, userId)
    if (reason) throw refuse(reason)
    await tx
      .insertInto('waiting_list')
      .values({ campaign_id: campaign.id, user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const place = await readPlace(tx, campaign.id, userId)
    if (!place) throw new Error(`${userId} is not on the list.`)
    return place
  })
}

/**
 * Puts a participant before everybody else who waits, behind those who were put there earlier: for whoever lost a slot by
 * mistake. A transaction that gives slots holds their lock already.
 * @returns false when they are there already, or the campaign is closed: then nothing can be promised.
 */
export async function waitFirst(
  tx: Tx,
  { campaign }: Pick<Deps, 'campaign'>,
  userId: string,
): Promise<boolean> {
  await lockSlots(tx, campaign.id)
  const { rows } = await sql`
    insert into waiting_list as w (campaign_id, user_id, ticket)
    select ${campaign.id}, ${userId}, nextval(pg_get_serial_sequence('waiting_list', 'ticket')) - ${BEFORE_ALL}::bigint
    where not ${isClosed(campaign)}
    on conflict (campaign_id, user_id) do update set ticket = excluded.ticket where w.ticket > 0
    returning user_id`.execute(tx)
  return rows.length > 0
}

/** More than anybody will ever draw tickets. */
const BEFORE_ALL = 1_000_000_000_000

async function reasonAgainst(tx: Tx, { campaign }: Deps, userId: string): Promise<ErrorCode | undefined> {
  const { rows } = await sql<{
    early: boolean
    late: boolean
    room: boolean
    attempts: number
    state: string | null
  }>`
    select ${isEarly(campaign)} as early, ${isClosed(campaign)} as late,
      c.slots_taken < c.slots_total and not exists (select from waiting_list where campaign_id = c.id) as room,
      (select coalesce(max(attempt), 0) from claims where campaign_id = c.id and user_id = ${userId}) as attempts,
      (select state from slots where campaign_id = c.id and user_id = ${userId}) as state
    from campaigns c where c.id = ${campaign.id}`.execute(tx)
  const [seen] = rows
  if (seen?.state === 'claimed') return 'already_claimed'
  if (seen?.state) return 'slot_held'
  if ((seen?.attempts ?? 0) >= MAX_ATTEMPTS) return 'attempts_over'
  if (seen?.early) return 'campaign_not_open'
  if (seen?.late) return 'campaign_closed'
  return seen?.room ? 'slots_left' : undefined
}

/** Takes a participant off the list; a slot that was reserved for them is free for the next. */
export async function leaveWaitingList({ db, campaign }: Deps, userId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Before slots are given: one that is being reserved for whoever leaves is seen below.
    await lockSlots(tx, campaign.id)
    await tx
      .deleteFrom('waiting_list')
      .where('campaign_id', '=', campaign.id)
      .where('user_id', '=', userId)
      .execute()
    // It ends now: settling hands it on, as it does with what ends by time.
    await tx
      .updateTable('slots')
      .set({ until: sql`now()` })
      .where('campaign_id', '=', campaign.id)
      .where('user_id', '=', userId)
      .where('state', '=', 'reserved')
      .execute()
  })
}

/** Undefined for whoever does not wait. */
export async function readPlace(
  db: Database | Tx,
  campaignId: string,
  userId: string,
): Promise<Place | undefined> {
  const waiting = await db
    .selectFrom('waiting_list as w')
    .select((query) => [
      'w.since',
      query
        .selectFrom('waiting_list as before')
        .select((count) => count.fn.countAll<number>().as('place'))
        .where('before.campaign_id', '=', campaignId)
        .whereRef('before.ticket', '<=', 'w.ticket')
        .as('place'),
    ])
    .where('w.campaign_id', '=', campaignId)
    .where('w.user_id', '=', userId)
    .executeTakeFirst()
  return waiting && { place: waiting.place ?? 1, since: waiting.since.toISOString() }
}
