import type { FastifyInstance } from 'fastify'
import { type CampaignRecord, campaigns } from '#contract/campaigns.ts'
import { type Locale, LOCALES } from '#contract/locales.ts'
import type { Archived } from '#web/site/pages/archived-page.tsx'
import type { Deps } from '../deps.ts'
import { listCampaigns, readRecord } from '../domain/campaign/list-campaigns.ts'
import type { ReadResults } from '../domain/campaign/read-results.ts'
import type { ReadHeads } from '../domain/journal/heads.ts'
import { readBoard } from '../domain/leaderboard/read-board.ts'
import type { PublicAnswer } from '../platform/http/public-answers/answer.ts'
import { type PublicAnswers, sendAnswer } from '../platform/http/public-answers/public-answers.ts'
import { refuse, Refusal } from '../platform/refusal.ts'
import { sameUntilChanged } from './live/live-pages.ts'

/** Reads what the pages of archived campaigns show, with names in the language of the page. */
export type ArchiveReader = {
  /**
   * The archived campaigns, the latest first; the same array until one changes. Never rejects: empty
   * while the database cannot be read.
   */
  list: (locale: Locale) => Promise<readonly CampaignRecord[]>
  /**
   * @param page of the leaderboard, from 1.
   * @throws refusal `campaign_not_found`, also if the campaign is not archived yet or has no such page.
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
      // The first head after the archiving: heads come newest first.
      const head = (await readHeads()).findLast(({ day }) => day > archivedOn)
      return { record, board, head }
    },
  }
}

/** Until a campaign is archived, its results may change, and Home shows them. @throws `campaign_not_found` */
function requireArchived(record: CampaignRecord): CampaignRecord & { archivedAt: string } {
  const { archivedAt } = record
  if (archivedAt === null) throw refuse('campaign_not_found')
  return { ...record, archivedAt }
}

type Pages = {
  locale: Locale
  /** The pattern of the pages' addresses, with the parameter `id`. */
  path: string
  archive: ArchiveReader
  publicAnswers: PublicAnswers
  render: (archived: Archived) => Promise<PublicAnswer>
  notFound: () => Promise<PublicAnswer>
}

const ID = /^[a-z0-9-]{3,40}$/
const PAGE = /^[1-9][0-9]{0,5}$/

/** Serves a page for each archived campaign. These expire together with the answers of `GET /campaigns`. */
export function serveArchivedCampaigns(app: FastifyInstance, pages: Pages): void {
  const { locale, path, archive, publicAnswers, render, notFound } = pages
  type Request = { Params: { id: string }; Querystring: { page?: unknown } }
  app.get<Request>(path, async (request, reply) => {
    const { id } = request.params
    const page = typeof request.query.page === 'string' ? request.query.page : '1'
    if (!ID.test(id) || !PAGE.test(page)) return sendAnswer(request, reply, await notFound())
    const key = `${path} ${id} ${page}`
    const source = publicAnswers.source(key, campaigns.path, async () =>
      render(await archive.read(locale, id, Number(page))),
    )
    try {
      return await publicAnswers.send(request, reply, source)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return sendAnswer(request, reply, await notFound())
    }
  })
}
