import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import * as z from 'zod/mini'
import { appeal, MAX_APPEAL_LENGTH, type OwnClaim } from '#contract/claims/claims.ts'
import { APPEAL } from '#messages/claim.js'
import { call } from '#web/features/api/call.ts'
import { OWN_CLAIM_QUERY } from '#web/features/claim/use-own-claim.ts'
import { Form } from '#web/features/forms/form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { readStoredJson, removeStored, store } from '#web/features/session/storage.ts'
import { Ago } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { Stamp } from '#web/ui/stamp.tsx'
import { pastePlain } from '#web/ui/forms/paste-plain.ts'
import { TextArea } from '#web/ui/forms/text-area.tsx'

type Claim = NonNullable<OwnClaim['claim']>

export function Appeal({ claim }: { claim: Claim }) {
  if (!claim.appeal && !claim.isAppealable) return null
  return (
    <section className="grid gap-3 border-t border-hairline pt-5">
      <h3 className="text-xl">{APPEAL.title}</h3>
      {claim.appeal ? <SentAppeal appeal={claim.appeal} /> : <AppealForm taskId={claim._id} />}
    </section>
  )
}

function SentAppeal({ appeal: { text, at, isAnswered } }: { appeal: NonNullable<Claim['appeal']> }) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Stamp tone={isAnswered ? 'ink' : 'accent'}>{isAnswered ? APPEAL.answered : APPEAL.waits}</Stamp>
        <Ago at={at} className="text-sm text-ink-soft" />
      </p>
      <blockquote dir="auto" className="border-s-[3px] border-outline ps-4 wrap-anywhere whitespace-pre-line">
        {text}
      </blockquote>
    </>
  )
}

const Draft = z.object({ taskId: z.string(), text: z.string() })

/** The unsent text about the claim. Stored because a phone may discard the page while another app is open. */
function readDraft(taskId: string): string {
  const draft = z.safeParse(Draft, readStoredJson('appealDraft')).data
  return draft?.taskId === taskId ? draft.text : ''
}

const storeDraft = (draft: z.output<typeof Draft>) => store('appealDraft', JSON.stringify(draft))

function AppealForm({ taskId }: { taskId: string }) {
  const [text, setText] = useState(() => readDraft(taskId))
  const queries = useQueryClient()
  const reload = () => void queries.invalidateQueries({ queryKey: OWN_CLAIM_QUERY })
  const { submit, isPending, errors } = useFormCall({
    send: () => call(appeal, { params: { taskId }, body: { text: text.trim() } }),
    onSuccess: ({ message }) => {
      toast.success(message || APPEAL.done)
      removeStored('appealDraft')
      reload()
    },
    fallback: APPEAL.failed,
    // Shows the claim as it is now: decided meanwhile, perhaps, or appealed in another tab.
    onError: () => {
      reload()
      return false // A toast shows the error.
    },
  })
  return (
    <Form onValues={() => submit()} className="grid gap-4">
      <p className="text-ink-soft">{APPEAL.lead}</p>
      <TextArea
        label={APPEAL.text}
        hint={APPEAL.left({ characters: MAX_APPEAL_LENGTH - text.length })}
        error={errors.text}
        name="text"
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          storeDraft({ taskId, text: target.value })
        }}
        rows={4}
        maxLength={MAX_APPEAL_LENGTH}
        required
        onPaste={pastePlain}
      />
      <Button type="submit" variant="secondary" isPending={isPending} className="justify-self-start">
        {APPEAL.button}
      </Button>
    </Form>
  )
}
