import { ARCHIVE, NEXT_STEPS, OWN_RESULT } from '#messages/phase.js'
import type { Results } from '#contract/campaigns.ts'
import type { ClaimStatus } from '#contract/entities.ts'
import { inUtc } from './dates.ts'

export function ownResult(status: ClaimStatus | null, points: number): string {
  if (status === null) return points > 0 ? OWN_RESULT.points({ points }) : OWN_RESULT.none
  if (status === 'approved') return OWN_RESULT.approved({ points })
  return status === 'rejected' ? OWN_RESULT.rejected : OWN_RESULT.waiting
}

/** What has been done since the campaign ended, and what comes next. One sentence each. */
export function nextSteps(results: Results, tokenSymbol: string, coinSymbol: string): string[] {
  const { undecided, appeals, isFinal, payout } = results
  return [
    undecided > 0 ? NEXT_STEPS.undecided({ claims: undecided }) : NEXT_STEPS.decided,
    ...(appeals > 0 ? [NEXT_STEPS.appeals({ appeals })] : []),
    ...(payout || isFinal ? [] : [NEXT_STEPS.appealable]),
    ...(payout ? paymentSteps(payout, tokenSymbol, coinSymbol) : [NEXT_STEPS.freeze]),
  ]
}

function paymentSteps(
  { recipients, frozenAt, paid }: NonNullable<Results['payout']>,
  tokenSymbol: string,
  coinSymbol: string,
): string[] {
  const paidStep = (count: (typeof paid)['pf'], symbol: string) =>
    count && count.of > 0 ? [NEXT_STEPS.paid({ symbol, paid: count.wallets, wallets: count.of })] : []
  return [
    NEXT_STEPS.frozen({ wallets: recipients, date: inUtc(frozenAt) }),
    ...paidStep(paid.pf, tokenSymbol),
    ...paidStep(paid.pls, coinSymbol),
  ]
}

export const archiveDates = (opensAt: string, closesAt: string | null): string =>
  closesAt === null
    ? ARCHIVE.since({ opens: inUtc(opensAt) })
    : ARCHIVE.period({ opens: inUtc(opensAt), closes: inUtc(closesAt) })
