import { useState } from 'react'
import { type Announcement, stopAnnouncement } from '#contract/dashboard/announcements.ts'
import { ANNOUNCEMENTS } from '#messages/dashboard-mail.js'
import { call } from '#web/features/api/call.ts'
import { Ago } from '#web/features/time/time.tsx'
import { classes } from '#web/ui/classes.ts'
import { formatInteger } from '#web/ui/text/format.ts'
import { CompactButton } from '../ui/compact-button.tsx'
import { useChange } from '../api/use-change.ts'
import { MAIL_QUERY } from './use-mail.ts'

type AnnouncementItemProps = {
  announcement: Announcement
  /** Undefined while the form is open, whose unsaved text this draft would replace. */
  onEdit: (() => void) | undefined
  onSend: () => void
}

export function AnnouncementItem({ announcement, onEdit, onSend }: AnnouncementItemProps) {
  const { subject, state, createdAt, startedAt, endedAt } = announcement
  return (
    <li className="grid gap-3 rounded-md border border-hairline p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h2 className="text-lg wrap-anywhere" dir="auto">
            {subject}
          </h2>
          <p className="text-sm text-ink-soft">
            <span className={classes('font-semibold', state === 'sending' && 'text-accent-text')}>
              {ANNOUNCEMENTS.states[state]}
            </span>
            , <Ago at={endedAt ?? startedAt ?? createdAt} />
          </p>
        </div>
        <Actions announcement={announcement} onEdit={onEdit} onSend={onSend} />
      </div>
      {state !== 'draft' && <Progress announcement={announcement} />}
    </li>
  )
}

function Actions({ announcement: { id, state }, onEdit, onSend }: AnnouncementItemProps) {
  const stopping = useChange(MAIL_QUERY, () => call(stopAnnouncement, { params: { id } }))
  if (state === 'draft')
    return onEdit ? <CompactButton onClick={onEdit}>{ANNOUNCEMENTS.edit}</CompactButton> : null
  if (state === 'sending')
    return (
      <CompactButton isPending={stopping.isPending} onClick={() => stopping.mutate()}>
        {ANNOUNCEMENTS.stop}
      </CompactButton>
    )
  if (state === 'stopped') return <CompactButton onClick={onSend}>{ANNOUNCEMENTS.goOn}</CompactButton>
  return null
}

const DAY_MS = 24 * 3_600_000

function Progress({ announcement }: { announcement: Announcement }) {
  const { audience, counts, state, endedAt } = announcement
  const [now] = useState(Date.now)
  // Failed emails can be resent for a day.
  const canResend = endedAt === null || now - Date.parse(endedAt) < DAY_MS
  const total = audience ?? 0
  const figures = [
    [ANNOUNCEMENTS.sent, counts.sent],
    [ANNOUNCEMENTS.failed, counts.failed],
    [ANNOUNCEMENTS.skipped, counts.skipped],
    ...(state === 'sent' ? [] : [[ANNOUNCEMENTS.waiting, counts.waiting] as const]),
  ] as const
  return (
    <>
      {state !== 'sent' && (
        <progress
          aria-label={ANNOUNCEMENTS.progress}
          value={total - counts.waiting}
          max={Math.max(1, total)}
          className="w-full"
        />
      )}
      <dl className="flex flex-wrap gap-x-8 gap-y-1 text-sm">
        {figures.map(([name, count]) => (
          <div key={name} className="flex items-baseline gap-2">
            <dt className="text-ink-soft">{name}</dt>
            <dd className="figures font-semibold">{formatInteger(count)}</dd>
          </div>
        ))}
      </dl>
      {counts.failed > 0 && canResend && <p className="text-sm text-ink-soft">{ANNOUNCEMENTS.failedHint}</p>}
    </>
  )
}
