import { useState, type ReactNode } from 'react'
import type { Outbox as Summary } from '#contract/dashboard/mail.ts'
import { OUTBOX } from '#messages/dashboard-mail.js'
import { AgoIn } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { formatInteger } from '#web/ui/format.ts'
import { CompactButton } from '../compact-button.tsx'
import { Choice, SearchForm } from '../toolbar.tsx'
import { Figure, Figures } from '../figure.tsx'
import { QueryContent, ListFoot } from '../query-content.tsx'
import { OutboxTable } from './outbox-table.tsx'
import { type OutboxView, useOutbox, useOutboxSummary, useResendFailed } from './use-mail.ts'
import { Select } from '#web/ui/forms/select.tsx'
import { FormDialog } from '../form-dialog.tsx'

/** What became of the emails of the last week. */
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
        <div className="flex grow flex-wrap items-end gap-x-4 gap-y-3 text-sm">
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

/** How long an email may wait before the figure asks for attention. */
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

function List({ view, onShowAll }: { view: OutboxView; onShowAll: () => void }) {
  const list = useOutbox(view)
  const isFiltered = view.state !== '' || view.to !== ''
  return (
    <QueryContent query={list}>
      {({ pages }) => {
        const entries = pages.flatMap(({ data }) => data)
        if (entries.length === 0)
          return (
            <Empty
              pose={isFiltered ? 'standing' : 'asleep'}
              text={isFiltered ? OUTBOX.noneFound : OUTBOX.none}
              action={
                isFiltered && (
                  <Button variant="secondary" onClick={onShowAll}>
                    {OUTBOX.all}
                  </Button>
                )
              }
            />
          )
        return (
          <div className="mt-4 grid gap-4" aria-busy={list.isFetchingNextPage}>
            <OutboxTable entries={entries} />
            <ListFoot list={list} />
          </div>
        )
      }}
    </QueryContent>
  )
}

/** Asks how many hours old failed emails may be to be sent again. */
function ResendDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const resending = useResendFailed(onClose)
  return (
    <FormDialog
      open={open}
      title={OUTBOX.resendFailed}
      yes={OUTBOX.resend}
      isPending={resending.isPending}
      onValues={({ hours = '24' }) => resending.mutate(Number(hours))}
      onClose={onClose}
    >
      <p>{OUTBOX.resendFailedLead}</p>
      <Select label={OUTBOX.within} name="hours" defaultValue="24" choices={OUTBOX.hours} />
    </FormDialog>
  )
}
