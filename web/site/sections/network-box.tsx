import type { CampaignFile } from '#contract/campaign-file.ts'
import { HOW_TO_BUY } from '#web/content/pages.ts'
import { Island } from '../island.tsx'

/** The chain's settings for adding it to a wallet by hand. */
export function NetworkBox({ chain }: { chain: CampaignFile['chain'] }) {
  return (
    <section aria-labelledby="network-title" className="sheet p-5 sm:p-6">
      <h3 id="network-title" className="label font-text">
        {HOW_TO_BUY.network}
      </h3>
      <dl className="mt-3 text-sm">
        {HOW_TO_BUY.networkFacts(chain).map(({ label, value }) => (
          <div key={label} className="network-fact">
            <dt className="text-ink-soft">{label}</dt>
            <dd className="figures text-xs font-medium break-all sm:text-sm">{value}</dd>
            <dd>
              <Island name="CopyFact" props={{ label, value }} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
