import type { CampaignRecord, Results } from '#contract/campaigns.ts'
import { CLOSING } from '#messages/phase.js'
import { nextSteps } from '#web/content/phase.ts'
import { formatInteger } from '#web/ui/format.ts'

type ResultsProps = Pick<CampaignRecord, 'token' | 'coin'> & { results: Results }

/** The results of a campaign that has ended, in figures. */
export function ResultFigures({
  results: { claimed, approved, points },
  token,
  coin,
  slots,
}: ResultsProps & { slots: { total: number } }) {
  const figures = [
    { label: CLOSING.claimed, value: claimed },
    { label: CLOSING.approved, value: approved },
    { label: CLOSING.slots, value: slots.total },
    { label: CLOSING.granted({ symbol: token.symbol }), value: points.pf },
    { label: CLOSING.granted({ symbol: coin.symbol }), value: points.pls },
    { label: CLOSING.referral, value: points.referral },
  ]
  return <Figures figures={figures} className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-3" />
}

type FiguresProps = { figures: readonly { label: string; value: number }[]; className: string }

/** Whole numbers, each below its name. */
export function Figures({ figures, className }: FiguresProps) {
  return (
    <dl className={className}>
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt className="label">{label}</dt>
          <dd className="figures text-stat mt-1 font-medium">{formatInteger(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What is still to come, and the root once the allocation is frozen. */
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
