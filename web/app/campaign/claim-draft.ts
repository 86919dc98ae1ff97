import * as z from 'zod/mini'
import { sessionUser } from '#web/features/session/session.ts'
import { forget, store, stored } from '#web/features/session/storage.ts'

const Draft = z.object({
  /** Id of the claim being edited or corrected; absent for a first claim. */
  of: z.optional(z.string()),
  /** Ids of the opened tasks. */
  done: z.array(z.string()),
  wallet: z.string(),
  telegram: z.string(),
  twitter: z.string(),
  retweetLink: z.string(),
})
export type ClaimDraft = Omit<z.output<typeof Draft>, 'of'>

/** Keyed by account: people who share a browser neither see nor overwrite each other's drafts. */
const Drafts = z.record(z.string(), Draft)
type Drafts = z.output<typeof Drafts>

export const EMPTY_DRAFT: ClaimDraft = { done: [], wallet: '', telegram: '', twitter: '', retweetLink: '' }

/**
 * The current account's draft, so that a reload loses no input; undefined if there is none.
 * @param of Id of the claim that the draft must belong to.
 */
export function keptDraft(of: string | undefined): ClaimDraft | undefined {
  const draft = readDrafts()[owner()]
  return draft?.of === of ? draft : undefined
}

export function keepDraft(draft: ClaimDraft, of: string | undefined): void {
  const { done, wallet, telegram, twitter, retweetLink } = draft
  write({ ...readDrafts(), [owner()]: { of, done, wallet, telegram, twitter, retweetLink } })
}

/** Deletes the current account's draft only. */
export function forgetDraft(): void {
  const { [owner()]: _sent, ...others } = readDrafts()
  write(others)
}

function owner(): string {
  return sessionUser()?._id ?? ''
}

function readDrafts(): Drafts {
  const { data } = z.safeParse(Drafts, parsed(stored('claimDraft')))
  return data ?? {}
}

function write(drafts: Drafts): void {
  if (Object.keys(drafts).length === 0) forget('claimDraft')
  else store('claimDraft', JSON.stringify(drafts))
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
