import * as z from 'zod/mini'
import { sessionUser } from '#web/features/session/session.ts'
import { removeStored, store, readStoredJson } from '#web/features/session/storage.ts'

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
 * @param claimId Id of the claim that the draft must belong to.
 */
export function readDraft(claimId: string | undefined): ClaimDraft | undefined {
  const draft = readDrafts()[accountId()]
  return draft?.of === claimId ? draft : undefined
}

export function storeDraft(draft: ClaimDraft, claimId: string | undefined): void {
  const { done, wallet, telegram, twitter, retweetLink } = draft
  writeDrafts({
    ...readDrafts(),
    [accountId()]: { of: claimId, done, wallet, telegram, twitter, retweetLink },
  })
}

/** Deletes the current account's draft only. */
export function removeDraft(): void {
  const { [accountId()]: _removed, ...others } = readDrafts()
  writeDrafts(others)
}

function accountId(): string {
  return sessionUser()?._id ?? ''
}

function readDrafts(): Drafts {
  const { data } = z.safeParse(Drafts, readStoredJson('claimDraft'))
  return data ?? {}
}

function writeDrafts(drafts: Drafts): void {
  if (Object.keys(drafts).length === 0) removeStored('claimDraft')
  else store('claimDraft', JSON.stringify(drafts))
}
