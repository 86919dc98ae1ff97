import type { Pause } from '#contract/campaign.ts'
import { isOver, type Stage } from '#contract/phase.ts'
import { PAUSE_WORDS, STAGE_WORDS } from '#messages/phase.js'
import { RichText } from '#web/ui/text/rich-text.tsx'
import { Stamp, type StampTone } from '#web/ui/stamp.tsx'

type StageNoticeProps = {
  stage: Stage
  opensAt: string
  closesAt: string | null
  paused: Pause | null
  /** Formats a date. A prerendered page cannot use the reader's time zone. */
  format: (iso: string) => string
  /** Adds what the stage means for the reader. There is no note while the campaign is open. */
  hasNote?: boolean
}

/** The campaign's stage, with its next or last date. Empty while the campaign is open without an end. */
export function StageNotice({ stage, opensAt, closesAt, paused, format, hasNote = false }: StageNoticeProps) {
  if (stage === 'open')
    return closesAt === null ? null : (
      <p className="text-sm">
        <Moment message={STAGE_WORDS.open.when} at={closesAt} format={format} />
      </p>
    )
  const words = STAGE_WORDS[stage]
  const when = 'when' in words ? words.when : null
  const at = stage === 'before' ? opensAt : closesAt
  const hasMoment = when !== null && at !== null
  return (
    <div className="grid justify-items-start gap-3">
      <Stamp tone={toneOf(stage)} className="stamp-on-sheet">
        {words.stamp}
      </Stamp>
      {stage === 'paused' && paused && <PauseNotice paused={paused} format={format} />}
      {(hasMoment || hasNote) && (
        <p className="max-w-[56ch]">
          {hasMoment && <Moment message={when} at={at} format={format} />} {hasNote && words.note}
        </p>
      )}
    </div>
  )
}

function toneOf(stage: Stage): StampTone {
  if (stage === 'paid') return 'proof'
  return isOver(stage) ? 'ink' : 'accent'
}

function PauseNotice({ paused, format }: { paused: Pause; format: (iso: string) => string }) {
  return (
    <div className="grid max-w-[56ch] gap-1">
      <p dir="auto" className="font-semibold wrap-anywhere whitespace-pre-line">
        {paused.notice}
      </p>
      {paused.until !== null && (
        <p>
          <Moment message={PAUSE_WORDS.until} at={paused.until} format={format} />
        </p>
      )}
    </div>
  )
}

type MomentProps = {
  /** A sentence with its date in a `time` tag. */
  message: (values: { date: string }) => string
  at: string
  format: (iso: string) => string
}

function Moment({ message, at, format }: MomentProps) {
  return (
    <RichText
      text={message({ date: format(at) })}
      tags={{ time: <time dateTime={at} className="font-semibold" /> }}
    />
  )
}
