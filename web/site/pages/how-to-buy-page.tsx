import { Fragment, type ReactNode } from 'react'
import { type CampaignFile, swapUrl } from '#contract/campaign-file.ts'
import { BUYING_STEPS, HOW_TO_BUY } from '#messages/pages.js'
import { WALLET } from '#messages/wallet.js'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Button } from '#web/ui/button.tsx'
import { ExternalLink } from '#web/ui/external-link.tsx'
import { Mascot } from '#web/ui/pip.tsx'
import { Island } from '../islands.tsx'
import { ContractBox } from '../sections/contract-box.tsx'
import { PageHeader } from '../sections/page-header.tsx'

export function HowToBuyPage({ campaign }: { campaign: CampaignFile }) {
  const { texts, token, chain } = campaign
  const { wallet, network, coin, swap } = BUYING_STEPS
  const { name, symbol } = token
  const values = { token: name, symbol, chain: chain.name, id: chain.id, coin: chain.currency.symbol }
  return (
    <>
      <PageHeader campaign={campaign} path={ROUTES.howToBuy.path} title={HOW_TO_BUY.title}>
        <p>{texts.howToBuy}</p>
      </PageHeader>
      <ol className="page pt-14 lg:pt-20">
        <Step
          number={1}
          title={wallet.title}
          text={wallet.text(values)}
          beside={<Island name="WalletChoice" props={{}} />}
        />
        <Step
          number={2}
          title={network.title(values)}
          text={network.text(values)}
          beside={<NetworkBox chain={chain} />}
        >
          <Island name="AddToWallet" props={{ chain }} />
        </Step>
        <Step
          number={3}
          title={coin.title(values)}
          text={coin.text(values)}
          beside={<Mascot className="mx-auto h-28 lg:h-32" />}
        />
        <Step
          number={4}
          title={swap.title(values)}
          text={swap.text(values)}
          beside={<ContractBox campaign={campaign} />}
        >
          <ExternalLink href={swapUrl(campaign)} className={buttonStyle()}>
            {HOW_TO_BUY.buy}
          </ExternalLink>
          <AddToken campaign={campaign} />
        </Step>
      </ol>
      <div className="page">
        <p className="max-w-[52ch] border-s-[3px] border-accent ps-4 text-sm text-ink-soft">{texts.risk}</p>
      </div>
    </>
  )
}

type StepProps = { number: number; title: string; text: string; beside: ReactNode; children?: ReactNode }

function Step({ number, title, text, beside, children }: StepProps) {
  return (
    <li className="buying-step">
      <p className="font-display text-3xl leading-[0.85] font-extrabold text-accent-text">{number}</p>
      <div className="lg:col-span-6">
        <h2 className="text-xl">{title}</h2>
        <p className="mt-2 max-w-[52ch] text-ink-soft">{text}</p>
        {children && <div className="mt-5 grid justify-items-start gap-4">{children}</div>}
      </div>
      <div className="col-span-full lg:col-span-5">{beside}</div>
    </li>
  )
}

/** The button is disabled for a made-up token, which would look real in a wallet's list. */
function AddToken({ campaign: { token, chain } }: { campaign: CampaignFile }) {
  const { contract, symbol, decimals } = token
  if (!token.placeholder)
    return <Island name="AddToWallet" props={{ chain, token: { contract, symbol, decimals } }} />
  return (
    <div>
      <Button variant="secondary" disabled aria-describedby="no-token" className="border-dashed">
        {WALLET.addToken({ symbol })}
      </Button>
      <p id="no-token" className="mt-2 text-sm text-ink-soft">
        {WALLET.placeholder}
      </p>
    </div>
  )
}

/** What people need to add the chain to a wallet by hand. */
function NetworkBox({ chain }: { chain: CampaignFile['chain'] }) {
  const words = HOW_TO_BUY.networkFacts
  const facts = [
    { label: words.name, value: chain.name },
    { label: words.chainId, value: String(chain.id) },
    { label: words.currency, value: chain.currency.symbol },
    { label: words.rpcUrl, value: chain.rpcUrl },
    { label: words.explorer, value: chain.explorerUrl },
  ]
  return (
    <section aria-labelledby="network-title" className="sheet p-5 sm:p-6">
      <h3 id="network-title" className="label font-text">
        {HOW_TO_BUY.network}
      </h3>
      <dl className="mt-3 text-sm">
        {facts.map(({ label, value }) => (
          <div key={label} className="network-fact">
            <dt className="text-ink-soft">{label}</dt>
            <dd className="figures text-xs font-medium wrap-anywhere sm:text-sm">
              <bdi dir="ltr">{breakAfterScheme(value)}</bdi>
            </dd>
            <dd>
              <Island name="CopyFact" props={{ label, value }} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Lets a URL that is too long for its line break after the `//`, so that the host stays in one piece. */
const breakAfterScheme = (value: string) =>
  value.split(/(?<=\/\/)/).map((part) => (
    <Fragment key={part}>
      <wbr />
      {part}
    </Fragment>
  ))
