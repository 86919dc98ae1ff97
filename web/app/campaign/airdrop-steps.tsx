import { type ReactNode, useEffect, useRef } from 'react'
import { AIRDROP } from '#messages/airdrop.js'
import { classes } from '#web/ui/classes.ts'
import { Stamp } from '#web/ui/stamp.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { CAMPAIGN } from '../campaign-data.ts'
import './airdrop-steps.css'

const STEPS = ['start', 'tasks', 'proof'] as const
export type Step = (typeof STEPS)[number]

/** The steps as a ticket around the current step. Stubs of completed steps are torn off. */
export function AirdropSteps({ step, children }: { step: Step | 'claimed'; children: ReactNode }) {
  const current = step === 'claimed' ? STEPS.length : STEPS.indexOf(step)
  return (
    <div className="airdrop-steps mt-8">
      <ol className="airdrop-steps-list">
        {STEPS.map((name, index) => (
          <Stub key={name} name={name} index={index} current={current} />
        ))}
      </ol>
      <div className="airdrop-steps-body">
        <p aria-hidden="true" className="flex justify-between gap-4 label">
          <span>{CAMPAIGN.token.name}</span>
          <span className="figures">
            {Math.min(current + 1, STEPS.length)}/{STEPS.length}
          </span>
        </p>
        {children}
      </div>
    </div>
  )
}

const NAMES: Readonly<Record<Step, string>> = {
  ...AIRDROP.steps,
  tasks: AIRDROP.steps.tasks({ tasks: CAMPAIGN.airdrop.tasks.length }),
}

function Stub({ name, index, current }: { name: Step; index: number; current: number }) {
  const isDone = index < current
  return (
    <li
      aria-current={index === current ? 'step' : undefined}
      className={classes('airdrop-step', isDone && 'airdrop-step-torn')}
    >
      <span className="font-display text-2xl leading-none font-extrabold" aria-hidden="true">
        {index + 1}
      </span>
      <span className="font-semibold">{NAMES[name]}</span>
      {isDone && (
        <Stamp tone="proof" className="stamp-on-sheet">
          {AIRDROP.done}
        </Stamp>
      )}
    </li>
  )
}

/** A step's heading. On later steps, it has a back button, and gets the focus to be read out. */
export function StepHeading({ title, id, onBack }: { title: string; id?: string; onBack?: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isLater = onBack !== undefined
  useEffect(() => {
    if (isLater) heading.current?.focus()
  }, [isLater])
  return (
    <div className="mt-5 flex items-center gap-4 max-[15rem]:flex-wrap">
      {onBack && (
        <button
          type="button"
          aria-label={AIRDROP.back}
          onClick={onBack}
          className="grid size-11 shrink-0 place-items-center rounded-full border border-outline hover:border-ink"
        >
          <Icon path="M20 12H4M10 6l-6 6 6 6" className="rtl:-scale-x-100" />
        </button>
      )}
      <h2 ref={heading} id={id} tabIndex={-1} className="text-2xl outline-none">
        {title}
      </h2>
    </div>
  )
}
