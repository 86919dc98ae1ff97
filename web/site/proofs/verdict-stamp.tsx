import type { ReactNode } from 'react'
import type { TokenProof } from '#contract/token-proofs.ts'
import { type ShownVerdict, VERDICT_STAMPS } from '#web/content/site/proofs.ts'
import { classes } from '#web/ui/classes.ts'
import { LineDrawing } from '#web/ui/icon.tsx'

const MARKS: Record<ShownVerdict, ReactNode> = {
  proven: <path d="M2 8.5l4 4L14 3.5" />,
  not_so: <path d="M3 3l10 10M13 3L3 13" />,
  could_not_check: <path d="M5 5.5a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.1-1.5 2.4M8 13.5v.2" />,
  placeholder: <path d="M2.5 8h11" />,
}

const TONES: Record<ShownVerdict, string | false> = {
  proven: 'text-proof',
  // The style sheet gives it a color.
  not_so: false,
  could_not_check: 'text-ink-soft',
  placeholder: 'text-ink-soft',
}

/** A verdict as a rubber stamp. Words, mark, outline and tilt differ too, not only the color. */
export function VerdictStamp({ verdict }: { verdict: ShownVerdict }) {
  return (
    <span data-verdict={verdict} className={classes('stamp verdict', TONES[verdict])}>
      <LineDrawing viewBox="0 0 16 16" stroke="currentColor" strokeWidth="2.5">
        {MARKS[verdict]}
      </LineDrawing>
      {VERDICT_STAMPS[verdict]}
    </span>
  )
}

/** A placeholder token is never checked. Its stamp says that, not that the check failed. */
export function shownVerdict({ verdict, reason }: Pick<TokenProof, 'verdict' | 'reason'>): ShownVerdict {
  return reason === 'placeholder' ? 'placeholder' : verdict
}
