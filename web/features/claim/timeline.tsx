import type { TimelineEntry } from '#contract/claims/claim-history.ts'
import { TIMELINE_WORDS } from '#messages/claim.js'
import { Ago } from '#web/features/time/time.tsx'

export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="grid grid-cols-1 gap-2">
      {entries.map(({ what, at, reason }, index) => (
        // Entries are only ever added at the end, so the index is a stable key.
        <li key={index} className={ENTRY}>
          <span aria-hidden="true" className="mt-[0.5em] size-2 rounded-full bg-accent" />
          <div>
            <p>
              <span className="font-semibold">{TIMELINE_WORDS[what]}</span>{' '}
              <Ago at={at} className="text-ink-soft" />
            </p>
            {reason && (
              <p dir="auto" className="wrap-anywhere whitespace-pre-line text-ink-soft">
                {reason.text}
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

/** A dot's column, and a line from the dot down to the next. */
const ENTRY =
  'relative grid grid-cols-[0.75rem_minmax(0,1fr)] gap-x-2.5 not-last:before:absolute ' +
  'not-last:before:start-[0.2rem] not-last:before:top-[1.25em] not-last:before:-bottom-3 ' +
  'not-last:before:border-s not-last:before:border-outline'
