/** The phase of a campaign by its dates alone, regardless of slots. */
export type Phase = 'before' | 'open' | 'after'

/** @param now Milliseconds since 1970. */
export function phaseOf(dates: { opensAt: string; closesAt: string | null }, now: number): Phase {
  if (now < Date.parse(dates.opensAt)) return 'before'
  return dates.closesAt !== null && now >= Date.parse(dates.closesAt) ? 'after' : 'open'
}
