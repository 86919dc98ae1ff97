import type { Pause } from '#contract/campaign.ts'
import { isOver, type Stage } from '#contract/phase.ts'
import { PAUSE_WORDS, STAGE_WORDS } from '#messages/phase.js'
import { RichText } from '#web/ui/rich-text.tsx'
import { Stamp } from '#web/ui/stamp.tsx'

type StageNoticeProps = {
  stage: Stage
  opensAt: string
  closesAt: string | null
  paused: Pause | null
  /** Formats a date; a prerendered page cannot use the reader's time zone. */
  format: (iso: string) => string
  /** Adds what the stage means for the reader, except while the campaign is open. */
  note?: boolean
}

/** Where the campaign is, with its next or last date; nothing while it is open without an end. */
export function StageNotice({ stage, opensAt, closesAt, paused, format, note = false }: StageNoticeProps) {
  if (stage === 'open')
    return closesAt === null ? null : (
      <p className="text-sm">
        <Moment message={STAGE_WORDS.open.when} at={closesAt} format={format} />
      </p>
    )
  const words = STAGE_WORDS[stage]
  const when = 'when' in words ? words.when : null
  const at = stage === 'before' ? opensAt : closesAt
  return (
    <div className="grid justify-items-start gap-3">
      <Stamp tone={stage === 'paid' ? 'proof' : isOver(stage) ? 'ink' : 'accent'} className="stamp-on-sheet">
        {words.stamp}
      </Stamp>
      {stage === 'paused' && paused && <PauseNotice paused={paused} format={format} />}
      {((when !== null && at !== null) || note) && (
        <p className="max-w-[56ch]">
          {when !== null && at !== null && (
            <>
              <Moment message={when} at={at} format={format} />{' '}
            </>
          )}
          {note && words.note}
        </p>
      )}
    </div>
  )
}

/** What the operator says about the pause, and when it is expected to end. */
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
  /** A sentence with the date between tags of `time`. */
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
