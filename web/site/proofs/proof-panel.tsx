import type { CampaignFile } from '#contract/campaign-file.ts'
import type { TokenProof } from '#contract/token-proofs.ts'
import { CLAIM_NAMES, PROOF_PANEL } from '#messages/proofs.js'
import { inUtcBriefly } from '#web/content/dates.ts'
import { curlCommand } from '#web/content/site/proofs.ts'
import { ROUTES } from '#web/routes.ts'
import { ExternalLink } from '#web/ui/external-link.tsx'
import { formatInteger } from '#web/ui/text/format.ts'
import { Mascot } from '#web/ui/pip.tsx'
import { Island } from '../islands.tsx'
import { shownVerdict, VerdictStamp } from './verdict-stamp.tsx'
import { PROOF_PANEL_ID } from './verified-stamp.tsx'

/** All token proofs. A placeholder token, whose contract is not the real one, is not checked. */
export function ProofPanel({ campaign, proofs }: { campaign: CampaignFile; proofs: readonly TokenProof[] }) {
  const { token, chain } = campaign
  const words = token.placeholder ? PROOF_PANEL.placeholder : PROOF_PANEL
  const provenCount = proofs.filter(({ verdict }) => verdict === 'proven').length
  const areAllProven = provenCount === proofs.length && provenCount > 0
  const tally = `${provenCount}/${proofs.length}`
  const awakePose = areAllProven ? 'stamped' : 'standing'
  return (
    <section id={PROOF_PANEL_ID} aria-labelledby="proofs-title" className="page">
      <div className="grid grid-cols-1 items-end gap-x-8 gap-y-8 border-t-2 border-ink pt-8 lg:grid-cols-12">
        <div className="lg:col-span-7">
          <h2 id="proofs-title" className="text-3xl">
            {words.title}
          </h2>
          <p className="mt-4 max-w-[52ch] text-lg">
            {token.placeholder ? PROOF_PANEL.placeholder.lead : PROOF_PANEL.lead({ chain: chain.name })}
          </p>
        </div>
        <div className="flex flex-wrap items-end gap-4 lg:col-span-5 lg:justify-self-end">
          <Mascot pose={token.placeholder ? 'asleep' : awakePose} className="w-20 lg:w-28" />
          <p>
            <span className={areAllProven ? 'tally text-proof' : 'tally'}>{tally}</span>{' '}
            <span className="block font-semibold">{words.tally}</span>
          </p>
        </div>
      </div>
      <ul className="mt-8 grid grid-cols-1 gap-4">
        {proofs.map((proof) => (
          <EvidenceTag key={proof.claim} proof={proof} rpcUrl={chain.rpcUrl} />
        ))}
      </ul>
    </section>
  )
}

/** A claim with its verdict, drawn as a tag on a piece of evidence. */
function EvidenceTag({ proof, rpcUrl }: { proof: TokenProof; rpcUrl: string }) {
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
        <div className="wrap-anywhere">
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
            <ExternalLink href={explorer} className="standalone-link">
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
          <a href={`${ROUTES.check.path}#${proof.claim}`} className="standalone-link">
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
