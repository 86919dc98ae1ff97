import { sql } from 'kysely'
import type { ErrorCode } from '#contract/protocol/errors.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { MAX_ATTEMPTS } from '#contract/claims/claims.ts'
import { readEffective } from '../campaign/settings/overrides.ts'
import { isClosed, isEarly } from '../campaign/read-campaign.ts'
import type { Deps } from '#server/deps.ts'
import { announce } from '../events/announce.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import { freeSlot } from './keep-or-free-slot.ts'
import { reallocateSlots } from './reallocate-slots.ts'
import { lockSlots } from './take-slot.ts'

/** A place on the waiting list: 1 is next. `since` is an ISO 8601 time. */
export type Place = { place: number; since: string }

/** Adds a participant to the end of the waiting list. Idempotent. @throws as in {@link readRefusal}. */
export async function joinWaitingList(deps: Deps, userId: string): Promise<Place> {
  const { db } = deps
  const current = await readPlace(db, deps.campaign.id, userId)
  if (current) return current
  // Frees the participant's slot if its reservation has just expired.
  await reallocateSlots(deps)
  return inTransaction(db, async (tx) => {
    // A reallocation that comes first is seen below. A later one sees the participant on the list.
    await lockSlots(tx, deps.campaign.id)
    // Read under the lock: another node may have closed or extended the campaign meanwhile.
    const { campaign } = await readEffective(tx, deps.liveCampaign.file)
    const reason = await readRefusal(tx, campaign, userId)
    if (reason) throw refuse(reason)
    await tx
      .insertInto('waiting_list')
      .values({ campaign_id: campaign.id, user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const place = await readPlace(tx, campaign.id, userId)
    if (!place) throw new Error(`${userId} is not on the waiting list.`)
    return place
  })
}

/**
 * Puts a participant who lost a slot by mistake ahead of everyone who joined the waiting list, but behind
 * everyone who was moved to the front before.
 * @returns false if the participant was moved to the front before or the campaign is closed.
 */
export async function moveToFront(
  tx: Tx,
  { liveCampaign: { file } }: Pick<Deps, 'liveCampaign'>,
  userId: string,
): Promise<boolean> {
  await lockSlots(tx, file.id)
  // Read under the lock: another node may have closed the campaign meanwhile.
  const { campaign } = await readEffective(tx, file)
  const { rows } = await sql`
    insert into waiting_list as w (campaign_id, user_id, ticket)
    select ${campaign.id}, ${userId}, nextval(pg_get_serial_sequence('waiting_list', 'ticket')) - ${FRONT_OFFSET}::bigint
    where not ${isClosed(campaign)}
    on conflict (campaign_id, user_id) do update set ticket = excluded.ticket where w.ticket > 0
    returning user_id`.execute(tx)
  return rows.length > 0
}

/** Larger than any ticket. Subtracting it makes the tickets at the front negative and keeps their order. */
const FRONT_OFFSET = 1_000_000_000_000

type State = Record<'isBanned' | 'isEarly' | 'isClosed' | 'isPaused' | 'hasFreeSlot', boolean> & {
  attempts: number
  slotState: string | null
}

async function readRefusal(tx: Tx, campaign: CampaignFile, userId: string): Promise<ErrorCode | undefined> {
  const { rows } = await sql<State>`
    select (select banned_at from users where id = ${userId}) is not null as "isBanned",
      ${isEarly(campaign)} as "isEarly", ${isClosed(campaign)} or c.archived_at is not null as "isClosed",
      c.paused_at is not null as "isPaused",
      c.slots_taken < c.slots_total and not exists (select from waiting_list where campaign_id = c.id) as "hasFreeSlot",
      (select coalesce(max(attempt), 0) from claims where campaign_id = c.id and user_id = ${userId}) as attempts,
      (select state from slots where campaign_id = c.id and user_id = ${userId}) as "slotState"
    from campaigns c where c.id = ${campaign.id}`.execute(tx)
  const [state] = rows
  if (!state) throw new Error(`There is no campaign ${campaign.id}.`)
  // The account may have been banned while the call was on its way.
  if (state.isBanned) return 'account_banned'
  if (state.slotState === 'claimed') return 'already_claimed'
  if (state.slotState) return 'slot_held'
  if (state.attempts >= MAX_ATTEMPTS) return 'attempts_over'
  if (state.isEarly) return 'campaign_not_open'
  if (state.isClosed) return 'campaign_closed'
  if (state.isPaused) return 'campaign_paused'
  return state.hasFreeSlot ? 'slots_left' : undefined
}

/** Removes a participant from the waiting list, and frees a slot reserved for them. */
export async function leaveWaitingList({ db, campaign }: Deps, userId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    // A reallocation that comes first may reserve a slot, which is freed below. A later one skips them.
    await lockSlots(tx, campaign.id)
    await tx
      .deleteFrom('waiting_list')
      .where('campaign_id', '=', campaign.id)
      .where('user_id', '=', userId)
      .execute()
    if (await freeSlot(tx, campaign.id, userId, 'reserved')) await announce(tx, 'slots')
  })
}

/** Uses the index `waiting_list_order`. */
export async function readPlace(
  db: Database | Tx,
  campaignId: string,
  userId: string,
): Promise<Place | undefined> {
  const { rows } = await sql<{ since: Date; place: number }>`
    select since, (select count(*) from waiting_list where campaign_id = ${campaignId} and ticket <= w.ticket) as place
    from waiting_list w where campaign_id = ${campaignId} and user_id = ${userId}`.execute(db)
  const [waiting] = rows
  return waiting && { place: waiting.place, since: waiting.since.toISOString() }
}
