import type { TokenProof } from '#contract/token-proofs.ts'
import { CLAIM_NAMES, PROOF_PANEL } from '#messages/proofs.js'
import { curlCommand } from '#web/content/site/proofs.ts'
import { ROUTES } from '#web/routes.ts'
import { Island } from '../island.tsx'

/** How anyone repeats a check: in the browser, or with a command. */
export function CheckYourself({ proof, rpcUrl }: { proof: TokenProof; rpcUrl: string }) {
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
            when="touch"
          />
        </div>
        <pre className="command">{command}</pre>
      </div>
    </details>
  )
}
