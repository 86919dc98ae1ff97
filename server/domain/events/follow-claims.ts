import type { ClaimsChanged } from '#contract/review.ts'
import { claimIdOf } from './announce.ts'
import type { Source } from './hub.ts'
import type { Announcements } from './announcements.ts'

/** Announcements are batched for this long; a batch with more claims is published as "any claim". */
const BATCH_MS = 250
const MAX_CLAIMS = 200

/** Publishes which claims changed; null, "any", at first and when announcements may have been missed. */
export function followClaims(announcements: Announcements): Source<ClaimsChanged> {
  return (publish) => {
    let version = 0
    let changed: Set<string> | null = null
    const flush = () => {
      timer = undefined
      version += 1
      publish({ version, claims: changed && [...changed] })
      changed = new Set()
    }
    let timer: NodeJS.Timeout | undefined = setTimeout(flush, 0)
    const unsubscribe = announcements.subscribe((payload) => {
      const claim = payload === undefined ? undefined : claimIdOf(payload)
      if (payload !== undefined && claim === undefined) return
      if (claim === undefined || (changed?.size ?? 0) >= MAX_CLAIMS) changed = null
      else changed?.add(claim)
      timer ??= setTimeout(flush, BATCH_MS)
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }
}
