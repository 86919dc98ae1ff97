import { useEffect } from 'react'
import { CHALLENGE_WORDS } from '#web/content/challenge.ts'
import { leaveWork, useWorkDone } from './progress.ts'

/** Tells that and how far the device works for a call of this form; leaving the form ends the work. */
export function WorkProgress() {
  const done = useWorkDone()
  useEffect(() => leaveWork, [])
  return (
    // Always there: what is said is announced where a status line was already known.
    <div role="status" className={done === undefined ? 'sr-only' : 'grid gap-2 text-sm text-ink-soft'}>
      {done !== undefined && (
        <>
          <p>{CHALLENGE_WORDS.explanation}</p>
          <div className="flex items-center gap-3">
            <progress
              value={done}
              aria-label={CHALLENGE_WORDS.progress}
              className="h-2 flex-1 appearance-none bg-hairline [&::-moz-progress-bar]:bg-signal [&::-webkit-progress-bar]:bg-hairline [&::-webkit-progress-value]:bg-signal"
            />
            <span aria-hidden="true" className="w-12 text-end font-mono tabular-nums">
              {CHALLENGE_WORDS.percent(done)}
            </span>
          </div>
        </>
      )}
    </div>
  )
}
