import type { LeaderboardEntry } from '#contract/leaderboard.ts'
import { formatInteger } from '#web/ui/format.ts'
import { classes } from '#web/ui/classes.ts'
import { Pip, type PipPose } from '#web/ui/pip.tsx'

/** The steps of the podium, in reading order. */
const STEPS = [
  { rank: 2, height: 'h-14 sm:h-24', pose: 'standing' },
  { rank: 1, height: 'h-22 sm:h-36', pose: 'waving' },
  { rank: 3, height: 'h-10 sm:h-15', pose: 'standing' },
] as const satisfies readonly { rank: number; height: string; pose: PipPose }[]

/** The first three, above the table. Decoration, drawn with CSS content: the table has the same text. */
export function Podium({ entries }: { entries: readonly LeaderboardEntry[] }) {
  return (
    <div aria-hidden="true" className="grid grid-cols-3 items-end">
      {STEPS.map(({ rank, height, pose }) => {
        const entry = entries[rank - 1]
        if (!entry) return null
        return (
          <div key={rank} className="min-w-0 text-center">
            <Pip pose={pose} className={classes('mx-auto', rank === 1 ? 'w-16 sm:w-24' : 'w-12 sm:w-18')} />
            <div
              className={classes(
                'relative border-2 border-b-0 border-ink pt-1 sm:pt-2',
                rank === 1 ? 'rounded-t-sm bg-accent' : 'bg-sheet',
                rank === 2 && 'rounded-ss-sm border-e-0',
                rank === 3 && 'rounded-se-sm border-s-0',
                height,
              )}
            >
              <span
                data-rank={rank}
                className={classes(
                  'block font-display text-xl leading-none! font-extrabold before:content-[attr(data-rank)]',
                  rank === 1 ? 'pt-1 text-on-accent sm:text-3xl' : 'sm:text-2xl',
                )}
              />
            </div>
          </div>
        )
      })}
      {STEPS.map(({ rank }) => {
        const entry = entries[rank - 1]
        return (
          entry && (
            <p
              key={rank}
              data-name={entry.username}
              data-total={formatInteger(entry.totalPoints)}
              className="min-w-0 border-t-2 border-ink px-1.5 pt-2.5 pb-3 text-center text-sm font-semibold before:block before:truncate before:[unicode-bidi:plaintext] before:content-[attr(data-name)] after:block after:figures after:text-xs after:text-ink-soft after:content-[attr(data-total)]"
            />
          )
        )
      })}
    </div>
  )
}
