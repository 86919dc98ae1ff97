import type { CampaignFile } from '#contract/campaign-file.ts'
import { linkFor } from '#contract/campaign-file.ts'
import { COPY } from '#web/content/copy.ts'
import { CONTRACT_NOTE, HOW_TO_BUY, buyingSteps } from '#web/content/pages.ts'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { ExternalLink } from '#web/ui/external-link.tsx'
import { Stamp } from '#web/ui/stamp.tsx'
import { Island } from '../island.tsx'
import { Folio } from '../sections/folio.tsx'

export function HowToBuyPage({ campaign }: { campaign: CampaignFile }) {
  const { texts, chain } = campaign
  return (
    <>
      <Folio campaign={campaign} path={ROUTES.howToBuy.path} title={HOW_TO_BUY.title}>
        <p>{texts.howToBuy}</p>
      </Folio>
      <div className="page grid gap-x-8 gap-y-14 pt-14 lg:grid-cols-12 lg:pt-20">
        <ol className="lg:col-span-6">
          {buyingSteps(campaign).map((step, index) => (
            <li key={step.title} className="buying-step">
              <p className="buying-number">{index + 1}</p>
              <div>
                <h2 className="text-xl">{step.title}</h2>
                <p className="mt-2 max-w-[52ch] text-ink-soft">{step.text}</p>
              </div>
            </li>
          ))}
        </ol>
        <div className="grid content-start gap-6 lg:col-span-5 lg:col-start-8">
          <ContractBox campaign={campaign} />
          <NetworkBox chain={chain} />
          <p className="border-s-[3px] border-signal ps-4 text-sm text-ink-soft">{texts.risk}</p>
        </div>
      </div>
    </>
  )
}

function ContractBox({ campaign: { token, links } }: { campaign: CampaignFile }) {
  return (
    <section aria-labelledby="contract-title" className="sheet p-5 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="contract-title" className="label font-text">
          {HOW_TO_BUY.contract}
        </h2>
        {token.placeholder && (
          <Stamp tone="signal" className="stamp-on-sheet">
            {CONTRACT_NOTE.stamp}
          </Stamp>
        )}
      </div>
      <p className="figures mt-4 leading-relaxed font-medium break-all">{token.contract}</p>
      {token.placeholder && <p className="mt-3 text-sm text-ink-soft">{CONTRACT_NOTE.long}</p>}
      <div className="mt-5 flex flex-wrap gap-3">
        <Island
          name="CopyContract"
          props={{ contract: token.contract, label: COPY.copyAddress, alerting: true }}
        />
        <ExternalLink
          href={linkFor(links.swap, token.contract)}
          className={buttonStyle('primary', 'compact', 'lg:min-h-11')}
        >
          {HOW_TO_BUY.buy}
        </ExternalLink>
      </div>
      <p className="mt-3">
        <ExternalLink
          href={linkFor(links.chart, token.contract)}
          className="text-link inline-flex min-h-11 items-center text-sm"
        >
          {HOW_TO_BUY.chart}
        </ExternalLink>
      </p>
    </section>
  )
}

function NetworkBox({ chain }: { chain: CampaignFile['chain'] }) {
  return (
    <section aria-labelledby="network-title" className="sheet p-5 sm:p-6">
      <h2 id="network-title" className="label font-text">
        {HOW_TO_BUY.network}
      </h2>
      <dl className="mt-3 text-sm">
        {HOW_TO_BUY.networkFacts(chain).map(({ label, value }) => (
          <div key={label} className="flex flex-wrap justify-between gap-x-4 border-t border-hairline py-2.5">
            <dt className="text-ink-soft">{label}</dt>
            <dd className="figures font-medium break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
