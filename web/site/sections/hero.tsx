import type { ReactNode } from 'react'
import { type CampaignFile, linkFor, swapUrl } from '#contract/campaign-file.ts'
import { CONTRACT_NOTE, HERO, PAGE_HEADER } from '#messages/pages.js'
import { groupedSupply } from '#web/content/units.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { ExternalLink } from '#web/ui/external-link.tsx'
import { Pulse } from '#web/ui/pulse.tsx'
import { COPY } from '#messages/islands.js'
import { shortenAddress } from '#web/ui/text/format.ts'
import { Island } from '../islands.tsx'
import { PocketDrawing } from './pocket-drawing.tsx'

/** First section of Home: headline, the token in brief, stat cards, and links to buy it and see its chart. */
export function Hero({ campaign }: { campaign: CampaignFile }) {
  const { token, chain, links, texts } = campaign
  return (
    <section id="hero" aria-labelledby="hero-title" className="overflow-x-clip">
      <div className="relative">
        <Pulse className="absolute inset-x-0 bottom-14 lg:bottom-16" />
        <div className="page grid gap-x-8 lg:grid-cols-12">
          <div className="enter-up pt-10 lg:col-span-8 lg:pt-16 lg:pb-36">
            <p className="figures text-xs text-ink-soft">
              <bdi dir="ltr">{PAGE_HEADER.chain({ name: chain.name, id: chain.id })}</bdi>
            </p>
            <h1 id="hero-title" className="mt-4 text-display tracking-[-0.035em]">
              {token.name}
            </h1>
            <p className="mt-6 font-display text-xl font-extrabold">{texts.tagline}</p>
            <p className="mt-3 max-w-[46ch] text-lg text-ink-soft">{texts.hero}</p>
            <div className="mt-8 flex flex-wrap items-center gap-3">
              <ExternalLink
                href={swapUrl(campaign)}
                className={buttonStyle('primary', 'normal', 'min-w-36 text-lg')}
              >
                {HERO.buy}
              </ExternalLink>
              <a href="#about" className={buttonStyle('secondary', 'normal', 'text-lg')}>
                {HERO.learnMore}
              </a>
            </div>
            {/* Shown until the campaign file has the address of the real contract. */}
            {token.placeholder && (
              <p className="mt-4 max-w-[52ch] text-sm text-ink-soft">{CONTRACT_NOTE.long}</p>
            )}
          </div>
          <PocketDrawing
            symbol={token.symbol}
            className="enter-up relative ms-auto mt-8 w-[min(17rem,64vw)] lg:col-span-4 lg:mt-0 lg:w-full lg:max-w-[25rem] lg:self-end"
          />
        </div>
      </div>
      <div className="page mt-6 lg:mt-8">
        <StatCards campaign={campaign} />
        <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <ExternalLink href={linkFor(links.chart, token.contract)} className="standalone-link">
            {HERO.liveChart}
          </ExternalLink>
          <Island name="ShareSite" props={{ title: token.name, text: texts.tagline }} />
        </div>
      </div>
    </section>
  )
}

function StatCards({ campaign: { token } }: { campaign: CampaignFile }) {
  return (
    <dl className="grid gap-3 min-[22.5rem]:grid-cols-2 sm:gap-4 lg:grid-cols-[1.25fr_1.5fr_0.75fr_1fr]">
      <StatCard label={HERO.supply} isWide={token.supply.length > FITTING_SUPPLY_LENGTH}>
        <Figure>{groupedSupply(token)}</Figure>
      </StatCard>
      <StatCard label={HERO.contract}>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <Figure>
            <span dir="ltr" title={token.contract}>
              {shortenAddress(token.contract)}
            </span>
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

/** How many characters of a supply fit into one of two columns on a phone. */
const FITTING_SUPPLY_LENGTH = '1,000,000,000'.length

type StatCardProps = { label: string; isWide?: boolean; children: ReactNode }

function StatCard({ label, isWide = false, children }: StatCardProps) {
  const width = isWide ? 'max-sm:col-span-full' : ''
  return (
    <div className={`sheet stat-card grow-on-hover relative flex flex-col p-4 sm:p-5 ${width}`}>
      <dt className="label">{label}</dt>
      <dd className="pt-3">{children}</dd>
    </div>
  )
}

/** At least as high as the button beside the contract, so that the figures of all cards are on one line. */
function Figure({ children }: { children: ReactNode }) {
  return (
    <div className="figures flex min-h-11 items-center text-stat font-medium wrap-anywhere lg:min-h-9">
      {children}
    </div>
  )
}
