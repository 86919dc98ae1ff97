import { sql, type RawBuilder } from 'kysely'
import type { Campaign, Pause } from '#contract/campaign.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Results } from '#contract/campaigns.ts'
import { grantedPoints, pointsOfTask } from '#contract/claims/granted-points.ts'
import type { Stage } from '#contract/phase.ts'
import type { Deps } from '#server/deps.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import { readEffective } from './settings/overrides.ts'
import { type ReadResults, readResults as readUncachedResults } from './read-results.ts'

/** @param readResults is called only for a closed campaign. */
export async function readCampaign(
  { db, campaign }: Pick<Deps, 'db' | 'campaign'>,
  readResults: ReadResults = readUncachedResults,
): Promise<Campaign> {
  const { name, token, chain, airdrop } = campaign
  const state = await readState(db, campaign)
  const { slots, paused } = state
  const stage = stageOf(state, state.isClosed ? await readResults(db, campaign.id) : null)
  return {
    id: campaign.id,
    name,
    token: {
      name: token.name,
      symbol: token.symbol,
      supply: token.supply,
      contract: token.contract,
      chainId: chain.id,
      placeholder: token.placeholder,
    },
    tasks: airdrop.tasks.map((task) => {
      const worth = pointsOfTask(task, airdrop)
      return { id: task.id, title: task.title, url: task.url, points: worth.pfPoints, ...worth }
    }),
    pointsPerTask: airdrop.pointsPerTask,
    ...grantedPoints(airdrop),
    slots,
    opensAt: airdrop.opensAt,
    closesAt: airdrop.closesAt,
    open: stage === 'open',
    stage,
    paused,
  }
}

type Slots = { total: number; left: number; isPaused: boolean }

export async function readSlots(db: Database | Tx, campaignId: string): Promise<Slots> {
  const { slots_total, slots_taken, isPaused } = await db
    .selectFrom('campaigns')
    .select(['slots_total', 'slots_taken', sql<boolean>`paused_at is not null`.as('isPaused')])
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow()
  return { total: slots_total, left: slots_total - slots_taken, isPaused }
}

/** What the stage of a campaign depends on before its close. After the close, it depends on the results. */
type CampaignState = {
  isEarly: boolean
  isClosed: boolean
  paused: Pause | null
  slots: { total: number; left: number }
  archivedAt: string | null
}

/** A single statement, so that all values are as of one moment. */
export async function readState(db: Database | Tx, campaign: CampaignFile): Promise<CampaignState> {
  const row = await db
    .selectFrom('campaigns')
    .select(['slots_total', 'slots_taken', 'paused_at', 'pause_notice', 'archived_at'])
    .select(sql<Date | null>`case when pause_until > now() then pause_until end`.as('expectedEnd'))
    .select([isEarly(campaign).as('isEarly'), isClosed(campaign).as('isClosed')])
    .where('id', '=', campaign.id)
    .executeTakeFirstOrThrow()
  return {
    isEarly: row.isEarly,
    isClosed: row.isClosed || row.archived_at !== null,
    paused: row.paused_at && {
      since: row.paused_at.toISOString(),
      notice: row.pause_notice ?? '',
      until: row.expectedEnd?.toISOString() ?? null,
    },
    slots: { total: row.slots_total, left: row.slots_total - row.slots_taken },
    archivedAt: row.archived_at?.toISOString() ?? null,
  }
}

/**
 * Reads the campaign's state with the settings in the database, because those of this node may be outdated.
 * The caller holds a lock on the campaign's row.
 * @throws refusals `campaign_closed`, `campaign_archived`.
 */
export async function readStateUnlessOver(tx: Tx, file: CampaignFile): Promise<CampaignState> {
  const state = await readState(tx, (await readEffective(tx, file)).campaign)
  if (state.archivedAt) throw refuse('campaign_archived')
  if (state.isClosed) throw refuse('campaign_closed')
  return state
}

/** @param results null if they were not read. Without them, the stage of a closed campaign is `reviewing`. */
export function stageOf({ isEarly, isClosed, paused, slots }: CampaignState, results: Results | null): Stage {
  if (isClosed) return stageAfterClose(results)
  if (paused) return 'paused'
  if (isEarly) return 'before'
  return slots.left > 0 ? 'open' : 'full'
}

function stageAfterClose(results: Results | null): Stage {
  if (!results) return 'reviewing'
  const { payout, undecided, appeals } = results
  if (!payout) return undecided + appeals > 0 ? 'reviewing' : 'paying'
  return isPaid(payout) ? 'paid' : 'paying'
}

function isPaid({ paid }: NonNullable<Results['payout']>): boolean {
  // An asset is null if its payments cannot be read. `of` is 0 if the asset is due to no wallet.
  const dueAssets = Object.values(paid).flatMap((asset) => (asset && asset.of > 0 ? [asset] : []))
  return dueAssets.length > 0 && dueAssets.every(({ wallets, of }) => wallets >= of)
}

/** Not by `now()`, the start of the transaction, which may have waited for a lock; likewise below. */
export const isEarly = ({ airdrop: { opensAt } }: CampaignFile): RawBuilder<boolean> =>
  sql<boolean>`clock_timestamp() < ${opensAt}::timestamptz`

export const isClosed = ({ airdrop: { closesAt } }: CampaignFile): RawBuilder<boolean> =>
  sql<boolean>`coalesce(clock_timestamp() >= ${closesAt}::timestamptz, false)`
