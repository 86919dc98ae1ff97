import type { JournalEntry } from '#contract/journal.ts'
import type { Person } from '#contract/dashboard/person.ts'
import { JOURNAL_ACTIONS } from '#messages/dashboard-journal.js'
import { PERSON } from '#messages/dashboard-people.js'
import { Ago } from '#web/features/time/time.tsx'
import { classes } from '#web/ui/classes.ts'
import { formatInteger } from '#web/ui/format.ts'
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '#web/ui/table.tsx'
import { CAMPAIGN } from '../../campaign-data.ts'
import { Part, STACKED_CELL, STACKED_ROW } from '../payout/amounts.tsx'
import { describeEntry } from './describe-entry.ts'

const KINDS = {
  pf: CAMPAIGN.token.symbol,
  pls: CAMPAIGN.chain.currency.symbol,
  referral: PERSON.referral,
}

/** The latest credits and reversals of a person. */
export function Ledger({ rows }: { rows: Person['ledger'] }) {
  return (
    <Part title={PERSON.ledger}>
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
              <span className={classes('figures text-end', amount < 0 && 'text-signal-text')}>
                {amount < 0 ? '−' : '+'}
                {formatInteger(Math.abs(amount))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

/** The latest entries of the journal about a person and their claims. */
export function Journal({ entries }: { entries: readonly JournalEntry[] }) {
  return (
    <Part title={PERSON.journal}>
      {entries.length === 0 ? (
        <p className="text-sm text-ink-soft">{PERSON.noJournal}</p>
      ) : (
        <Table caption={PERSON.journal} className="text-sm">
          <TableHead className="max-md:sr-only">
            <ColumnHead>{PERSON.when}</ColumnHead>
            <ColumnHead>{PERSON.action}</ColumnHead>
            <ColumnHead>{PERSON.who}</ColumnHead>
            <ColumnHead>{PERSON.details}</ColumnHead>
          </TableHead>
          <TableBody>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </TableBody>
        </Table>
      )}
    </Part>
  )
}

function Entry({ entry }: { entry: JournalEntry }) {
  const { at, action, actorName } = entry
  return (
    <Row className={STACKED_ROW}>
      <Cell label={PERSON.when} className={classes(STACKED_CELL, 'whitespace-nowrap')}>
        <Ago at={at} />
      </Cell>
      <Cell label={PERSON.action} title={action} className={STACKED_CELL}>
        {wordsFor(action)}
      </Cell>
      <Cell label={PERSON.who} className={STACKED_CELL}>
        <bdi>{actorName ?? PERSON.program}</bdi>
      </Cell>
      <Cell label={PERSON.details} className={classes(STACKED_CELL, 'wrap-anywhere text-ink-soft')}>
        <bdi>{describeEntry(entry, KINDS).join(' · ')}</bdi>
      </Cell>
    </Row>
  )
}

/** An entry of an older version may have an action without words. */
const wordsFor = (action: string) => (JOURNAL_ACTIONS as Partial<Record<string, string>>)[action] ?? action
