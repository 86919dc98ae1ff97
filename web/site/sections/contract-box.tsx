import { encodeQR } from 'qr'
import { type CampaignFile, linkFor } from '#contract/campaign-file.ts'
import { COPY } from '#messages/islands.js'
import { CONTRACT_NOTE, HOW_TO_BUY } from '#messages/pages.js'
import { ExternalLink } from '#web/ui/external-link.tsx'
import { Stamp } from '#web/ui/stamp.tsx'
import { Island } from '../islands.tsx'

/** The token's contract address, with copy button and QR code. */
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
        <QrCode text={token.contract} />
        <p className="grow basis-48 text-sm text-ink-soft">{HOW_TO_BUY.qrNote}</p>
      </div>
    </section>
  )
}

/** Width in modules of the light margin that scanners need. */
const QUIET_ZONE = 4

/** A QR code, always dark on light: some scanners cannot read it inverted. Rendered on the server. */
function QrCode({ text }: { text: string }) {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })
  const size = modules.length
  return (
    <svg
      role="img"
      aria-label={HOW_TO_BUY.qrCode}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="qr-code"
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} className="fill-qr-light" />
      <path d={modules.map(darkRuns).join('')} className="fill-qr-dark" />
    </svg>
  )
}

/** One rectangle for each run of dark modules in a row. */
function darkRuns(row: readonly boolean[], y: number): string {
  const runs = row
    .map((isDark) => (isDark ? '1' : '0'))
    .join('')
    .matchAll(/1+/g)
  return Array.from(runs, ({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`).join('')
}
