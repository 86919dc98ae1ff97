import type { Change, Setting } from '#contract/dashboard/settings.ts'
import { withLocalTimes } from '#web/features/time/time.tsx'

/** Changes that are not saved, by path. */
export type Drafts = Readonly<Record<string, Change>>

/** Kept while the tab is open, so that going to another screen and back loses nothing. */
let kept: Drafts = {}

export const readDrafts = (): Drafts => kept
export function keepDrafts(drafts: Drafts): void {
  kept = drafts
}

/** The drafts after a value was edited; editing it back to what is saved leaves none. */
export function withValue(drafts: Drafts, setting: Setting, value: unknown): Drafts {
  const { [setting.path]: _before, ...others } = drafts
  if (isSame(value, setting.value)) return others
  return { ...others, [setting.path]: { path: setting.path, value } }
}

/** The drafts after a setting was reset to the file; a setting that follows it already needs no draft. */
export function withFileValue(drafts: Drafts, { path, source }: Setting): Drafts {
  const { [path]: _before, ...others } = drafts
  return source === 'file' ? others : { ...others, [path]: { path, unset: true } }
}

/** What a setting will say once the drafts are saved. */
export function draftedValue(drafts: Drafts, { path, value, fileValue }: Setting): unknown {
  const draft = drafts[path]
  if (!draft) return value
  return 'unset' in draft ? fileValue : draft.value
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The server's sentence without the path with which it begins, for the field, with times of the reader's time zone. */
export function sentenceOf(path: string, text: string): string {
  const rest = text.startsWith(`${path} `) ? text.slice(path.length + 1) : text
  return withLocalTimes(`${rest.charAt(0).toUpperCase()}${rest.slice(1)}.`)
}
