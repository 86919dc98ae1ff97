import { type CampaignFile, linkFor } from '#contract/campaign-file.ts'
import { COPY } from '#messages/islands.js'
import { CONTRACT_NOTE, HOW_TO_BUY } from '#messages/pages.js'
import { ExternalLink } from '#web/ui/external-link.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { Stamp } from '#web/ui/stamp.tsx'
import { Island } from '../islands.tsx'

/** The contract's address, with a stamp while it is a placeholder for the real one. */
export function ContractBox({ campaign: { token, links } }: { campaign: CampaignFile }) {
  return (
    <section aria-labelledby="contract-title" className="sheet p-5 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id="contract-title" className="label font-text">
          {HOW_TO_BUY.contract}
        </h3>
        {token.placeholder && (
          <Stamp tone="accent" className="stamp-on-sheet">
            {CONTRACT_NOTE.stamp}
          </Stamp>
        )}
      </div>
      <p className="figures mt-4 leading-relaxed text-balance font-medium break-all">
        <bdi dir="ltr">{token.contract}</bdi>
      </p>
      {token.placeholder && <p className="mt-3 text-sm text-ink-soft">{CONTRACT_NOTE.long}</p>}
      <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Island
          name="CopyContract"
          props={{ contract: token.contract, label: COPY.copyAddress, showsAlert: true }}
        />
        <ExternalLink href={linkFor(links.chart, token.contract)} className="standalone-link text-sm">
          {HOW_TO_BUY.chart}
        </ExternalLink>
      </div>
      <div className="mt-5 flex flex-wrap gap-x-5 gap-y-3">
        <QrCode text={token.contract} label={HOW_TO_BUY.qrCode} className="qr-code" />
        <p className="grow basis-48 text-sm text-ink-soft">{HOW_TO_BUY.qrNote}</p>
      </div>
    </section>
  )
}
