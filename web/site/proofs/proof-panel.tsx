import type { CampaignFile } from '#contract/campaign-file.ts'
import type { TokenProof } from '#contract/token-proofs.ts'
import { PROOF_PANEL } from '#messages/proofs.js'
import { Pip } from '#web/ui/pip.tsx'
import { EvidenceTag } from './evidence-tag.tsx'
import { PROOF_PANEL_ID } from './verified-stamp.tsx'

/** What the site states about its token, each claim with the chain's verdict. */
export function ProofPanel({ campaign, proofs }: { campaign: CampaignFile; proofs: readonly TokenProof[] }) {
  const { token, chain } = campaign
  const words = token.placeholder ? PROOF_PANEL.placeholder : PROOF_PANEL
  const proven = proofs.filter(({ verdict }) => verdict === 'proven').length
  const areAllProven = proven === proofs.length && proven > 0
  return (
    <section id={PROOF_PANEL_ID} aria-labelledby="proofs-title" className="page">
      <div className="grid items-end gap-x-8 gap-y-8 border-t-2 border-ink pt-8 lg:grid-cols-12">
        <div className="lg:col-span-7">
          <h2 id="proofs-title" className="text-3xl">
            {words.title}
          </h2>
          <p className="mt-4 max-w-[52ch] text-lg">
            {token.placeholder ? PROOF_PANEL.placeholder.lead : PROOF_PANEL.lead({ chain: chain.name })}
          </p>
        </div>
        <div className="flex items-end gap-4 lg:col-span-5 lg:justify-self-end">
          <Pip
            pose={token.placeholder ? 'asleep' : areAllProven ? 'stamped' : 'standing'}
            className="w-20 lg:w-28"
          />
          <p>
            <span
              className={areAllProven ? 'tally text-proof' : 'tally'}
            >{`${proven}/${proofs.length}`}</span>{' '}
            <span className="block font-semibold">{words.tally}</span>
          </p>
        </div>
      </div>
      <ul className="mt-8 grid gap-4">
        {proofs.map((proof) => (
          <EvidenceTag key={proof.claim} proof={proof} rpcUrl={chain.rpcUrl} />
        ))}
      </ul>
    </section>
  )
}
