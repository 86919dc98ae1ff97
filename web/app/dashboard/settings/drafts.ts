import type { Change, Setting } from '#contract/dashboard/settings.ts'
import { createUnsavedInput, useUnsavedInput } from '../ui/unsaved-input.ts'

/** Unsaved changes, by path. */
export type Drafts = Readonly<Record<string, Change>>

/** In memory until they are saved, also while another section of the dashboard is open. */
const unsaved = createUnsavedInput<Drafts>({})
export const { read: readDrafts, keep: keepDrafts } = unsaved
export const useDrafts = (): Drafts => useUnsavedInput(unsaved)

/** The drafts after a value was edited. Editing it back to the saved value removes its draft. */
export function withValue(drafts: Drafts, setting: Setting, value: unknown): Drafts {
  const { [setting.path]: _before, ...others } = drafts
  if (isSame(value, setting.value)) return others
  return { ...others, [setting.path]: { path: setting.path, value } }
}

/** The drafts after a setting was reset to the file. If it follows the file already, it needs no draft. */
export function withFileValue(drafts: Drafts, { path, source }: Setting): Drafts {
  const { [path]: _before, ...others } = drafts
  return source === 'file' ? others : { ...others, [path]: { path, unset: true } }
}

/** The value that the form shows: the saved one, the draft's, or after a reset the file's. */
export function draftedValue(drafts: Drafts, { path, value, fileValue }: Setting): unknown {
  const draft = drafts[path]
  if (!draft) return value
  return 'unset' in draft ? fileValue : draft.value
}

/** The drafts without the saved ones. An edit during the save has made a new draft object, which stays. */
export const withoutSaved = (drafts: Drafts, saved: readonly Change[]): Drafts =>
  Object.fromEntries(Object.entries(drafts).filter(([, draft]) => !saved.includes(draft)))

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
