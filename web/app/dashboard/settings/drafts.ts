import { useSyncExternalStore } from 'react'
import type { Change, Setting } from '#contract/dashboard/settings.ts'
import { sessionUser } from '#web/features/session/session.ts'

/** Unsaved changes, by path. */
export type Drafts = Readonly<Record<string, Change>>

const NONE: Drafts = {}

/** Kept while the tab is open, so that they survive a visit to another screen. */
let kept: { account: string | undefined; drafts: Drafts } | undefined
const listeners = new Set<() => void>()

/** The drafts of the current account. */
export const readDrafts = (): Drafts =>
  kept !== undefined && kept.account === sessionUser()?._id ? kept.drafts : NONE

export function keepDrafts(drafts: Drafts): void {
  kept = { account: sessionUser()?._id, drafts }
  for (const listener of listeners) listener()
}

/** Follows the drafts, even if a save ends after its screen was left and opened again. */
export const useDrafts = (): Drafts => useSyncExternalStore(subscribe, readDrafts)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

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

export function draftedValue(drafts: Drafts, { path, value, fileValue }: Setting): unknown {
  const draft = drafts[path]
  if (!draft) return value
  return 'unset' in draft ? fileValue : draft.value
}

/** The drafts without saved changes. Keeps what was edited while they were being saved. */
export const withoutSaved = (drafts: Drafts, saved: readonly Change[]): Drafts =>
  Object.fromEntries(Object.entries(drafts).filter(([, draft]) => !saved.includes(draft)))

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
