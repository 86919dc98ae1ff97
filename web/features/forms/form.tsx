import type { ComponentProps, SubmitEvent } from 'react'
import { CHALLENGE_WORDS } from '#messages/account.js'
import { formatPercent } from '#web/ui/text/format.ts'

export type FormValues = Readonly<Record<string, string>>

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit' | 'action'> & {
  onValues: (values: FormValues) => void
  /** From `useProofOfWork`, if calls of the form may be answered with a challenge. Shown below the fields. */
  progress?: number | undefined
}

/** Passes its values to `onValues`. React's `action` would reset the fields even after a refusal. */
export function Form({ onValues, progress, children, ...form }: FormProps) {
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const entries = [...new FormData(event.currentTarget)].filter(([, value]) => typeof value === 'string')
    onValues(Object.fromEntries(entries) as FormValues)
  }
  return (
    <form {...form} onSubmit={submit}>
      {children}
      <WorkProgress progress={progress} />
    </form>
  )
}

/** Progress of the challenge that is being solved for a form, from 0 to 1; undefined if there is none. */
function WorkProgress({ progress }: { progress: number | undefined }) {
  return (
    // Always rendered, because screen readers announce changes only in an existing live region.
    <div role="status" className={progress === undefined ? 'sr-only' : 'grid gap-2 text-sm text-ink-soft'}>
      {progress !== undefined && (
        <>
          <p>{CHALLENGE_WORDS.explanation}</p>
          <div className="flex items-center gap-3">
            <progress value={progress} aria-label={CHALLENGE_WORDS.progress} className="flex-1" />
            <span aria-hidden="true" className="w-12 text-end font-mono tabular-nums">
              {formatPercent(progress)}
            </span>
          </div>
        </>
      )}
    </div>
  )
}
