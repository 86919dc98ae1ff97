import type { ClaimsChanged } from '#contract/review.ts'
import { claimIn } from './announce.ts'
import type { Source } from './hub.ts'
import type { News } from './news.ts'

/** Milliseconds in which announcements are gathered, and how many are told one by one. */
const GATHER = 250
const AT_MOST = 200

/** Tells which claims changed; that any may have, at first and whenever announcements may have been missed. */
export function followClaims(news: News): Source<ClaimsChanged> {
  return (tell) => {
    let version = 0
    let changed: Set<string> | null = null
    const say = () => {
      timer = undefined
      version += 1
      tell({ version, claims: changed && [...changed] })
      changed = new Set()
    }
    let timer: NodeJS.Timeout | undefined = setTimeout(say, 0)
    const unfollow = news.follow((heard) => {
      const claim = heard === undefined ? undefined : claimIn(heard)
      if (heard !== undefined && claim === undefined) return
      if (claim === undefined || (changed?.size ?? 0) >= AT_MOST) changed = null
      else changed?.add(claim)
      timer ??= setTimeout(say, GATHER)
    })
    return () => {
      unfollow()
      clearTimeout(timer)
    }
  }
}
