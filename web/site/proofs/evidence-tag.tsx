import { inUtcBriefly } from '#web/content/dates.ts'
import type { TokenProof } from '#contract/token-proofs.ts'
import { CLAIM_NAMES, PROOF_PANEL } from '#messages/proofs.js'
import { type ShownVerdict, curlCommand } from '#web/content/site/proofs.ts'
import { ExternalLink } from '#web/ui/external-link.tsx'
import { formatInteger } from '#web/ui/format.ts'
import { VerdictStamp } from './verdict-stamp.tsx'
import { ROUTES } from '#web/routes.ts'
import { Island } from '../islands.tsx'

/** One claim with its verdict, as a tag on a piece of evidence. */
export function EvidenceTag({ proof, rpcUrl }: { proof: TokenProof; rpcUrl: string }) {
  const { claim, asked, answer, limits, block, checkedAt, explorer, calls } = proof
  const verdict = shownVerdict(proof)
  const isAsked = verdict !== 'placeholder'
  return (
    <li className="tag" data-claim={claim}>
      <div className="tag-stub">
        <VerdictStamp verdict={verdict} />
        <p className="figures text-xs text-ink-soft">
          {block !== null && (
            <span className="block">{PROOF_PANEL.block({ number: formatInteger(block) })}</span>
          )}
          {checkedAt !== null && <time dateTime={checkedAt}>{inUtcBriefly(checkedAt)}</time>}
        </p>
      </div>
      <div className="tag-body">
        <div>
          <h3 className="text-xl">{CLAIM_NAMES[claim]}</h3>
          {isAsked && <p className="mt-1.5 font-medium">{answer}</p>}
          <p className="mt-3 text-sm text-ink-soft">
            {(isAsked ? PROOF_PANEL : PROOF_PANEL.placeholder).asked({ question: asked })}
          </p>
        </div>
        <div className="text-sm">
          <p className="label">{PROOF_PANEL.limits}</p>
          <p>{limits}</p>
          {isAsked && (
            <ExternalLink href={explorer} className="text-link inline-flex min-h-11 items-center">
              {PROOF_PANEL.explorer}
              <span className="sr-only">: {CLAIM_NAMES[claim]}</span>
            </ExternalLink>
          )}
        </div>
        {calls.length > 0 && <CheckYourself proof={proof} rpcUrl={rpcUrl} />}
      </div>
    </li>
  )
}

/** A placeholder token is not checked; its stamp says so, instead of that the check failed. */
export function shownVerdict({ verdict, reason }: Pick<TokenProof, 'verdict' | 'reason'>): ShownVerdict {
  return reason === 'placeholder' ? 'placeholder' : verdict
}

/** How anyone repeats a check: in the browser, or with a command. */
function CheckYourself({ proof, rpcUrl }: { proof: TokenProof; rpcUrl: string }) {
  const command = curlCommand(rpcUrl, proof.calls)
  return (
    <details className="col-span-full -my-2 text-sm">
      <summary className="tag-summary">
        {PROOF_PANEL.yourself}
        <span className="sr-only">: {CLAIM_NAMES[proof.claim]}</span>
      </summary>
      <div className="grid gap-2">
        <p>
          <a
            href={`${ROUTES.check.path}#${proof.claim}`}
            className="text-link inline-flex min-h-11 items-center"
          >
            {PROOF_PANEL.inBrowser}
          </a>
        </p>
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <p className="text-ink-soft">{PROOF_PANEL.command}</p>
          <Island
            name="CopyFact"
            props={{ label: PROOF_PANEL.commandOf({ claim: CLAIM_NAMES[proof.claim] }), value: command }}
          />
        </div>
        <pre className="command">{command}</pre>
      </div>
    </details>
  )
}
