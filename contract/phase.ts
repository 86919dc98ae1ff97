/** The phase of a campaign by its dates alone, regardless of slots. */
export type Phase = 'before' | 'open' | 'after'

/** @param now Milliseconds since 1970. */
export function phaseOf(dates: { opensAt: string; closesAt: string | null }, now: number): Phase {
  if (now < Date.parse(dates.opensAt)) return 'before'
  return dates.closesAt !== null && now >= Date.parse(dates.closesAt) ? 'after' : 'open'
}

/**
 * Where a campaign is in its life, as the server sees it: before the opening; open, with slots or without;
 * paused; after the close, while claims wait for a decision, while the payout is due, or once all is paid.
 */
export const STAGES = ['before', 'open', 'full', 'paused', 'reviewing', 'paying', 'paid'] as const
export type Stage = (typeof STAGES)[number]

export const isOver = (stage: Stage): stage is 'reviewing' | 'paying' | 'paid' =>
  stage === 'reviewing' || stage === 'paying' || stage === 'paid'
