import type { Phase } from '#contract/phase.ts'
import { OPEN_UNTIL, PHASES } from '#web/content/phase.ts'
import { Stamp } from '#web/ui/stamp.tsx'

type PhaseNoticeProps = {
  phase: Phase
  opensAt: string
  closesAt: string | null
  /** Formats a date; a prerendered page cannot use the reader's time zone. */
  format: (iso: string) => string
  /** Adds what the date means for the reader. */
  note?: boolean
}

/** Whether the campaign is open, with its start or end; nothing while it is open without an end. */
export function PhaseNotice({ phase, opensAt, closesAt, format, note = false }: PhaseNoticeProps) {
  if (phase === 'open')
    return closesAt === null ? null : (
      <p className="text-sm">
        {OPEN_UNTIL} <Moment at={closesAt} format={format} />.
      </p>
    )
  const { stamp, when, note: says } = PHASES[phase]
  return (
    <div className="grid justify-items-start gap-3">
      <Stamp tone={phase === 'before' ? 'signal' : 'ink'} className="stamp-on-sheet">
        {stamp}
      </Stamp>
      <p className="max-w-[56ch]">
        {when} <Moment at={phase === 'before' ? opensAt : (closesAt ?? opensAt)} format={format} />.
        {note && ` ${says}`}
      </p>
    </div>
  )
}

function Moment({ at, format }: { at: string; format: (iso: string) => string }) {
  return (
    <time dateTime={at} className="font-semibold">
      {format(at)}
    </time>
  )
}
