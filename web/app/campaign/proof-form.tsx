import { type ComponentProps, Fragment } from 'react'
import { toast } from 'react-hot-toast/headless'
import type { Proof } from '#contract/claims/proof.ts'
import { PROOF } from '#messages/airdrop.js'
import { explainChecks } from '#web/content/tasks.ts'
import { PROOF_TEXTS } from '#messages/proof.js'
import { PROOF_FIELDS } from '#web/features/claim/proof.ts'
import { useOwnClaim } from '#web/features/claim/use-own-claim.ts'
import { Form } from '#web/features/forms/form.tsx'
import { isLoggedIn } from '#web/features/session/session.ts'
import { WalletProof } from '#web/features/wallet/wallet-proof.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { CAMPAIGN } from '../campaign-data.ts'
import type { PreviousClaim } from './previous-claim.ts'
import { StepHeading } from './airdrop-steps.tsx'
import type { ClaimDraft } from './use-claim-form.ts'
import { useSubmitProof } from './use-submit-proof.ts'
import { JoinWaitingList, Reservation, WaitingPlace } from './waiting-list.tsx'

const HEADING_ID = 'proof-heading'

type ProofFormProps = {
  draft: ClaimDraft
  previousClaim: PreviousClaim | undefined
  /** What was saved elsewhere in fields that have been changed here as well. */
  conflicts: Partial<Proof>
  onDraft: (changes: Partial<ClaimDraft>) => void
  /** Called if the claim was edited elsewhere, with what was saved there. */
  onEditedElsewhere: (claim: PreviousClaim) => void
  onBack: () => void
}

/** The airdrop form: wallet, handles and `retweetLink`, all required, the link with type="url". */
export function ProofForm({
  draft,
  previousClaim,
  conflicts,
  onDraft,
  onEditedElsewhere,
  onBack,
}: ProofFormProps) {
  const { submit, isPending, errors, isFull, progress } = useSubmitProof(previousClaim, onEditedElsewhere)
  /** Submits the draft. Without a login, shows an error and keeps the draft. */
  function submitDraft() {
    if (isLoggedIn()) submit(draft)
    else toast.error(PROOF.loginFirst)
  }

  return (
    <>
      <StepHeading id={HEADING_ID} title={PROOF.title} onBack={onBack} />
      <p className="mt-3 text-ink-soft">{PROOF.lead}</p>
      <CheckedAndTrusted />
      <Form
        onValues={submitDraft}
        progress={progress}
        aria-labelledby={HEADING_ID}
        className="mt-6 grid gap-5"
      >
        <div className="grid gap-5 sm:grid-cols-2">
          {PROOF_FIELDS.map((name) => (
            <Fragment key={name}>
              <Field
                {...PLAIN}
                {...PROOF_TEXTS[name]}
                {...SPECIAL[name]}
                name={name}
                value={draft[name]}
                error={errors[name] ?? conflictText(conflicts[name], draft[name])}
                onChange={(event) => onDraft({ [name]: event.target.value })}
              />
              {name === 'wallet' && <OwnWallet draft={draft} onDraft={onDraft} />}
            </Fragment>
          ))}
        </div>
        <Button type="submit" isPending={isPending} className="sm:justify-self-start sm:px-10">
          {PROOF.button}
        </Button>
      </Form>
      {isFull && <CampaignFull />}
    </>
  )
}

const conflictText = (saved: string | undefined, typed: string) =>
  saved === undefined || saved === typed ? undefined : PROOF.savedElsewhere({ value: saved })

const PLAIN = { required: true, autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

/** How fields differ from a plain text field of half the width. */
const SPECIAL: Partial<Record<keyof Proof, Partial<ComponentProps<typeof Field>>>> = {
  wallet: { className: 'sm:col-span-2' },
  retweetLink: { className: 'sm:col-span-2', type: 'url', inputMode: 'url' },
}

function CheckedAndTrusted() {
  const { data: ownClaim } = useOwnClaim()
  const canConnectTelegram = Boolean(ownClaim?.telegram)
  return (
    <dl className="mt-3 grid gap-1 text-sm text-ink-soft">
      {explainChecks(CAMPAIGN.airdrop.tasks, canConnectTelegram).map(({ heading, text }) => (
        <div key={heading}>
          <dt className="inline font-semibold">{heading} </dt>
          <dd className="inline">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Optional proof of wallet ownership. Hidden until the participant's data have loaded. */
function OwnWallet({ draft, onDraft }: Pick<ProofFormProps, 'draft' | 'onDraft'>) {
  const { data: ownClaim } = useOwnClaim()
  if (!ownClaim) return null
  return (
    <div className="-mt-3 sm:col-span-2">
      <WalletProof
        address={draft.wallet}
        proven={ownClaim.provenWallet}
        onAddress={(wallet) => onDraft({ wallet })}
      />
    </div>
  )
}

/** Shown if the last slot was taken while the form was being filled in. The form keeps its input. */
function CampaignFull() {
  const { data } = useOwnClaim()
  return (
    <div className="mt-8 border-t border-hairline pt-6">
      {data?.slot ? (
        <Reservation slot={data.slot} />
      ) : (
        <>
          <p className="mb-3 font-semibold text-accent-text">{PROOF.full}</p>
          {data?.waiting ? <WaitingPlace place={data.waiting.place} /> : <JoinWaitingList />}
        </>
      )}
    </div>
  )
}
