import type { Announcement } from '#contract/dashboard/announcements.ts'
import { createUnsavedInput } from '../ui/unsaved-input.ts'
import type { Content } from './preview.tsx'

export type SavedDraft = Pick<Announcement, 'id' | 'updatedAt'>

/** The state of the open writer. `draft` is null until it is saved. `key` tells one writer from the next. */
export type Writing = { key: symbol; draft: SavedDraft | null; content: Content }

/** Null while the writer is closed. */
export const unsavedAnnouncement = createUnsavedInput<Writing | null>(null)

export const openWriter = (draft?: Announcement) =>
  unsavedAnnouncement.keep({
    key: Symbol(),
    draft: draft ?? null,
    content: { subject: draft?.subject ?? '', text: draft?.text ?? '' },
  })

export const closeWriter = () => unsavedAnnouncement.keep(null)

/** Changes nothing if the writer with this key has been closed: another one may be open. */
export function changeWriting(key: symbol, changes: Partial<Writing>): void {
  const current = unsavedAnnouncement.read()
  if (current?.key === key) unsavedAnnouncement.keep({ ...current, ...changes })
}
