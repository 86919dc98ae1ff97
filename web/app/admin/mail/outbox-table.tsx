import type { EmailState, OutboxEntry } from '#contract/dashboard/mail.ts'
import { OUTBOX } from '#messages/dashboard-mail.js'
import { templateName } from '#web/content/dashboard/mail.ts'
import { Ago, formatDateTime } from '#web/features/time/time.tsx'
import { classes } from '#web/ui/classes.ts'
import { type Column, StackedTable } from '../stacked-table.tsx'
import { useResend } from './use-mail.ts'
import { CompactButton } from '../compact-button.tsx'

export function OutboxTable({ entries }: { entries: readonly OutboxEntry[] }) {
  const resending = useResend()
  return (
    <StackedTable
      caption={OUTBOX.caption}
      columns={[...COLUMNS, resendColumn(resending)]}
      entries={entries}
      keyOf={({ id }) => id}
    />
  )
}

const STATE_CLASSES: Record<EmailState, string> = {
  waiting: '',
  deferred: 'text-accent-text',
  sent: 'text-proof',
  failed: 'text-accent-text',
  expired: 'text-accent-text',
  suppressed: 'text-ink-soft',
}

const COLUMNS: readonly Column<OutboxEntry>[] = [
  { name: OUTBOX.email, className: 'font-semibold', cell: ({ template }) => templateName(template) },
  {
    name: OUTBOX.to,
    cell: ({ to, username }) => (
      <span>
        <span className="block wrap-anywhere md:min-w-48">{to}</span>
        {username !== null && <bdi className="block text-sm text-ink-soft wrap-anywhere">{username}</bdi>}
      </span>
    ),
  },
  {
    name: OUTBOX.state,
    cell: ({ state, attempts }) => (
      <span>
        <span className={classes('block font-semibold', STATE_CLASSES[state])}>{OUTBOX.states[state]}</span>
        {attempts > 0 && (
          <span className="block text-sm text-ink-soft">{OUTBOX.attempts({ count: attempts })}</span>
        )}
      </span>
    ),
  },
  {
    name: OUTBOX.answer,
    className: 'md:max-w-80',
    cell: ({ answer, finishedAt }) =>
      answer === null ? (
        <span className="text-ink-soft">{finishedAt === null ? OUTBOX.noAnswer : OUTBOX.unknownAnswer}</span>
      ) : (
        <span className="font-mono text-sm wrap-anywhere">{answer}</span>
      ),
  },
  {
    name: OUTBOX.when,
    className: 'text-sm md:whitespace-nowrap',
    cell: ({ queuedAt, finishedAt, answeredAt, nextTryAt, state }) => (
      <span>
        <Ago at={finishedAt ?? answeredAt ?? queuedAt} className="block" />
        {nextTryAt !== null && state === 'deferred' && (
          <span className="block text-ink-soft">{OUTBOX.next({ time: formatDateTime(nextTryAt) })}</span>
        )}
      </span>
    ),
  },
]

const resendColumn = (resending: ReturnType<typeof useResend>): Column<OutboxEntry> => ({
  name: OUTBOX.action,
  kind: 'action',
  cell: ({ id, to, canResend }) =>
    canResend && (
      <CompactButton
        isPending={resending.isPending && resending.variables === id}
        aria-label={OUTBOX.resendOf({ to })}
        onClick={() => resending.mutate(id)}
      >
        {OUTBOX.resend}
      </CompactButton>
    ),
})
