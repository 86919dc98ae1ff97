import type { JournalEntry } from '#contract/journal.ts'
import type { Person } from '#contract/dashboard/person.ts'
import { JOURNAL_ACTIONS } from '#messages/dashboard-journal.js'
import { PERSON } from '#messages/dashboard-people.js'
import { Ago } from '#web/features/time/time.tsx'
import { classes } from '#web/ui/classes.ts'
import { formatInteger } from '#web/ui/format.ts'
import { CAMPAIGN } from '../../campaign-data.ts'
import { DashboardSection } from '../dashboard-section.tsx'
import { type Column, StackedTable } from '../stacked-table.tsx'
import { describeEntry } from './describe-entry.ts'

const KINDS = {
  pf: CAMPAIGN.token.symbol,
  pls: CAMPAIGN.chain.currency.symbol,
  referral: PERSON.referral,
}

/** The latest credits and reversals of a person. */
export function Ledger({ rows }: { rows: Person['ledger'] }) {
  return (
    <DashboardSection title={PERSON.ledger}>
      {rows.length === 0 ? (
        <p className="text-sm text-ink-soft">{PERSON.noLedger}</p>
      ) : (
        <ul className="divide-y divide-hairline border-b border-hairline text-sm">
          {rows.map(({ at, kind, amount, claimId }, index) => (
            <li
              key={`${claimId} ${at} ${index}`}
              className="grid grid-cols-[minmax(0,1fr)_auto_6rem] gap-x-4 py-2"
            >
              <span>{KINDS[kind]}</span>
              <Ago at={at} className="text-ink-soft" />
              <span className={classes('figures text-end', amount < 0 && 'text-accent-text')}>
                {amount < 0 ? '−' : '+'}
                {formatInteger(Math.abs(amount))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </DashboardSection>
  )
}

/** The latest entries of the journal about a person and their claims. */
export function Journal({ entries }: { entries: readonly JournalEntry[] }) {
  return (
    <DashboardSection title={PERSON.journal}>
      {entries.length === 0 ? (
        <p className="text-sm text-ink-soft">{PERSON.noJournal}</p>
      ) : (
        <StackedTable
          caption={PERSON.journal}
          className="text-sm"
          columns={COLUMNS}
          entries={entries}
          keyOf={({ id }) => id}
        />
      )}
    </DashboardSection>
  )
}

/** An entry of an older version may have an action without words. */
const wordsFor = (action: string) => (JOURNAL_ACTIONS as Partial<Record<string, string>>)[action] ?? action

const COLUMNS: readonly Column<JournalEntry>[] = [
  { name: PERSON.when, className: 'whitespace-nowrap', cell: ({ at }) => <Ago at={at} /> },
  { name: PERSON.action, title: ({ action }) => action, cell: ({ action }) => wordsFor(action) },
  { name: PERSON.who, cell: ({ actorName }) => <bdi>{actorName ?? PERSON.program}</bdi> },
  {
    name: PERSON.details,
    className: 'wrap-anywhere text-ink-soft',
    cell: (entry) => <bdi>{describeEntry(entry, KINDS).join(' · ')}</bdi>,
  },
]
