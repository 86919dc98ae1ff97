import type { ReactNode } from 'react'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { COPY } from '#web/content/islands.ts'
import { CONTRACT_NOTE, HERO } from '#web/content/pages.ts'
import { shortAddress } from '#web/ui/format.ts'
import { Island } from '../island.tsx'

/** The four figures of the token. */
export function StatCards({ campaign: { token } }: { campaign: CampaignFile }) {
  return (
    <dl className="grid gap-3 min-[22.5rem]:grid-cols-2 sm:gap-4 lg:grid-cols-[1.25fr_1.5fr_0.75fr_1fr]">
      <StatCard label={HERO.supply}>
        <Figure>{token.supply}</Figure>
      </StatCard>
      <StatCard label={HERO.contract}>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <Figure>
            <span title={token.contract}>{shortAddress(token.contract)}</span>
          </Figure>
          <Island name="CopyContract" props={{ contract: token.contract, label: COPY.copy }} />
        </div>
        {token.placeholder && <p className="mt-1 text-xs text-ink-soft">{CONTRACT_NOTE.short}</p>}
      </StatCard>
      <StatCard label={HERO.symbol}>
        <Figure>{token.symbol}</Figure>
      </StatCard>
      <StatCard label={HERO.price}>
        <Figure>
          <Island name="PriceText" props={{ contract: token.contract }} />
        </Figure>
      </StatCard>
    </dl>
  )
}

function StatCard({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="sheet stat-card grow-on-hover flex flex-col p-4 sm:p-5">
      <dt className="label">{label}</dt>
      <dd className="mt-auto pt-5">{children}</dd>
    </div>
  )
}

function Figure({ children }: { children: ReactNode }) {
  return <div className="figures text-stat font-medium">{children}</div>
}
