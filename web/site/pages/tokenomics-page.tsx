import type { CampaignFile } from '#contract/campaign-file.ts'
import { TOKENOMICS } from '#web/content/pages.ts'
import { ROUTES } from '#web/routes.ts'
import { Pulse } from '#web/ui/pulse.tsx'
import { Folio } from '../sections/folio.tsx'
import { Mission } from '../sections/mission.tsx'

export function TokenomicsPage({ campaign }: { campaign: CampaignFile }) {
  const { token, texts } = campaign
  return (
    <>
      <Folio campaign={campaign} path={ROUTES.tokenomics.path} title={TOKENOMICS.title}>
        <p>{texts.tokenomics}</p>
      </Folio>
      <dl className="page pt-14 lg:pt-20">
        <dt className="label">{TOKENOMICS.supply}</dt>
        <dd className="supply">
          {token.supply} <span className="text-signal-text">{token.symbol}</span>
        </dd>
      </dl>
      <Pulse at="end" className="mt-4" />
      <ol className="page pt-10 lg:pt-14">
        {texts.facts.map((fact, index) => (
          <li key={fact.title} className="fact-row">
            <p className="figures text-xs text-ink-soft lg:pt-2">{index + 1}</p>
            <h2 className="text-xl">{fact.title}</h2>
            <p className="max-w-[58ch] text-ink-soft">{fact.text}</p>
          </li>
        ))}
      </ol>
      <section className="page pt-20 lg:pt-28">
        <Mission texts={texts} />
      </section>
    </>
  )
}
