import { useState, type ReactNode } from 'react'
import {
  type EmailState,
  listMail,
  type Outbox as Summary,
  type OutboxEntry,
  resendFailedMail,
  resendMail,
} from '#contract/dashboard/mail.ts'
import { OUTBOX } from '#messages/dashboard-mail.js'
import { templateName } from '#web/content/dashboard/mail.ts'
import { call } from '#web/features/api/call.ts'
import { Ago, AgoIn, formatDateTime } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Empty } from '#web/ui/empty.tsx'
import { formatInteger } from '#web/ui/text/format.ts'
import { Select } from '#web/ui/forms/select.tsx'
import { CompactButton } from '../ui/compact-button.tsx'
import { Choice, SearchForm } from '../ui/toolbar.tsx'
import { Figure, Figures } from '../ui/figure.tsx'
import { ListFoot, usePages } from '../ui/paged-list.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { type Column, StackedTable } from '../ui/stacked-table.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { useChange } from '../api/use-change.ts'
import { MAIL_QUERY, POLL_MS, useOutboxSummary } from './use-mail.ts'

/** `to`: only emails to this exact address; empty for all. */
type OutboxView = { state: EmailState | ''; to: string }

export function Outbox() {
  const [view, setView] = useState<OutboxView>({ state: '', to: '' })
  const [isAsking, setAsking] = useState(false)
  const summary = useOutboxSummary()
  const { failed = 0 } = summary.data ?? {}
  return (
    <>
      <p className="mt-4 max-w-prose text-ink-soft">{OUTBOX.lead}</p>
      <QueryContent query={summary}>
        {(data) => <Counts summary={data} fetchedAtMs={summary.dataUpdatedAt} />}
      </QueryContent>
      <div className="mt-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 grow flex-wrap items-end gap-x-4 gap-y-3 text-sm">
          <Choice
            label={OUTBOX.filter}
            value={view.state}
            options={{ '': OUTBOX.anyState, ...OUTBOX.states }}
            onChoice={(state) => setView({ ...view, state })}
          />
          <SearchForm
            key={`${view.state} ${view.to}`}
            label={OUTBOX.address}
            button={OUTBOX.search}
            value={view.to}
            onSearch={(to) => setView({ ...view, to })}
            className="min-w-0 sm:max-w-sm"
          />
        </div>
        <CompactButton disabled={failed === 0} onClick={() => setAsking(true)}>
          {OUTBOX.resendFailed}
        </CompactButton>
      </div>
      <List view={view} onShowAll={() => setView({ state: '', to: '' })} />
      <ResendDialog open={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}

/** How long an email may wait before the figure of waiting emails is highlighted. */
const LATE_MS = 5 * 60_000

function Counts({ summary, fetchedAtMs }: { summary: Summary; fetchedAtMs: number }) {
  const { waiting, deferred, waitingSince, sent, failed, expired, suppressed } = summary
  const isLate = waitingSince !== null && fetchedAtMs - Date.parse(waitingSince) > LATE_MS
  return (
    <div className="mt-4">
      <Figures>
        <Figure label={OUTBOX.waiting} needsAttention={isLate}>
          {formatInteger(waiting + deferred)}
          <Note>{waitingSince && <AgoIn message={OUTBOX.oldest} at={waitingSince} />}</Note>
          <Note>{deferred > 0 && OUTBOX.deferredOf({ count: deferred })}</Note>
        </Figure>
        <Figure label={OUTBOX.sent}>{formatInteger(sent)}</Figure>
        <Figure label={OUTBOX.failed} needsAttention={failed > 0}>
          {formatInteger(failed)}
          <Note>{expired > 0 && OUTBOX.expiredToo({ count: expired })}</Note>
        </Figure>
        <Figure label={OUTBOX.suppressed}>{formatInteger(suppressed)}</Figure>
      </Figures>
    </div>
  )
}

function Note({ children }: { children: ReactNode }) {
  if (!children) return null
  return <span className="block font-text text-sm font-normal text-ink-soft">{children}</span>
}

function List({ view: { state, to }, onShowAll }: { view: OutboxView; onShowAll: () => void }) {
  const list = usePages({
    queryKey: [...MAIL_QUERY, 'outbox', state, to],
    fetchPage: (after) => call(listMail, { query: { state: state || undefined, to, after } }),
    pollMs: () => POLL_MS,
  })
  const isFiltered = state !== '' || to !== ''
  return (
    <QueryContent query={list}>
      {({ entries }) =>
        entries.length === 0 ? (
          <Empty pose={isFiltered ? 'standing' : 'asleep'} text={isFiltered ? OUTBOX.noneFound : OUTBOX.none}>
            {isFiltered && (
              <Button variant="secondary" onClick={onShowAll}>
                {OUTBOX.all}
              </Button>
            )}
          </Empty>
        ) : (
          <div className="mt-4 grid gap-4" aria-busy={list.isFetchingNextPage}>
            <StackedTable
              caption={OUTBOX.caption}
              columns={COLUMNS}
              entries={entries}
              keyOf={({ id }) => id}
            />
            <ListFoot list={list} />
          </div>
        )
      }
    </QueryContent>
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
  { name: OUTBOX.action, kind: 'action', cell: (entry) => entry.canResend && <Resend {...entry} /> },
]

function Resend({ id, to }: OutboxEntry) {
  const { isPending, mutate } = useChange(MAIL_QUERY, () => call(resendMail, { params: { id } }))
  return (
    <CompactButton isPending={isPending} aria-label={OUTBOX.resendOf({ to })} onClick={() => mutate()}>
      {OUTBOX.resend}
    </CompactButton>
  )
}

function ResendDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const resending = useChange(MAIL_QUERY, (hours: number) => call(resendFailedMail, { body: { hours } }), {
    onDone: onClose,
    reportOf: ({ resent }) => OUTBOX.resent({ count: resent }),
  })
  return (
    <FormDialog
      open={open}
      title={OUTBOX.resendFailed}
      submitLabel={OUTBOX.resend}
      isPending={resending.isPending}
      onValues={({ hours = '24' }) => resending.mutate(Number(hours))}
      onClose={onClose}
    >
      <p>{OUTBOX.resendFailedLead}</p>
      <Select label={OUTBOX.within} name="hours" defaultValue="24" choices={OUTBOX.hours} />
    </FormDialog>
  )
}
