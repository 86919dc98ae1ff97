import type { CampaignFile } from '#contract/campaign-file.ts'
import type { CampaignRecord } from '#contract/campaigns.ts'
import type { Pagination } from '#contract/entities.ts'
import type { LeaderboardEntry } from '#contract/leaderboard.ts'
import { headText, type PublishedHead } from '#contract/journal.ts'
import { ARCHIVE, CLOSING } from '#messages/phase.js'
import { archiveDates } from '#web/content/results.ts'
import { dayInWords } from '#web/content/dates.ts'
import { ResultFigures, WhatComesNext } from '#web/features/campaign/results.tsx'
import { archivePath, ROUTES } from '#web/routes.ts'
import { formatInteger } from '#web/ui/text/format.ts'
import { ClauseRow } from '../sections/clauses.tsx'
import { PageHeader } from '../sections/page-header.tsx'

export type Archived = {
  record: CampaignRecord
  board: { data: readonly LeaderboardEntry[]; pagination: Pagination }
  /** The journal's first daily hash after the archiving, once there is one: it covers the whole campaign. */
  head: PublishedHead | undefined
}

export function ArchivedPage({ campaign, archived }: { campaign: CampaignFile; archived: Archived }) {
  const { record, board, head } = archived
  const { id, name, token, coin, opensAt, closesAt, results, slots } = record
  return (
    <>
      <PageHeader campaign={campaign} path={ROUTES.archive.path} title={name}>
        <p>
          {token.name} ({token.symbol})
        </p>
        <p className="text-ink-soft">{archiveDates(opensAt, closesAt)}</p>
      </PageHeader>
      <div className="page pt-10 lg:pt-14">
        {results && (
          <>
            <ClauseRow number={1} title={ARCHIVE.results}>
              <ResultFigures results={results} token={token} coin={coin} slots={slots} />
            </ClauseRow>
            <ClauseRow number={2} title={ARCHIVE.payout}>
              {results.payout ? (
                <>
                  <WhatComesNext results={results} token={token} coin={coin} />
                  <p>
                    <a href={`${ROUTES.allocation.path}?campaign=${id}`} className="standalone-link">
                      {CLOSING.allocation}
                    </a>
                  </p>
                </>
              ) : (
                <p>{ARCHIVE.noPayout}</p>
              )}
            </ClauseRow>
          </>
        )}
        <ClauseRow number={results ? 3 : 1} title={ARCHIVE.journal}>
          <JournalEnd head={head} />
        </ClauseRow>
        <ClauseRow number={results ? 4 : 2} title={ARCHIVE.leaderboard} id="leaderboard">
          <Board record={record} board={board} />
        </ClauseRow>
        <p className="border-t-2 border-ink pt-4">
          <a href={ROUTES.archive.path} className="standalone-link">
            {ARCHIVE.back}
          </a>
        </p>
      </div>
    </>
  )
}

function JournalEnd({ head }: { head: PublishedHead | undefined }) {
  return (
    <>
      <p>{ARCHIVE.journalLead}</p>
      {head ? (
        <p>
          <span className="block text-sm text-ink-soft">{dayInWords(head.day)}</span>
          <code className="figures text-xs wrap-anywhere">{headText(head)}</code>
        </p>
      ) : (
        <p className="text-ink-soft">{ARCHIVE.noHead}</p>
      )}
      <p>
        <a href={ROUTES.journal.path} className="standalone-link">
          {CLOSING.journal}
        </a>
      </p>
    </>
  )
}

const HEADING = 'border-b-2 border-ink py-2 pe-3 text-sm font-semibold'
const CELL = 'border-b border-hairline py-2.5 pe-3'
const FIGURES = 'figures text-end whitespace-nowrap'

/** Not the application's table, because every page would load its styles. */
function Board({ record: { id, token, coin }, board }: Pick<Archived, 'record' | 'board'>) {
  if (board.data.length === 0) return <p>{ARCHIVE.nobody}</p>
  const pointColumns = [token.symbol, coin.symbol, ARCHIVE.referrals]
  const columns = [
    { name: ARCHIVE.rank, className: 'text-start' },
    { name: ARCHIVE.user, className: 'text-start' },
    ...pointColumns.map((name) => ({ name, className: 'text-end max-sm:hidden' })),
    { name: ARCHIVE.total, className: 'text-end' },
  ]
  return (
    <>
      <table className="w-full border-collapse">
        <caption className="sr-only">{ARCHIVE.leaderboard}</caption>
        <thead>
          <tr>
            {columns.map(({ name, className }) => (
              <th key={name} scope="col" className={`${HEADING} ${className}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {board.data.map((entry) => (
            <tr key={entry.rank}>
              <td className={`${CELL} figures`}>{entry.rank}</td>
              <td className={`${CELL} font-semibold wrap-anywhere`}>
                <bdi>{entry.username}</bdi>
              </td>
              {/* As the columns above: of the token, of the coin, and for invitations. */}
              {[entry.pfPoints, entry.plsPoints, entry.referralReward].map((points, index) => (
                <td key={pointColumns[index]} className={`${CELL} ${FIGURES} max-sm:hidden`}>
                  {formatInteger(points)}
                </td>
              ))}
              <td className={`${CELL} ${FIGURES} font-bold`}>{formatInteger(entry.totalPoints)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pages id={id} pagination={board.pagination} />
    </>
  )
}

function Pages({ id, pagination: { currentPage, totalPages } }: { id: string; pagination: Pagination }) {
  if (totalPages <= 1) return null
  const link = (page: number, text: string, rel: 'prev' | 'next') =>
    page >= 1 && page <= totalPages ? (
      <a href={`${archivePath(id)}?page=${page}#leaderboard`} rel={rel} className="standalone-link">
        {text}
      </a>
    ) : (
      <span />
    )
  return (
    <nav aria-label={ARCHIVE.pages} className="mt-4 flex flex-wrap items-center justify-between gap-4">
      {link(currentPage - 1, ARCHIVE.previous, 'prev')}
      <span className="figures text-sm text-ink-soft">
        {ARCHIVE.page({ page: currentPage, pages: totalPages })}
      </span>
      {link(currentPage + 1, ARCHIVE.nextPage, 'next')}
    </nav>
  )
}
