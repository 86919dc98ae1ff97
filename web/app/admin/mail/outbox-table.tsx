import type { EmailState, OutboxEntry } from '#contract/dashboard/mail.ts'
import { OUTBOX } from '#messages/dashboard-mail.js'
import { templateName } from '#web/content/dashboard/mail.ts'
import { Ago, formatDateTime } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '#web/ui/table.tsx'
import { STACKED_CELL, STACKED_ROW } from '../payout/amounts.tsx'
import { useResend } from './use-mail.ts'

export function OutboxTable({ entries }: { entries: readonly OutboxEntry[] }) {
  const resending = useResend()
  return (
    <Table caption={OUTBOX.caption}>
      <TableHead className="max-md:sr-only">
        <ColumnHead>{OUTBOX.email}</ColumnHead>
        <ColumnHead>{OUTBOX.to}</ColumnHead>
        <ColumnHead>{OUTBOX.state}</ColumnHead>
        <ColumnHead>{OUTBOX.answer}</ColumnHead>
        <ColumnHead>{OUTBOX.when}</ColumnHead>
        <ColumnHead>
          <span className="sr-only">{OUTBOX.action}</span>
        </ColumnHead>
      </TableHead>
      <TableBody>
        {entries.map((entry) => (
          <EntryRow
            key={entry.id}
            entry={entry}
            isPending={resending.isPending && resending.variables === entry.id}
            onResend={() => resending.mutate(entry.id)}
          />
        ))}
      </TableBody>
    </Table>
  )
}

const TONES: Record<EmailState, string> = {
  waiting: '',
  deferred: 'text-signal-text',
  sent: 'text-proof',
  failed: 'text-signal-text',
  expired: 'text-signal-text',
  suppressed: 'text-ink-soft',
}

type EntryRowProps = { entry: OutboxEntry; isPending: boolean; onResend: () => void }

function EntryRow({ entry, isPending, onResend }: EntryRowProps) {
  const { template, to, username, state, attempts, answer, canResend } = entry
  return (
    <Row className={STACKED_ROW}>
      <Cell label={OUTBOX.email} className={classes(STACKED_CELL, 'font-semibold')}>
        {templateName(template)}
      </Cell>
      <Cell label={OUTBOX.to} className={STACKED_CELL}>
        <span>
          <span className="block wrap-anywhere md:min-w-48">{to}</span>
          {username !== null && <bdi className="block text-sm text-ink-soft wrap-anywhere">{username}</bdi>}
        </span>
      </Cell>
      <Cell label={OUTBOX.state} className={STACKED_CELL}>
        <span>
          <span className={classes('block font-semibold', TONES[state])}>{OUTBOX.states[state]}</span>
          {attempts > 0 && (
            <span className="block text-sm text-ink-soft">{OUTBOX.attempts({ count: attempts })}</span>
          )}
        </span>
      </Cell>
      <Cell label={OUTBOX.answer} className={classes(STACKED_CELL, 'md:max-w-80')}>
        {answer === null ? (
          <span className="text-ink-soft">
            {entry.finishedAt === null ? OUTBOX.noAnswer : OUTBOX.unknownAnswer}
          </span>
        ) : (
          <span className="font-mono text-sm wrap-anywhere">{answer}</span>
        )}
      </Cell>
      <Cell label={OUTBOX.when} className={classes(STACKED_CELL, 'text-sm md:whitespace-nowrap')}>
        <When entry={entry} />
      </Cell>
      <Cell className="max-md:px-0 max-md:pt-1.5 md:text-end">
        {canResend && (
          <Button
            variant="secondary"
            size="compact"
            pending={isPending}
            aria-label={OUTBOX.resendOf({ to })}
            onClick={onResend}
          >
            {OUTBOX.resend}
          </Button>
        )}
      </Cell>
    </Row>
  )
}

function When({ entry: { queuedAt, finishedAt, answeredAt, nextTryAt, state } }: { entry: OutboxEntry }) {
  return (
    <span>
      <Ago at={finishedAt ?? answeredAt ?? queuedAt} className="block" />
      {nextTryAt !== null && state === 'deferred' && (
        <span className="block text-ink-soft">{OUTBOX.next({ time: formatDateTime(nextTryAt) })}</span>
      )}
    </span>
  )
}
