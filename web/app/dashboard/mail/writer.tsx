import { useDeferredValue } from 'react'
import {
  type Announcement,
  changeAnnouncement,
  createAnnouncement,
  deleteAnnouncement,
  MAX_ANNOUNCEMENT_LENGTH,
  testAnnouncement,
} from '#contract/dashboard/announcements.ts'
import { ANNOUNCEMENTS } from '#messages/dashboard-mail.js'
import { fieldsOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { Form } from '#web/features/forms/form.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { pastePlain } from '#web/ui/forms/paste-plain.ts'
import { TextArea } from '#web/ui/forms/text-area.tsx'
import { useChange } from '../api/use-change.ts'
import { type Content, Preview } from './preview.tsx'
import { MAIL_QUERY } from './use-mail.ts'
import { changeWriting, type SavedDraft, type Writing } from './writing.ts'

type WriterProps = {
  writing: Writing
  /** @param draft as saved. */
  onSend: (draft: Announcement) => void
  onClose: () => void
}

/** Writes an announcement, with a preview. Sending or testing saves it first: the email is what is shown. */
export function Writer({ writing: { key, draft, content }, onSend, onClose }: WriterProps) {
  const setDraft = ({ id, updatedAt }: SavedDraft) => changeWriting(key, { draft: { id, updatedAt } })
  const setContent = (next: Content) => changeWriting(key, { content: next })
  const saving = useChange(MAIL_QUERY, saveDraft)
  const testing = useChange(MAIL_QUERY, async (unsaved: Unsaved) => {
    const { data } = await saveDraft(unsaved)
    setDraft(data)
    return call(testAnnouncement, { params: { id: data.id } })
  })
  const deleting = useChange(MAIL_QUERY, ({ id, updatedAt }: SavedDraft) =>
    call(deleteAnnouncement, { params: { id }, query: { updatedAt } }),
  )
  // Saving and testing a new draft at the same time would create it twice.
  const isSaving = saving.isPending || testing.isPending
  const errors = fieldsOf(testing.error ?? saving.error)
  const save = (onSaved?: (saved: Announcement) => void) => {
    testing.reset() // Its errors would be shown instead.
    saving.mutate(
      { draft, content },
      {
        onSuccess: ({ data }) => {
          setDraft(data)
          onSaved?.(data)
        },
      },
    )
  }
  const sendTest = () => {
    saving.reset()
    testing.mutate({ draft, content })
  }
  // `mutate` does not call its `onSuccess` once this writer is closed, when another may be open.
  const deleteDraft = (saved: SavedDraft) => deleting.mutate(saved, { onSuccess: onClose })
  return (
    <section className="mt-6 grid grid-cols-1 gap-8 rounded-md border border-ink p-4 sm:p-6 lg:grid-cols-2">
      <Form onValues={() => save(onSend)} className="grid content-start gap-5">
        <Field
          label={ANNOUNCEMENTS.subject}
          hint={ANNOUNCEMENTS.subjectHint}
          error={errors['subject']}
          value={content.subject}
          onChange={({ target }) => setContent({ ...content, subject: target.value })}
          maxLength={MAX_ANNOUNCEMENT_LENGTH.subject}
          required
          autoComplete="off"
          dir="auto"
        />
        <TextArea
          label={ANNOUNCEMENTS.text}
          hint={ANNOUNCEMENTS.textHint}
          error={errors['text']}
          value={content.text}
          onChange={({ target }) => setContent({ ...content, text: target.value })}
          maxLength={MAX_ANNOUNCEMENT_LENGTH.text}
          rows={10}
          required
          onPaste={pastePlain}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" isPending={isSaving}>
            {ANNOUNCEMENTS.send}
          </Button>
          <Button variant="secondary" isPending={isSaving} onClick={sendTest}>
            {ANNOUNCEMENTS.test}
          </Button>
          <Button variant="secondary" isPending={isSaving} onClick={() => save()}>
            {ANNOUNCEMENTS.save}
          </Button>
        </div>
        <div className="flex flex-wrap gap-x-6">
          <Button variant="quiet" onClick={onClose}>
            {ANNOUNCEMENTS.close}
          </Button>
          {draft !== null && (
            <Button variant="quiet" isPending={deleting.isPending} onClick={() => deleteDraft(draft)}>
              {ANNOUNCEMENTS.discard}
            </Button>
          )}
        </div>
      </Form>
      <Preview content={useDeferredValue(content)} />
    </section>
  )
}

type Unsaved = Pick<Writing, 'draft' | 'content'>

const saveDraft = ({ draft, content }: Unsaved) =>
  draft === null
    ? call(createAnnouncement, { body: content })
    : call(changeAnnouncement, {
        params: { id: draft.id },
        body: { ...content, updatedAt: draft.updatedAt },
      })
