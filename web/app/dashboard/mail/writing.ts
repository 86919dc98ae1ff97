import type { Announcement } from '#contract/dashboard/announcements.ts'
import { createKept } from '../common/kept.ts'
import type { Content } from './preview.tsx'

/** What the open writer has. `id`: null until a new announcement is saved. `key` tells writers apart. */
export type Writing = { key: symbol; id: string | null; content: Content }

/** Null while the writer is closed. */
export const keptWriting = createKept<Writing | null>(null)

export const openWriter = (draft?: Announcement) =>
  keptWriting.keep({
    key: Symbol(),
    id: draft?.id ?? null,
    content: { subject: draft?.subject ?? '', text: draft?.text ?? '' },
  })

export const closeWriter = () => keptWriting.keep(null)

/** Changes nothing if the writer has been closed: another one may be open. */
export function changeWriting(key: symbol, changes: Partial<Writing>): void {
  const current = keptWriting.read()
  if (current?.key === key) keptWriting.keep({ ...current, ...changes })
}
