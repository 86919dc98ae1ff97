import { sql } from 'kysely'
import type { Pause } from '#contract/campaign.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { refuse, refuseField } from '#server/platform/refusal.ts'
import { announce } from '../events/announce.ts'
import { type Attribution, record } from '../journal/record.ts'
import { readStateUnlessOver } from './read-campaign.ts'

/**
 * Pauses a campaign. From now on, no node accepts claims or adds anyone to the waiting list, and no
 * reservation expires. If the campaign is already paused, only the notice and the expected end change.
 * @param until the ISO time of the expected end. It is only shown; the campaign does not resume by itself.
 * @returns the pause as it was before; null if the campaign was not paused.
 * @throws refusals `campaign_closed`, `campaign_archived`, and `invalid_input` if the end is in the past.
 */
export async function pause(
  { db, liveCampaign: { file } }: Pick<Deps, 'db' | 'liveCampaign'>,
  { notice, until, ...by }: Attribution & { notice: string; until: string | null },
): Promise<Pause | null> {
  // Parsed here, because PostgreSQL refuses some offsets that are valid in ISO 8601, such as +16:00.
  const end = until === null ? null : new Date(until)
  if (end && end.getTime() <= Date.now()) throw refuseField('until', 'moment_past')
  return inTransaction(db, async (tx) => {
    // Claims lock the same row, so each either comes first or sees the pause.
    await lockCampaign(tx, file.id)
    const { paused } = await readStateUnlessOver(tx, file)
    await sql`
      update campaigns set paused_at = coalesce(paused_at, clock_timestamp()), pause_notice = ${notice},
        pause_until = ${end}::timestamptz
      where id = ${file.id}`.execute(tx)
    const after = { campaign: file.id, until: end?.toISOString() ?? null }
    await record(tx, { ...by, action: 'campaign.paused', after, details: { notice } })
    await announce(tx, 'slots')
    return paused
  })
}

/** Ends the pause, and extends reservations by what it cost them. @throws refusal `campaign_not_paused`. */
export async function resume(
  { db, campaign }: Pick<Deps, 'db' | 'campaign'>,
  by: Attribution,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockCampaign(tx, campaign.id)
    if (!(await endPause(tx, campaign.id, by))) throw refuse('campaign_not_paused')
  })
}

/** Like {@link resume}, for a caller that holds {@link lockCampaign}. @returns false if there is no pause. */
export async function endPause(tx: Tx, campaignId: string, by: Attribution): Promise<boolean> {
  const { rows } = await sql<{ since: Date }>`
    select paused_at as since from campaigns where id = ${campaignId} and paused_at is not null`.execute(tx)
  const [paused] = rows
  if (!paused) return false
  const { numAffectedRows } = await sql`
    update slots s set until = after_pause(s.until, c.paused_at),
      until_without_appeal = after_pause(s.until_without_appeal, c.paused_at)
    from campaigns c where c.id = ${campaignId} and s.campaign_id = c.id and s.until > c.paused_at`.execute(
    tx,
  )
  await tx
    .updateTable('campaigns')
    .set({ paused_at: null, pause_notice: null, pause_until: null })
    .where('id', '=', campaignId)
    .execute()
  await record(tx, {
    ...by,
    action: 'campaign.resumed',
    before: { campaign: campaignId, since: paused.since.toISOString() },
    after: { extended: Number(numAffectedRows ?? 0) },
  })
  await announce(tx, 'slots')
  return true
}

/** Waits for claims and decisions in progress, which lock the same row, and makes new ones wait. */
export async function lockCampaign(tx: Tx, campaignId: string): Promise<void> {
  await tx
    .selectFrom('campaigns')
    .select('id')
    .where('id', '=', campaignId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}
