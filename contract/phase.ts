/** Where a campaign stands by its dates alone: not open yet, open, or closed. */
export type Phase = 'before' | 'open' | 'after'

/** The phase at a moment. @param now Milliseconds since 1970. */
export function phaseOf(dates: { opensAt: string; closesAt: string | null }, now: number): Phase {
  if (now < Date.parse(dates.opensAt)) return 'before'
  return dates.closesAt !== null && now >= Date.parse(dates.closesAt) ? 'after' : 'open'
}
