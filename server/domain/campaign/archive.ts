import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { CampaignLife } from '#contract/dashboard/campaign-life.ts'
import type { Deps } from '#server/deps.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { count } from '#server/platform/count.ts'
import { Misconfigured } from '#server/platform/misconfigured.ts'
import { refuse } from '#server/platform/refusal.ts'
import { countClaims } from '../claims/claim-counts.ts'
import { announce } from '../events/announce.ts'
import { type Attribution, record } from '../journal/record.ts'
import { readEffective } from './settings/overrides.ts'
import { endPause, lockCampaign } from './pause.ts'
import { readState } from './read-campaign.ts'
import { readStored } from './settings/stored-settings.ts'

/**
 * Makes a campaign that has ended final: decisions can no longer be made or undone. Payouts still can be.
 * @throws refusals `campaign_archived`, `campaign_open`, and `campaign_unsettled` while a claim or appeal is
 *   undecided, or someone can still claim with a kept or reserved slot.
 */
export async function archive(
  { db, liveCampaign: { file } }: Pick<Deps, 'db' | 'liveCampaign'>,
  by: Attribution,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Waits for decisions in progress, which lock the same row. Later decisions are refused.
    await lockCampaign(tx, file.id)
    // Read under the lock: another node may have extended the campaign meanwhile.
    const { archivedAt, isClosed } = await readState(tx, (await readEffective(tx, file)).campaign)
    if (archivedAt) throw refuse('campaign_archived')
    if (!isClosed) throw refuse('campaign_open')
    const { undecided, appeals, kept } = await countUnsettled(tx, file.id)
    if (undecided + appeals + kept > 0) throw refuse('campaign_unsettled')
    await endPause(tx, file.id, by)
    await markArchived(tx, file.id, by)
  })
}

async function markArchived(tx: Tx, campaignId: string, by: Attribution): Promise<void> {
  await tx
    .updateTable('campaigns')
    .set({ archived_at: sql`now()` })
    .where('id', '=', campaignId)
    .execute()
  await record(tx, { ...by, action: 'campaign.archived', after: { campaign: campaignId } })
  await announce(tx, 'slots')
}

type Unsettled = Pick<CampaignLife, 'undecided' | 'appeals' | 'kept' | 'waiting'>

/** All but `waiting` have to be 0 before a campaign is archived, and all before the next campaign starts. */
export async function countUnsettled(db: Database | Tx, campaignId: string): Promise<Unsettled> {
  const { rows } = await sql<Unsettled>`
    select ${countClaims(campaignId, sql`not is_decided`)} as undecided,
      (select count(*) from appeals where campaign_id = ${campaignId} and answered_at is null) as appeals,
      (select count(*) from slots s join campaigns c on c.id = s.campaign_id
        where c.id = ${campaignId} and after_pause(s.until, c.paused_at) > now()) as kept,
      (select count(*) from waiting_list where campaign_id = ${campaignId}) as waiting`.execute(db)
  return rows[0] ?? { undecided: 0, appeals: 0, kept: 0, waiting: 0 }
}

/**
 * Archives all campaigns with claims except the file's. Each must be closed and settled, and everyone on its
 * waiting list must have been told, because no server does this once the file's campaign runs.
 * @throws Misconfigured with one line for each earlier campaign that has to be ended first, or if the file's
 * campaign is archived: then the others are not earlier, and someone has forgotten CAMPAIGN_CONFIG.
 */
export async function archiveEarlierCampaigns(db: Database, file: CampaignFile): Promise<void> {
  const earlier = await db
    .selectFrom('campaigns as c')
    .select(['c.id', 'c.archived_at'])
    .where('c.id', '!=', file.id)
    // An archived campaign still has a waiting list if its server stopped before it had sent the emails.
    .where(
      sql<boolean>`(c.archived_at is null or exists (select from waiting_list where campaign_id = c.id))`,
    )
    .where(sql<boolean>`exists (select from claims where campaign_id = c.id)`)
    .orderBy('c.id')
    .execute()
  const unarchived = earlier.filter(({ archived_at }) => archived_at === null).map(({ id }) => id)
  if (unarchived.length > 0 && (await isArchived(db, file.id)))
    throw new Misconfigured(
      `The campaign ${file.id} is archived, and ${unarchived.join(', ')} came after it: set CAMPAIGN_CONFIG to the campaign file of the newest one.`,
    )
  const problems: string[] = []
  for (const { id } of earlier) {
    const problem = await inTransaction(db, (tx) => archiveEarlier(tx, id))
    if (problem) problems.push(problem)
  }
  if (problems.length > 0)
    throw new Misconfigured(
      [...problems, `To continue the earlier campaign, set id in the campaign file back.`].join('\n'),
    )
}

async function isArchived(db: Database, id: string): Promise<boolean> {
  const row = await db.selectFrom('campaigns').select('archived_at').where('id', '=', id).executeTakeFirst()
  return row !== undefined && row.archived_at !== null
}

async function archiveEarlier(tx: Tx, id: string): Promise<string | undefined> {
  await lockCampaign(tx, id)
  // Read under the lock: a node that still serves this campaign may have reopened it meanwhile.
  const settings = (await readStored(tx, id))?.settings
  const { undecided, appeals, kept, waiting } = await countUnsettled(tx, id)
  if (undecided + appeals + kept > 0)
    return `The campaign ${id} still has ${count(undecided, 'claim')}, ${count(appeals, 'appeal')} and ${count(kept, 'kept slot')} pending: decide the claims, let the slots expire, then start with the new id.`
  // Without stored settings, a campaign's end is unknown: it counts as open.
  const { archivedAt, isClosed } = settings
    ? await readState(tx, settings)
    : { archivedAt: null, isClosed: false }
  if (!isClosed)
    return `The campaign ${id} is still open: close it with "npm run campaign -- close", then start with the new id.`
  if (waiting > 0)
    return `The campaign ${id} still has ${count(waiting, 'person', 'people')} on its waiting list, who have not been told that it is closed: start the server with that id, which sends the emails (resume the campaign first if it is paused), then start with the new id.`
  if (archivedAt) return undefined
  const operator = { actor: null }
  await endPause(tx, id, operator)
  await markArchived(tx, id, operator)
  return undefined
}
