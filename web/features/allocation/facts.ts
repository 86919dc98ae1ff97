import type { AllocationSummary } from '#contract/allocation.ts'
import { groupedUnits } from '#web/content/units.ts'
import { ALLOCATION } from '#messages/allocation.js'
import { formatInteger } from '#web/ui/format.ts'

export type Fact = { id: string; label: string; value: string; isHash?: boolean }

/** The facts of a frozen allocation; without its `summary`, their labels only, two of which are `symbols`. */
export function allocationFacts(
  symbols: { token: string; coin: string },
  summary?: AllocationSummary,
): readonly Fact[] {
  const { token, coin, totals, frozenAt } = summary ?? {}
  const amount = (baseUnits?: string, asset?: { decimals: number }) =>
    baseUnits !== undefined && asset ? groupedUnits(BigInt(baseUnits), asset.decimals) : ''
  return [
    { id: 'wallets', label: ALLOCATION.wallets, value: summary ? formatInteger(summary.recipients) : '' },
    { id: 'token', label: token?.symbol ?? symbols.token, value: amount(totals?.pf, token) },
    { id: 'coin', label: coin?.symbol ?? symbols.coin, value: amount(totals?.pls, coin) },
    { id: 'frozen', label: ALLOCATION.frozen, value: frozenAt ? toTheMinute(frozenAt) : '' },
    { id: 'drift', label: ALLOCATION.drift, value: summary ? formatInteger(driftOf(summary)) : '' },
    { id: 'root', label: ALLOCATION.published, value: summary?.root ?? '', isHash: true },
  ]
}

/** 2027-01-31T12:00:00.000Z as 2027-01-31 12:00 UTC. */
const toTheMinute = (moment: string) => `${moment.slice(0, 10)} ${moment.slice(11, 16)} UTC`

const driftOf = ({ drift }: AllocationSummary) => Object.values(drift).reduce((sum, count) => sum + count, 0)
