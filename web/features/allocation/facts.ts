import type { AllocationSummary, Asset } from '#contract/allocation.ts'
import { groupedUnits, unitOf } from '#web/content/units.ts'
import { ALLOCATION } from '#messages/allocation.js'
import { formatInteger } from '#web/ui/text/format.ts'

export type Fact = { id: string; label: string; value: string; isHash?: boolean }

/** The summary of a frozen allocation; until it is known, only the symbols of its token and coin. */
export type ShownAllocation = AllocationSummary | Record<'token' | 'coin', { symbol: string }>

/** The facts of an allocation. Their values are empty until its summary is known. */
export function allocationFacts(allocation: ShownAllocation): readonly Fact[] {
  const { token, coin } = allocation
  const summary = 'root' in allocation ? allocation : undefined
  const amountOf = (asset: Asset) =>
    summary ? groupedUnits(BigInt(summary.totals[asset]), unitOf(summary, asset).decimals) : ''
  return [
    { id: 'wallets', label: ALLOCATION.wallets, value: summary ? formatInteger(summary.recipients) : '' },
    { id: 'token', label: token.symbol, value: amountOf('pf') },
    { id: 'coin', label: coin.symbol, value: amountOf('pls') },
    { id: 'frozen', label: ALLOCATION.frozen, value: summary ? toTheMinute(summary.frozenAt) : '' },
    { id: 'drift', label: ALLOCATION.drift, value: summary ? formatInteger(changesSince(summary)) : '' },
    { id: 'root', label: ALLOCATION.published, value: summary?.root ?? '', isHash: true },
  ]
}

/** Turns 2027-01-31T12:00:00.000Z into 2027-01-31 12:00 UTC. */
const toTheMinute = (moment: string) => `${moment.slice(0, 10)} ${moment.slice(11, 16)} UTC`

const changesSince = ({ drift }: AllocationSummary) =>
  Object.values(drift).reduce((sum, count) => sum + count, 0)
