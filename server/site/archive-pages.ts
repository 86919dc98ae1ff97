import type { CampaignRecord } from '#contract/campaigns.ts'
import { type Locale, LOCALES } from '#contract/locales.ts'
import type { Archived } from '#web/site/pages/archived-page.tsx'
import type { Deps } from '../deps.ts'
import { listCampaigns, readRecord } from '../domain/campaign/campaign-records.ts'
import type { ReadResults } from '../domain/campaign/read-results.ts'
import type { ReadHeads } from '../domain/journal/heads.ts'
import { readBoard } from '../domain/leaderboard/read-board.ts'
import { refuse } from '../platform/refusal.ts'
import { sameUntilChanged } from './live/live-pages.ts'

/** Reads what the pages of archived campaigns show, with names in the language of the page. */
export type ArchiveReader = {
  /**
   * The archived campaigns, latest first. Returns the same array until one changes. Never rejects: the array
   * is empty while the database cannot be read.
   */
  list: (locale: Locale) => Promise<readonly CampaignRecord[]>
  /**
   * @param page the page of the leaderboard, from 1.
   * @throws refusal `campaign_not_found` for a campaign that is unknown or not archived, or an unknown page.
   */
  read: (locale: Locale, id: string, page: number) => Promise<Archived>
}

const PAGE_SIZE = 25

export function createArchiveReader(
  deps: Pick<Deps, 'publicReads' | 'campaign' | 'log'>,
  { readResults, readHeads }: { readResults: ReadResults; readHeads: ReadHeads },
): ArchiveReader {
  const listArchived = (locale: Locale) =>
    deps.publicReads.read(async (db) => {
      const records = await listCampaigns(db, { campaign: deps.campaign, readResults, locale })
      return records.filter(({ archivedAt }) => archivedAt !== null)
    })
  const whenUnreadable = (error: unknown) => {
    deps.log.warn({ err: error }, 'the archived campaigns could not be read')
    return []
  }
  const lists = new Map(
    LOCALES.map((locale) => [locale, sameUntilChanged(() => listArchived(locale), whenUnreadable)]),
  )
  return {
    list: async (locale) => (await lists.get(locale)?.()) ?? [],
    read: async (locale, id, page) => {
      const [record, board] = await deps.publicReads.read(async (db) => [
        requireArchived(await readRecord(db, id, { campaign: deps.campaign, readResults, locale })),
        await readBoard(db, id, { page, limit: PAGE_SIZE }),
      ])
      if (page > board.pagination.totalPages) throw refuse('campaign_not_found')
      const archivedOn = record.archivedAt.slice(0, 10)
      // The first journal head after the archiving. `readHeads` returns the newest first.
      const head = (await readHeads()).findLast(({ day }) => day > archivedOn)
      return { record, board, head }
    },
  }
}

/** @throws refusal `campaign_not_found`, because the results of any other campaign may still change. */
function requireArchived(record: CampaignRecord): CampaignRecord & { archivedAt: string } {
  const { archivedAt } = record
  if (archivedAt === null) throw refuse('campaign_not_found')
  return { ...record, archivedAt }
}
