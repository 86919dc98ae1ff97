import type { Payout } from '#contract/dashboard/payouts.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { formatInteger } from '#web/ui/format.ts'

type Run = NonNullable<Payout['run']>

/** The run in progress, or how the last one failed. Nothing after a success, whose result is on the page. */
export function RunState({ run }: { run: Run }) {
  if (run.state === 'done') return null
  if (run.state === 'running') return <Progress run={run} />
  const text = run.state === 'interrupted' ? PAYOUT.interrupted : run.message
  return (
    <p role="alert" className="border-s-4 border-signal bg-ink/5 px-4 py-3 font-semibold">
      {PAYOUT.runIs({ task: PAYOUT.run[run.task], text: text ?? '' })}
    </p>
  )
}

const STEPS: Readonly<Record<string, string>> = PAYOUT.steps

function Progress({ run: { task, step, done, total } }: { run: Run }) {
  const label = PAYOUT.runIs({ task: PAYOUT.run[task], text: STEPS[step] ?? step })
  return (
    <div className="grid gap-2 rounded-md border border-ink p-4">
      <div className="flex flex-wrap justify-between gap-x-6">
        <p role="status" className="font-semibold">
          {label}
        </p>
        <p className="figures text-sm text-ink-soft">
          {total === null ? formatInteger(done) : `${formatInteger(done)} / ${formatInteger(total)}`}
        </p>
      </div>
      <progress
        aria-label={label}
        className="h-2 w-full accent-signal"
        {...(total === null ? {} : { value: done, max: Math.max(1, total) })}
      />
    </div>
  )
}
