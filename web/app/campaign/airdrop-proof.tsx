import { useQueryClient } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { toast } from 'react-hot-toast/headless'
import { useNavigate } from 'react-router'
import { submitProof } from '#contract/tasks.ts'
import { PROOF } from '#web/content/airdrop.ts'
import { wasDone } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { Form } from '#web/features/forms/form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { isLoggedIn } from '#web/features/session/session.ts'
import { ROUTES } from '#web/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { forgetDraft } from './claim-draft.ts'
import type { ClaimDraft } from './claim-draft.ts'
import { StepHeading } from './step-heading.tsx'

const HEADING = 'proof-heading'

type ProofProps = {
  draft: ClaimDraft
  onDraft: (changes: Partial<ClaimDraft>) => void
  onBack: () => void
}

export function AirdropProof({ draft, onDraft, onBack }: ProofProps) {
  const { wallet, telegram, twitter, retweetLink } = draft
  const { submit, busy, errors } = useSubmitProof()
  const sendDraft = () =>
    isLoggedIn() ? submit({ wallet, telegram, twitter, retweetLink }) : toast.error(PROOF.loginFirst)

  const box = (name: Exclude<keyof ClaimDraft, 'done'>): Box => ({
    name,
    value: draft[name],
    error: errors[name],
    onChange: (event) => onDraft({ [name]: event.target.value }),
  })

  return (
    <>
      <StepHeading id={HEADING} title={PROOF.title} onBack={onBack} />
      <p className="mt-3 text-ink-soft">{PROOF.lead}</p>
      <WhatIsSeen />
      <Form onTyped={sendDraft} aria-labelledby={HEADING} className="mt-6 grid gap-5">
        <ProofFields box={box} />
        <Button type="submit" pending={busy} className="sm:justify-self-start sm:px-10">
          {PROOF.button}
        </Button>
      </Form>
    </>
  )
}

/** No task is proven by a form: which of them leave something to look at, said before anybody types. */
function WhatIsSeen() {
  return (
    <dl className="mt-3 grid gap-1 text-sm text-ink-soft">
      {PROOF.evidence.map(({ what, how }) => (
        <div key={what}>
          <dt className="inline font-semibold">{what}: </dt>
          <dd className="inline">{how}</dd>
        </div>
      ))}
    </dl>
  )
}

type Box = Pick<ComponentProps<typeof Field>, 'name' | 'value' | 'error' | 'onChange'>

function ProofFields({ box }: { box: (name: Exclude<keyof ClaimDraft, 'done'>) => Box }) {
  const plain = { required: true, autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
  return (
    <>
      <Field
        {...box('wallet')}
        {...plain}
        label={PROOF.wallet}
        hint={PROOF.walletHint}
        placeholder={PROOF.walletPlaceholder}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          {...box('telegram')}
          {...plain}
          label={PROOF.telegram}
          placeholder={PROOF.telegramPlaceholder}
        />
        <Field {...box('twitter')} {...plain} label={PROOF.twitter} placeholder={PROOF.twitterPlaceholder} />
      </div>
      <Field
        {...box('retweetLink')}
        {...plain}
        type="url"
        inputMode="url"
        label={PROOF.retweetLink}
        hint={PROOF.retweetHint}
        placeholder={PROOF.retweetPlaceholder}
      />
    </>
  )
}

function useSubmitProof() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  return useFormCall({
    send,
    done: ({ message }) => {
      toast.success(message || PROOF.done)
      forgetDraft()
      queries.removeQueries({ queryKey: ['profile'] })
      void navigate(ROUTES.profile.path)
    },
    fallback: PROOF.failed,
  })
}

/** A claim that was taken must not be told as a failure because the answer had no words. */
async function send(proof: Omit<ClaimDraft, 'done'>): Promise<{ message: string }> {
  try {
    return await call(submitProof, { body: proof })
  } catch (error) {
    if (wasDone(error)) return { message: '' }
    throw error
  }
}
