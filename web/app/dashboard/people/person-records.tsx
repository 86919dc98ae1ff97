import type { ReactNode } from 'react'
import type { JournalEntry } from '#contract/journal.ts'
import type { Person, SentMail } from '#contract/dashboard/person.ts'
import { JOURNAL_ACTIONS } from '#messages/dashboard-journal.js'
import { PERSON } from '#messages/dashboard-people.js'
import { templateName } from '#web/content/dashboard/mail.ts'
import { Ago, AgoIn } from '#web/features/time/time.tsx'
import { classes } from '#web/ui/classes.ts'
import { CAMPAIGN } from '../../campaign-data.ts'
import { DashboardSection } from '../dashboard-screen.tsx'
import { type Column, StackedTable } from '../ui/stacked-table.tsx'
import { describeEntry, formatSigned } from './describe-entry.ts'

type RecordListProps<Entry> = {
  title: string
  none: string
  entries: readonly Entry[]
  children: (entry: Entry, index: number) => ReactNode
}

function RecordList<Entry>({ title, none, entries, children }: RecordListProps<Entry>) {
  return (
    <DashboardSection title={title}>
      {entries.length === 0 ? (
        <p className="text-sm text-ink-soft">{none}</p>
      ) : (
        <ul className="divide-y divide-hairline border-b border-hairline text-sm">{entries.map(children)}</ul>
      )}
    </DashboardSection>
  )
}

const KIND_NAMES = {
  pf: CAMPAIGN.token.symbol,
  pls: CAMPAIGN.chain.currency.symbol,
  referral: PERSON.referral,
}

export function Ledger({ rows }: { rows: Person['ledger'] }) {
  return (
    <RecordList title={PERSON.ledger} none={PERSON.noLedger} entries={rows}>
      {({ at, kind, amount, claimId }, index) => (
        <li
          key={`${claimId} ${at} ${index}`}
          className="grid grid-cols-[minmax(0,1fr)_auto_6rem] gap-x-4 py-2"
        >
          <span>{KIND_NAMES[kind]}</span>
          <Ago at={at} className="text-ink-soft" />
          <span className={classes('figures text-end', amount < 0 && 'text-accent-text')}>
            {formatSigned(amount)}
          </span>
        </li>
      )}
    </RecordList>
  )
}

export function Mails({ mails }: { mails: readonly SentMail[] }) {
  return (
    <RecordList title={PERSON.mails} none={PERSON.noMails} entries={mails}>
      {({ template, state, queuedAt, endedAt, attempts, trouble }) => (
        <li key={`${template} ${queuedAt}`} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-2">
          <span className="break-words">{templateName(template)}</span>
          <span className={classes(state === 'given_up' && 'font-semibold text-accent-text')}>
            {PERSON.mailState[state]} <Ago at={endedAt ?? queuedAt} className="text-ink-soft" />
          </span>
          {trouble && (
            <span className="col-span-2 wrap-anywhere text-ink-soft">
              {PERSON.attempts({ count: attempts })}: {trouble}
            </span>
          )}
        </li>
      )}
    </RecordList>
  )
}

export function Sessions({ sessions }: { sessions: Person['sessions'] }) {
  return (
    <RecordList title={PERSON.sessions} none={PERSON.noSessions} entries={sessions}>
      {({ startedAt, lastSeenAt, inBrowser }) => (
        <li key={startedAt} className="flex flex-wrap justify-between gap-x-4 py-2">
          <span>
            <AgoIn message={inBrowser ? PERSON.inBrowser : PERSON.byToken} at={startedAt} />
          </span>
          <span className="text-ink-soft">
            <AgoIn message={PERSON.lastSeen} at={lastSeenAt} />
          </span>
        </li>
      )}
    </RecordList>
  )
}

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

/** Actions of older versions may have no words. */
const wordsFor = (action: string) => (JOURNAL_ACTIONS as Partial<Record<string, string>>)[action] ?? action

const COLUMNS: readonly Column<JournalEntry>[] = [
  { name: PERSON.when, className: 'whitespace-nowrap', cell: ({ at }) => <Ago at={at} /> },
  { name: PERSON.action, title: ({ action }) => action, cell: ({ action }) => wordsFor(action) },
  { name: PERSON.who, cell: ({ actorName }) => <bdi>{actorName ?? PERSON.program}</bdi> },
  {
    name: PERSON.details,
    className: 'wrap-anywhere text-ink-soft',
    cell: (entry) => <bdi>{describeEntry(entry, KIND_NAMES).join(' · ')}</bdi>,
  },
]
