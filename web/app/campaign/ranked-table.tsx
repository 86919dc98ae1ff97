import type { LeaderboardEntry } from '#contract/leaderboard.ts'
import { LEADERBOARD } from '#messages/leaderboard.js'
import { formatInteger } from '#web/ui/text/format.ts'
import { classes } from '#web/ui/classes.ts'
import { EmailText } from '#web/ui/text/email-text.tsx'
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '#web/ui/table.tsx'
import { CAMPAIGN } from '../campaign-data.ts'

/** One page of the leaderboard. `bdi` gives each name its own direction. */
export function RankedTable({ entries }: { entries: readonly LeaderboardEntry[] }) {
  if (entries.length === 0) return null
  return (
    <Table caption={LEADERBOARD.title}>
      <TableHead className="max-md:sr-only">
        <ColumnHead className="w-20">{LEADERBOARD.rank}</ColumnHead>
        <ColumnHead>{LEADERBOARD.user}</ColumnHead>
        <ColumnHead isNumeric>{CAMPAIGN.token.symbol}</ColumnHead>
        <ColumnHead isNumeric>{CAMPAIGN.chain.currency.symbol}</ColumnHead>
        <ColumnHead isNumeric>{LEADERBOARD.referrals}</ColumnHead>
        <ColumnHead isNumeric>{LEADERBOARD.total}</ColumnHead>
      </TableHead>
      <TableBody className="max-md:block max-md:border-t-2">
        {entries.map((entry) => (
          <RankedRow key={entry.username} entry={entry} />
        ))}
      </TableBody>
    </Table>
  )
}

function RankedRow({ entry }: { entry: LeaderboardEntry }) {
  const { rank } = entry
  const isOnPodium = rank <= MEDALS.length
  return (
    <Row className={classes(STACKED, isOnPodium && 'font-bold md:text-lg')}>
      <Cell className="figures max-md:row-span-2 max-md:px-0">
        {isOnPodium ? <Medal rank={rank} /> : rank}
      </Cell>
      <Cell className="min-w-0 max-md:col-span-2 max-md:p-0">
        <span className={classes('block break-words', isOnPodium ? 'font-bold' : 'font-semibold')}>
          <bdi>{entry.username}</bdi>
        </span>
        <span className="block text-sm font-normal wrap-anywhere text-ink-soft">
          <EmailText email={entry.email} />
        </span>
      </Cell>
      <Points label={CAMPAIGN.token.symbol} points={entry.pfPoints} />
      <Points label={CAMPAIGN.chain.currency.symbol} points={entry.plsPoints} />
      <Points label={LEADERBOARD.referrals} points={entry.referralReward} />
      <Cell className="text-end figures font-bold max-md:col-start-4 max-md:row-start-1 max-md:p-0 max-md:text-lg">
        {formatInteger(entry.totalPoints)}
      </Cell>
    </Row>
  )
}

function Points({ label, points }: { label: string; points: number }) {
  return (
    <Cell
      label={label}
      className="text-end figures max-md:p-0 max-md:pe-2 max-md:text-start max-md:text-sm max-md:leading-tight max-md:before:block max-md:before:font-text max-md:before:font-normal max-md:before:text-ink-soft max-md:before:content-[attr(data-label)]"
    >
      {formatInteger(points)}
    </Cell>
  )
}

const STACKED =
  'max-md:grid max-md:grid-cols-[3.25rem_repeat(3,minmax(0,1fr))] max-md:gap-y-1.5 max-md:py-3.5'

const { gold, silver, bronze } = LEADERBOARD.medals
const MEDALS = [gold, silver, bronze]

function Medal({ rank }: { rank: number }) {
  return (
    <svg
      viewBox="0 0 40 48"
      role="img"
      aria-label={LEADERBOARD.ranked({ rank, medal: MEDALS[rank - 1] ?? '' })}
      strokeWidth="2.5"
      strokeLinejoin="round"
      className="h-10"
    >
      <path d="M10 2l7 16M30 2l-7 16M10 2h8l2 5 2-5h8" fill="none" className="stroke-ink" />
      <circle cx="20" cy="31" r="14" className={FILLS[rank - 1]} />
      <text
        x="20"
        y="36.5"
        textAnchor="middle"
        strokeWidth="0"
        className={`${INKS[rank - 1]} font-display text-base font-extrabold`}
      >
        {rank}
      </text>
    </svg>
  )
}

/** Medals differ in fill and number, not only in color. */
const FILLS = ['fill-accent stroke-ink', 'fill-ink stroke-ink', 'fill-transparent stroke-ink']
const INKS = ['fill-on-accent', 'fill-paper', 'fill-ink']
