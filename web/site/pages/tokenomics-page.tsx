import { TOKENOMICS } from '#messages/pages.js'
import { groupedSupply } from '#web/content/units.ts'
import { ROUTES } from '#web/routes.ts'
import { Pulse } from '#web/ui/pulse.tsx'
import { ProofPanel } from '../proofs/proof-panel.tsx'
import { VerifiedStamp } from '../proofs/verified-stamp.tsx'
import { PageHeader } from '../sections/page-header.tsx'
import { Mission } from '../sections/mission.tsx'
import type { PageProps } from '../site-context.ts'

/** The total supply, facts about the token, and which of them the chain proves. */
export function TokenomicsPage({ campaign, proofs }: Pick<PageProps, 'campaign' | 'proofs'>) {
  const { token, texts } = campaign
  return (
    <>
      <PageHeader campaign={campaign} path={ROUTES.tokenomics.path} title={TOKENOMICS.title}>
        <p>{texts.tokenomics}</p>
      </PageHeader>
      <dl className="page pt-14 lg:pt-20">
        <dt className="label">{TOKENOMICS.supply}</dt>
        <dd className="supply">
          {groupedSupply(token)} <span className="text-accent-text">{token.symbol}</span>
        </dd>
      </dl>
      <Pulse beatAt="end" className="mt-4" />
      {texts.facts.length > 0 && (
        <ol className="page pt-10 lg:pt-14">
          {texts.facts.map((fact, index) => (
            <li key={fact.title} className="fact-row wrap-anywhere">
              <p className="figures text-xs text-ink-soft lg:pt-2">{index + 1}</p>
              <h2 className="text-xl">{fact.title}</h2>
              <div>
                <p className="max-w-[58ch] text-ink-soft">{fact.text}</p>
                <VerifiedStamp claim={fact.claim} proofs={proofs} />
              </div>
            </li>
          ))}
        </ol>
      )}
      <div className="pt-20 lg:pt-28">
        <ProofPanel campaign={campaign} proofs={proofs} />
      </div>
      <section className="page pt-20 lg:pt-28">
        <Mission texts={texts} />
      </section>
    </>
  )
}
