import type { CampaignRecord, Results } from '#contract/campaigns.ts'
import { CLOSING } from '#messages/phase.js'
import { nextSteps } from '#web/content/results.ts'
import { formatInteger } from '#web/ui/text/format.ts'

type ResultsProps = Pick<CampaignRecord, 'token' | 'coin'> & { results: Results }

export function ResultFigures(props: ResultsProps & { slots: { total: number } }) {
  const { results, token, coin, slots } = props
  const { claimed, approved, points } = results
  const stats = [
    { label: CLOSING.claimed, value: claimed },
    { label: CLOSING.approved, value: approved },
    { label: CLOSING.slots, value: slots.total },
    { label: CLOSING.granted({ symbol: token.symbol }), value: points.pf },
    { label: CLOSING.granted({ symbol: coin.symbol }), value: points.pls },
    { label: CLOSING.referral, value: points.referral },
  ]
  return <StatList stats={stats} className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-3" />
}

export function WhatComesNext({ results, token, coin }: ResultsProps) {
  return (
    <>
      <ul className="grid gap-2">
        {nextSteps(results, token.symbol, coin.symbol).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
      {results.payout && (
        <p className="mt-4">
          <span className="label block">{CLOSING.root}</span>
          <code className="figures text-xs wrap-anywhere">{results.payout.root}</code>
        </p>
      )}
    </>
  )
}

type StatListProps = { stats: readonly { label: string; value: number }[]; className: string }

export function StatList({ stats, className }: StatListProps) {
  return (
    <dl className={className}>
      {stats.map(({ label, value }) => (
        <div key={label}>
          <dt className="label">{label}</dt>
          <dd className="figures text-stat mt-1 font-medium">{formatInteger(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
