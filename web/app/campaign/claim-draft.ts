import * as z from 'zod/mini'
import { sessionUser } from '#web/features/session/session.ts'
import { forget, store, stored } from '#web/features/session/storage.ts'

const Draft = z.object({
  /** Whose draft it is: the next person at this browser must not see it. */
  owner: z.string(),
  /** Ids of the tasks that were opened. */
  done: z.array(z.string()),
  wallet: z.string(),
  telegram: z.string(),
  twitter: z.string(),
  retweetLink: z.string(),
})
export type ClaimDraft = Omit<z.output<typeof Draft>, 'owner'>

const EMPTY: ClaimDraft = { done: [], wallet: '', telegram: '', twitter: '', retweetLink: '' }

/** What this person had filled in before, so that a reloaded tab loses nothing. */
export function keptDraft(): ClaimDraft {
  const kept = z.safeParse(Draft, parsed(stored('claimDraft')))
  return kept.success && kept.data.owner === owner() ? kept.data : EMPTY
}

export function keepDraft(draft: ClaimDraft): void {
  store('claimDraft', JSON.stringify({ ...draft, owner: owner() }))
}

export function forgetDraft(): void {
  forget('claimDraft')
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
