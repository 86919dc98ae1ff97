import type { CampaignFile } from '#contract/campaign-file.ts'
import { linkFor } from '#contract/campaign-file.ts'
import { COPY } from '#web/content/copy.ts'
import { CONTRACT_NOTE, HOW_TO_BUY } from '#web/content/pages.ts'
import { ExternalLink } from '#web/ui/external-link.tsx'
import { Stamp } from '#web/ui/stamp.tsx'
import { Island } from '../island.tsx'
import { QrCode } from './qr-code.tsx'

/** The token's contract address, with copy button and QR code. */
export function ContractBox({ campaign: { token, links } }: { campaign: CampaignFile }) {
  return (
    <section aria-labelledby="contract-title" className="sheet p-5 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id="contract-title" className="label font-text">
          {HOW_TO_BUY.contract}
        </h3>
        {token.placeholder && (
          <Stamp tone="signal" className="stamp-on-sheet">
            {CONTRACT_NOTE.stamp}
          </Stamp>
        )}
      </div>
      <p className="figures mt-4 leading-relaxed text-balance font-medium break-all">{token.contract}</p>
      {token.placeholder && <p className="mt-3 text-sm text-ink-soft">{CONTRACT_NOTE.long}</p>}
      <div className="mt-5 flex flex-wrap gap-5">
        <QrCode text={token.contract} label={HOW_TO_BUY.qrCode} className="qr-code" />
        <div className="flex basis-48 grow flex-wrap content-start items-center gap-x-4 gap-y-2">
          <Island
            name="CopyContract"
            props={{ contract: token.contract, label: COPY.copyAddress, alerting: true }}
          />
          <ExternalLink
            href={linkFor(links.chart, token.contract)}
            className="text-link inline-flex min-h-11 items-center text-sm"
          >
            {HOW_TO_BUY.chart}
          </ExternalLink>
          <p className="basis-full text-sm text-ink-soft">{HOW_TO_BUY.qrNote}</p>
        </div>
      </div>
    </section>
  )
}
