import { useState } from 'react'
import type { Announcement } from '#contract/dashboard/announcements.ts'
import { ANNOUNCEMENTS } from '#messages/dashboard-mail.js'
import { Button } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { AnnouncementItem } from './announcement-item.tsx'
import { QueryContent } from '../query-content.tsx'
import { useAnnouncements, useSend } from './use-announcements.ts'
import { Writer } from './writer.tsx'
import { fieldsOf } from '#web/features/api/api-error.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { FormDialog } from '../form-dialog.tsx'

/** Emails to everybody who asked for them: written, tried, sent, stopped. */
export function Announcements() {
  const list = useAnnouncements()
  // What is being written: a draft, a new one, or nothing.
  const [written, setWritten] = useState<Announcement | 'new' | null>(null)
  const [toSend, setToSend] = useState<Announcement | null>(null)
  // Sending another one, which was stopped, leaves what is being written.
  const [isWrittenSent, setWrittenSent] = useState(false)
  const askToSend = (announcement: Announcement, isWritten: boolean) => {
    setToSend(announcement)
    setWrittenSent(isWritten)
  }
  return (
    <QueryContent query={list}>
      {({ data, subscribers }) => (
        <>
          <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <p className="max-w-prose text-ink-soft">{ANNOUNCEMENTS.lead({ count: subscribers })}</p>
            {written === null && <Button onClick={() => setWritten('new')}>{ANNOUNCEMENTS.write}</Button>}
          </div>
          {written !== null && (
            <Writer
              key={written === 'new' ? 'new' : written.id}
              draft={written === 'new' ? null : written}
              onSend={(saved) => askToSend(saved, true)}
              onClose={() => setWritten(null)}
            />
          )}
          {data.length === 0 && written === null ? (
            <Empty pose="waving" text={ANNOUNCEMENTS.none} action={null} />
          ) : (
            <ul className="mt-6 grid gap-3" aria-label={ANNOUNCEMENTS.caption}>
              {data.map((announcement) => (
                <AnnouncementItem
                  key={announcement.id}
                  announcement={announcement}
                  onEdit={() => setWritten(announcement)}
                  onSend={() => askToSend(announcement, false)}
                />
              ))}
            </ul>
          )}
          <SendDialog
            announcement={toSend}
            subscribers={subscribers}
            onSent={() => isWrittenSent && setWritten(null)}
            onClose={() => setToSend(null)}
          />
        </>
      )}
    </QueryContent>
  )
}

type SendDialogProps = {
  /** Null while the dialog is closed. */
  announcement: Announcement | null
  subscribers: number
  onSent: () => void
  onClose: () => void
}

/** Asks for confirmation before an announcement is sent, and for the number of emails a minute. */
function SendDialog({ announcement, subscribers, onSent, onClose }: SendDialogProps) {
  const sending = useSend(() => {
    onSent()
    onClose()
  })
  const left = announcement?.state === 'stopped' ? announcement.counts.waiting : subscribers
  return (
    <FormDialog
      open={announcement !== null}
      title={ANNOUNCEMENTS.sendTitle}
      yes={ANNOUNCEMENTS.sendNow}
      isPending={sending.isPending}
      onValues={({ perMinute = '' }) =>
        announcement && sending.mutate({ id: announcement.id, perMinute: Number(perMinute) })
      }
      onClose={onClose}
    >
      <p>{ANNOUNCEMENTS.sendLead({ count: left })}</p>
      <Field
        label={ANNOUNCEMENTS.perMinute}
        hint={ANNOUNCEMENTS.perMinuteHint}
        error={fieldsOf(sending.error)['perMinute']}
        name="perMinute"
        type="number"
        min={1}
        max={1_000}
        step={1}
        required
        defaultValue={announcement?.perMinute}
      />
    </FormDialog>
  )
}
