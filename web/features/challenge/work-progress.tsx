import { formatPercent } from '#web/ui/format.ts'
import { useEffect, useSyncExternalStore } from 'react'
import { CHALLENGE_WORDS } from '#messages/account.js'

/** Progress of the challenge solved for this form's call; unmounting aborts the work. */
export function WorkProgress() {
  const progress = useWorkProgress()
  useEffect(() => abortWork, [])
  return (
    // Always rendered: screen readers announce changes only in a live region that already exists.
    <div role="status" className={progress === undefined ? 'sr-only' : 'grid gap-2 text-sm text-ink-soft'}>
      {progress !== undefined && (
        <>
          <p>{CHALLENGE_WORDS.explanation}</p>
          <div className="flex items-center gap-3">
            <progress
              value={progress}
              aria-label={CHALLENGE_WORDS.progress}
              className="h-2 flex-1 appearance-none bg-hairline [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hairline [&::-webkit-progress-value]:bg-accent"
            />
            <span aria-hidden="true" className="w-12 text-end font-mono tabular-nums">
              {formatPercent(progress)}
            </span>
          </div>
        </>
      )}
    </div>
  )
}

type Work = { progress: number; controller: AbortController }

/** A page solves one challenge at a time. */
let current: Work | undefined
const listeners = new Set<() => void>()

/** Publishes the progress, from 0 to 1; undefined when the work is over. */
export function publishProgress(work: Work | undefined): void {
  current = work
  for (const listener of listeners) listener()
}

function abortWork(): void {
  current?.controller.abort()
  publishProgress(undefined)
}

/** @returns the progress, from 0 to 1; undefined without work. */
function useWorkProgress(): number | undefined {
  return useSyncExternalStore(subscribe, () => current?.progress)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
