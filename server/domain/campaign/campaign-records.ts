import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { CampaignRecord, ownCampaigns } from '#contract/campaigns.ts'
import type { CampaignLife } from '#contract/dashboard/campaign-life.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { isOver } from '#contract/phase.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import { readRank } from '../leaderboard/read-board.ts'
import { readLiveFreeze } from '../payouts/live-freeze.ts'
import { countUnsettled } from './archive.ts'
import { campaignIn } from './localized-campaign.ts'
import { readState, stageOf } from './read-campaign.ts'
import { type ReadResults, readResults as readUncachedResults } from './read-results.ts'

type RecordOptions = {
  /** The current campaign. */
  campaign: CampaignFile
  readResults: ReadResults
  locale?: Locale
}

/** The current campaign, then the archived campaigns, the latest opening first. */
export async function listCampaigns(db: Database, options: RecordOptions): Promise<CampaignRecord[]> {
  const archived = await archivedCampaigns(db).where('id', '!=', options.campaign.id).execute()
  const archivedFiles = archived.map(({ settings }) => settings).filter((file) => file !== null)
  const files = [options.campaign, ...archivedFiles]
  const records = await Promise.all(files.map((file) => describe(db, file, options)))
  return records.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || latestOpeningFirst(a, b))
}

type Opening = { id: string; opensAt?: string | undefined }

/** Compares moments, because the texts may differ in their offset from UTC. No opening sorts last. */
function latestOpeningFirst(a: Opening, b: Opening): number {
  const timeOf = ({ opensAt }: Opening) => (opensAt === undefined ? -Infinity : Date.parse(opensAt))
  return timeOf(b) - timeOf(a) || a.id.localeCompare(b.id)
}

const archivedCampaigns = (db: Database) =>
  db
    .selectFrom('campaigns')
    .select(sql<CampaignFile | null>`settings`.as('settings'))
    .where('archived_at', 'is not', null)

/** Finds the current campaign or an archived one. @throws refusal `campaign_not_found`. */
export async function findCampaign(db: Database, campaign: CampaignFile, id: string): Promise<CampaignFile> {
  if (id === campaign.id) return campaign
  const row = await archivedCampaigns(db).where('id', '=', id).executeTakeFirst()
  if (!row?.settings) throw refuse('campaign_not_found')
  return row.settings
}

/** @throws refusal `campaign_not_found`. */
export async function readRecord(db: Database, id: string, options: RecordOptions): Promise<CampaignRecord> {
  return describe(db, await findCampaign(db, options.campaign, id), options)
}

async function describe(
  db: Database,
  file: CampaignFile,
  { campaign, readResults, locale = DEFAULT_LOCALE }: RecordOptions,
): Promise<CampaignRecord> {
  const state = await readState(db, file)
  const results = state.isClosed ? await readResults(db, file.id) : null
  const stage = stageOf(state, results)
  const { id, name, token, chain, airdrop } = campaignIn(file, locale)
  return {
    id,
    name,
    token: { name: token.name, symbol: token.symbol },
    coin: { symbol: chain.currency.symbol },
    opensAt: airdrop.opensAt,
    closesAt: airdrop.closesAt,
    slots: state.slots,
    stage,
    isCurrent: id === campaign.id,
    archivedAt: state.archivedAt,
    results: isOver(stage) ? results : null,
  }
}

/** The current campaign for administrators, with uncached counts. */
export async function readLife({ db, campaign }: Pick<Deps, 'db' | 'campaign'>): Promise<CampaignLife> {
  const { paused } = await readState(db, campaign)
  // `held` also counts expired reservations. One that an appeal keeps ends at 'infinity', which is no Date.
  const { rows } = await sql<{ held: number; keptUntil: Date | null }>`
    select count(*) as held,
      nullif(max(s.until) filter (where c.paused_at is null and s.until > now()), 'infinity') as "keptUntil"
    from slots s join campaigns c on c.id = s.campaign_id
    where c.id = ${campaign.id} and s.until is not null`.execute(db)
  return {
    ...(await describe(db, campaign, { campaign, readResults: readUncachedResults })),
    paused,
    ...(await countUnsettled(db, campaign.id)),
    held: rows[0]?.held ?? 0,
    keptUntil: rows[0]?.keptUntil?.toISOString() ?? null,
  }
}

type OwnCampaigns = ReplyOf<typeof ownCampaigns>['data']

/** What someone earned in archived campaigns, latest opening first. Uses the index `standings_pkey`. */
export async function readOwnCampaigns(
  db: Database,
  { id: currentId }: CampaignFile,
  { userId, locale }: { userId: string; locale: Locale },
): Promise<OwnCampaigns> {
  const rows = await db
    .selectFrom('standings as s')
    .innerJoin('campaigns as c', 'c.id', 's.campaign_id')
    .select(['c.id', 's.total', sql<CampaignFile | null>`c.settings`.as('settings')])
    .where('c.archived_at', 'is not', null)
    .where('c.id', '!=', currentId)
    .where('s.user_id', '=', userId)
    .where('s.total', '>', 0)
    .execute()
  const sorted = rows
    .map((row) => ({ ...row, opensAt: row.settings?.airdrop.opensAt }))
    .toSorted(latestOpeningFirst)
  return Promise.all(
    sorted.map(async ({ id, total, settings }) => ({
      id,
      name: settings ? campaignIn(settings, locale).name : id,
      rank: await readRank(db, id, userId),
      totalPoints: total,
      isFrozen: (await readLiveFreeze(db, id)) !== undefined,
    })),
  )
}
