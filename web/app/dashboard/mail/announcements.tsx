import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Announcement,
  listAnnouncements,
  MAX_EMAILS_PER_MINUTE,
  sendAnnouncement,
} from '#contract/dashboard/announcements.ts'
import { ANNOUNCEMENTS } from '#messages/dashboard-mail.js'
import { Button } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { AnnouncementItem } from './announcement-item.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Writer } from './writer.tsx'
import { call } from '#web/features/api/call.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { useChange } from '../api/use-change.ts'
import { useUnsavedInput } from '../ui/unsaved-input.ts'
import { MAIL_QUERY } from './use-mail.ts'
import { closeWriter, unsavedAnnouncement, openWriter, type SavedDraft } from './writing.ts'

const POLL_MS = 1_500

export function Announcements() {
  const list = useQuery({
    queryKey: [...MAIL_QUERY, 'announcements'],
    queryFn: () => call(listAnnouncements, {}),
    refetchInterval: ({ state }) =>
      state.data?.data.some((announcement) => announcement.state === 'sending') ? POLL_MS : false,
  })
  const writing = useUnsavedInput(unsavedAnnouncement)
  const [toSend, setToSend] = useState<Announcement | null>(null)
  const sending = useSend(({ id }) => {
    // By the time of the reply, dialog and writer may have been closed and opened for another announcement.
    setToSend((current) => (current?.id === id ? null : current))
    if (unsavedAnnouncement.read()?.draft?.id === id) closeWriter()
  })
  const askToSend = (announcement: Announcement) => {
    // A reset would hide a call that is still pending.
    if (!sending.isPending) sending.reset()
    setToSend(announcement)
  }
  return (
    <QueryContent query={list}>
      {({ data, subscribers }) => (
        <>
          <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <p className="max-w-prose text-ink-soft">{ANNOUNCEMENTS.lead({ count: subscribers })}</p>
            {writing === null && <Button onClick={() => openWriter()}>{ANNOUNCEMENTS.write}</Button>}
          </div>
          {writing !== null && <Writer writing={writing} onSend={askToSend} onClose={closeWriter} />}
          {data.length === 0 && writing === null ? (
            <Empty pose="waving" text={ANNOUNCEMENTS.none} />
          ) : (
            <ul className="mt-6 grid gap-3" aria-label={ANNOUNCEMENTS.caption}>
              {data.map((announcement) => (
                <AnnouncementItem
                  key={announcement.id}
                  announcement={announcement}
                  onEdit={writing === null ? () => openWriter(announcement) : undefined}
                  onSend={() => askToSend(announcement)}
                />
              ))}
            </ul>
          )}
          <SendDialog
            announcement={toSend}
            subscribers={subscribers}
            sending={sending}
            onClose={() => setToSend(null)}
          />
        </>
      )}
    </QueryContent>
  )
}

const useSend = (onSent: (sent: Announcement) => void) =>
  useChange(
    MAIL_QUERY,
    ({ id, ...body }: SavedDraft & { perMinute: number }) => call(sendAnnouncement, { params: { id }, body }),
    { onDone: ({ data }) => onSent(data) },
  )

type SendDialogProps = {
  /** Null while the dialog is closed. */
  announcement: Announcement | null
  subscribers: number
  sending: ReturnType<typeof useSend>
  onClose: () => void
}

function SendDialog({ announcement, subscribers, sending, onClose }: SendDialogProps) {
  const emailCount = announcement?.state === 'stopped' ? announcement.counts.waiting : subscribers
  return (
    <FormDialog
      open={announcement !== null}
      title={ANNOUNCEMENTS.sendTitle}
      submitLabel={ANNOUNCEMENTS.sendNow}
      isPending={sending.isPending}
      onValues={({ perMinute = '' }) => {
        if (!announcement) return
        const { id, updatedAt } = announcement
        sending.mutate({ id, updatedAt, perMinute: Number(perMinute) })
      }}
      onClose={onClose}
    >
      <p>{ANNOUNCEMENTS.sendLead({ count: emailCount })}</p>
      <Field
        label={ANNOUNCEMENTS.perMinute}
        hint={ANNOUNCEMENTS.perMinuteHint}
        error={sending.errors['perMinute']}
        name="perMinute"
        type="number"
        min={1}
        max={MAX_EMAILS_PER_MINUTE}
        step={1}
        required
        defaultValue={announcement?.perMinute}
      />
    </FormDialog>
  )
}
