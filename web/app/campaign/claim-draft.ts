import * as z from 'zod/mini'
import { sessionUser } from '#web/features/session/session.ts'
import { forget, store, stored } from '#web/features/session/storage.ts'

const Draft = z.object({
  /** The claim that it edits or corrects; none is a first claim. */
  of: z.optional(z.string()),
  /** Ids of the tasks that were opened. */
  done: z.array(z.string()),
  wallet: z.string(),
  telegram: z.string(),
  twitter: z.string(),
  retweetLink: z.string(),
})
export type ClaimDraft = Omit<z.output<typeof Draft>, 'of'>

/** By account: the next person at this browser must neither see nor replace it. */
const Drafts = z.record(z.string(), Draft)
type Drafts = z.output<typeof Drafts>

export const EMPTY_DRAFT: ClaimDraft = { done: [], wallet: '', telegram: '', twitter: '', retweetLink: '' }

/**
 * What this person had filled in before, so that a reloaded tab loses nothing; undefined when nothing was.
 * @param of The id of the claim that it must be about.
 */
export function keptDraft(of: string | undefined): ClaimDraft | undefined {
  const draft = readDrafts()[owner()]
  return draft?.of === of ? draft : undefined
}

export function keepDraft(draft: ClaimDraft, of: string | undefined): void {
  const { done, wallet, telegram, twitter, retweetLink } = draft
  write({ ...readDrafts(), [owner()]: { of, done, wallet, telegram, twitter, retweetLink } })
}

/** Forgets the draft of this person; those of others stay for them. */
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
