import * as z from 'zod/mini'
import { sessionUser } from '#web/features/session/session.ts'
import { forget, store, stored } from '#web/features/session/storage.ts'

const Draft = z.object({
  /** Whose draft it is: the next person at this browser must not see it. */
  owner: z.string(),
  /** The claim that it edits or corrects; none is a first claim. */
  of: z.optional(z.string()),
  /** Ids of the tasks that were opened. */
  done: z.array(z.string()),
  wallet: z.string(),
  telegram: z.string(),
  twitter: z.string(),
  retweetLink: z.string(),
})
export type ClaimDraft = Omit<z.output<typeof Draft>, 'owner' | 'of'>

export const EMPTY_DRAFT: ClaimDraft = { done: [], wallet: '', telegram: '', twitter: '', retweetLink: '' }

/**
 * What this person had filled in before, so that a reloaded tab loses nothing; undefined when nothing was.
 * @param of The id of the claim that it must be about.
 */
export function keptDraft(of: string | undefined): ClaimDraft | undefined {
  const { data } = z.safeParse(Draft, parsed(stored('claimDraft')))
  return data && data.owner === owner() && data.of === of ? data : undefined
}

export function keepDraft(draft: ClaimDraft, of: string | undefined): void {
  const { done, wallet, telegram, twitter, retweetLink } = draft
  store('claimDraft', JSON.stringify({ owner: owner(), of, done, wallet, telegram, twitter, retweetLink }))
}

/** Forgets the draft of this person; somebody else's stays for them. */
export function forgetDraft(): void {
  const { data } = z.safeParse(Draft, parsed(stored('claimDraft')))
  if (data?.owner === owner()) forget('claimDraft')
}

function owner(): string {
  return sessionUser()?._id ?? ''
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
