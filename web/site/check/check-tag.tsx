import type { TokenProof } from '#contract/token-proofs.ts'
import { CHECK } from '#messages/check.js'
import { CLAIM_NAMES, PROOF_PANEL } from '#messages/proofs.js'
import { formatInteger } from '#web/ui/format.ts'
import { shownVerdict } from '../proofs/evidence-tag.tsx'
import { VerdictStamp } from '../proofs/verdict-stamp.tsx'

/**
 * A token claim with this site's verdict, and room for the visitor's. `web/check/show.ts` fills in the marked
 * elements.
 */
export function CheckTag({ proof }: { proof: TokenProof }) {
  const { claim, asked, answer, limits, block } = proof
  return (
    <li id={claim} className="tag">
      <div className="tag-stub check-stub">
        <div className="needs-script">
          <p className="label">{CHECK.you}</p>
          <p data-stamp className="mt-1.5">
            {CHECK.notAsked}
          </p>
        </div>
        <div>
          <p className="label">{CHECK.site}</p>
          <p className="small-stamp mt-1.5">
            <VerdictStamp verdict={shownVerdict(proof)} />
          </p>
          {block !== null && (
            <p className="figures mt-1.5 text-xs text-ink-soft">
              {PROOF_PANEL.block({ number: formatInteger(block) })}
            </p>
          )}
        </div>
      </div>
      <div className="tag-body">
        <div>
          <h2 className="text-xl">{CLAIM_NAMES[claim]}</h2>
          <p className="mt-1.5 text-sm text-ink-soft">{asked}</p>
          <dl className="mt-3 grid gap-2">
            <div data-answer hidden>
              <dt className="label">{CHECK.you}</dt>
              <dd className="font-medium" />
            </div>
            <div data-site>
              <dt className="label">{CHECK.site}</dt>
              <dd>{answer}</dd>
            </div>
          </dl>
          <p data-compare className="mt-2 text-sm font-semibold" />
        </div>
        <div className="text-sm">
          <p className="label">{PROOF_PANEL.limits}</p>
          <p data-limits>{limits}</p>
        </div>
        <details data-calls hidden className="col-span-full -my-2 text-sm">
          <summary className="tag-summary">
            {CHECK.calls}
            <span className="sr-only">: {CLAIM_NAMES[claim]}</span>
          </summary>
          <ol className="grid gap-2" />
        </details>
      </div>
    </li>
  )
}
