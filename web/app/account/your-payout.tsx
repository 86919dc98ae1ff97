import { RichText } from '#web/ui/text/rich-text.tsx'
import { type Asset, ASSETS, type ownPayout } from '#contract/allocation.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import { unitOf, unitParts, unitsInWords } from '#web/content/units.ts'
import { YOUR_PAYOUT } from '#messages/your-payout.js'
import { ROUTES } from '#web/routes.ts'
import { ExternalLink } from '#web/ui/external-link.tsx'
import { shortenAddress } from '#web/ui/text/format.ts'
import { ProfileSection } from './profile-section.tsx'
import { Stamp, type StampTone } from '#web/ui/stamp.tsx'

type OwnPayout = NonNullable<ReplyOf<typeof ownPayout>['data']>

export function YourPayout({ payout }: { payout: OwnPayout }) {
  const { wallet, amounts, status } = payout
  const assets = ASSETS.filter((asset) => amounts[asset] !== '0' || status[asset] !== 'nothing_due')
  return (
    <ProfileSection title={YOUR_PAYOUT.title}>
      <div className="mt-6 sheet grid overflow-hidden sm:auto-cols-fr sm:grid-flow-col">
        {assets.map((asset) => (
          <AssetStub key={asset} asset={asset} payout={payout} />
        ))}
      </div>
      <p className="mt-4 flex flex-wrap items-center gap-x-6 text-sm">
        <span className="text-ink-soft">
          <RichText
            text={YOUR_PAYOUT.frozenFor({ wallet: shortenAddress(wallet) })}
            tags={{ wallet: <span dir="ltr" className="figures text-ink" title={wallet} /> }}
          />
        </span>
        <a
          href={`${ROUTES.allocation.path}#${wallet}`}
          className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
        >
          {YOUR_PAYOUT.check}
        </a>
      </p>
    </ProfileSection>
  )
}

function AssetStub({ asset, payout }: { asset: Asset; payout: OwnPayout }) {
  const { symbol, decimals } = unitOf(payout, asset)
  const state = stateOf(payout, asset)
  const { whole, fraction } = unitParts(BigInt(payout.amounts[asset]), decimals)
  return (
    <div className="grid content-start justify-items-start gap-3 p-5 max-sm:not-last:perforated-bottom sm:p-8 sm:not-last:perforated-end">
      <p className="font-display text-2xl font-extrabold wrap-anywhere">
        {whole}
        {fraction !== '' && <span className="text-base">{fraction}</span>} {symbol}
      </p>
      <Stamp tone={state.tone} className="stamp-on-sheet">
        {state.stamp}
      </Stamp>
      <p className="text-sm text-ink-soft">{state.text}</p>
      <Transactions asset={asset} payout={payout} />
    </div>
  )
}

function Transactions({ asset, payout }: { asset: Asset; payout: OwnPayout }) {
  const payments = paymentsOf(payout, asset)
  if (payments.length === 0) return null
  return (
    <ul aria-label={YOUR_PAYOUT.transactions} className="text-sm">
      {payments.map(({ amount, transaction, link }, index) => (
        // Not keyed by transaction, because one transaction may pay a wallet twice.
        <li key={index} className="flex flex-wrap items-center gap-x-4">
          <ExternalLink
            href={link}
            title={transaction}
            className="figures inline-flex min-h-11 items-center underline underline-offset-4"
          >
            {shortenAddress(transaction)}
          </ExternalLink>
          {payments.length > 1 && (
            <span className="figures text-ink-soft">{amountOf(payout, asset, amount)}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The status in the participant's words. *Waiting* is what is missing or not yet read from the chain. */
function stateOf(payout: OwnPayout, asset: Asset): { stamp: string; tone: StampTone; text: string } {
  const { paid, short, over, unreadable, waiting } = YOUR_PAYOUT
  const total = paymentsOf(payout, asset).reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const received = amountOf(payout, asset, String(total))
  switch (payout.status[asset]) {
    case 'paid':
      return { stamp: paid, tone: 'proof', text: YOUR_PAYOUT.paidText }
    case 'short':
      return { stamp: short, tone: 'accent', text: YOUR_PAYOUT.shortText({ received }) }
    case 'over':
      return { stamp: over, tone: 'ink', text: YOUR_PAYOUT.overText({ received }) }
    case 'unreadable':
      return payout.isRead
        ? { stamp: unreadable, tone: 'ink', text: YOUR_PAYOUT.unreadableText({ coin: payout.coin.symbol }) }
        : { stamp: waiting, tone: 'ink', text: YOUR_PAYOUT.notRead }
    case 'missing':
    case 'nothing_due':
      return { stamp: waiting, tone: 'ink', text: payout.isRead ? YOUR_PAYOUT.missing : YOUR_PAYOUT.notRead }
  }
}

const paymentsOf = ({ payments }: OwnPayout, asset: Asset) =>
  payments.filter((payment) => payment.asset === asset)

const amountOf = (payout: OwnPayout, asset: Asset, amount: string) =>
  unitsInWords(BigInt(amount), unitOf(payout, asset))
