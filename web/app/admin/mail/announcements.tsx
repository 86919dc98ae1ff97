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

/** Announcements: the list, the writer of a draft, and the dialog that sends one. */
export function Announcements() {
  const list = useAnnouncements()
  // The draft in the writer: a saved one, a new one, or null while the writer is closed.
  const [draft, setDraft] = useState<Announcement | 'new' | null>(null)
  const [toSend, setToSend] = useState<Announcement | null>(null)
  // Sending the draft closes the writer; resuming a stopped announcement does not.
  const [isSendingDraft, setSendingDraft] = useState(false)
  const askToSend = (announcement: Announcement, isDraft: boolean) => {
    setToSend(announcement)
    setSendingDraft(isDraft)
  }
  return (
    <QueryContent query={list}>
      {({ data, subscribers }) => (
        <>
          <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <p className="max-w-prose text-ink-soft">{ANNOUNCEMENTS.lead({ count: subscribers })}</p>
            {draft === null && <Button onClick={() => setDraft('new')}>{ANNOUNCEMENTS.write}</Button>}
          </div>
          {draft !== null && (
            <Writer
              key={draft === 'new' ? 'new' : draft.id}
              draft={draft === 'new' ? null : draft}
              onSend={(saved) => askToSend(saved, true)}
              onClose={() => setDraft(null)}
            />
          )}
          {data.length === 0 && draft === null ? (
            <Empty pose="waving" text={ANNOUNCEMENTS.none} action={null} />
          ) : (
            <ul className="mt-6 grid gap-3" aria-label={ANNOUNCEMENTS.caption}>
              {data.map((announcement) => (
                <AnnouncementItem
                  key={announcement.id}
                  announcement={announcement}
                  onEdit={() => setDraft(announcement)}
                  onSend={() => askToSend(announcement, false)}
                />
              ))}
            </ul>
          )}
          <SendDialog
            announcement={toSend}
            subscribers={subscribers}
            onSent={() => {
              if (isSendingDraft) setDraft(null)
            }}
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

/** Asks for confirmation before an announcement is sent, and for the number of emails per minute. */
function SendDialog({ announcement, subscribers, onSent, onClose }: SendDialogProps) {
  const sending = useSend(() => {
    onSent()
    onClose()
  })
  const emailCount = announcement?.state === 'stopped' ? announcement.counts.waiting : subscribers
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
      <p>{ANNOUNCEMENTS.sendLead({ count: emailCount })}</p>
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
