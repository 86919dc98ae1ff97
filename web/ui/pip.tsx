import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { LineDrawing } from './icon.tsx'

export type PipPose = 'face' | 'standing' | 'asleep' | 'waving' | 'stamped'

/**
 * Pip, a coin with two eyes and thin legs. Decorative: hidden from screen readers. A campaign's logo replaces
 * each drawing of class `brand-mark`, its mascot each of class `mascot` (server/site/look/look-css.ts).
 */
export function Mascot({ pose = 'standing', className }: { pose?: PipPose; className?: string }) {
  return (
    <LineDrawing
      viewBox={pose === 'face' ? '6 4 108 108' : '0 0 120 150'}
      strokeWidth="5"
      className={classes(pose === 'face' ? 'brand-mark' : 'mascot', className)}
    >
      {pose !== 'face' && <g className="stroke-ink">{LIMBS[pose]}</g>}
      <Coin />
      <g className="stroke-on-accent">{pose === 'asleep' ? <AsleepFace /> : <AwakeFace />}</g>
      {pose === 'stamped' && <ProofStamp />}
    </LineDrawing>
  )
}

/** Pip as part of a drawing, which sets the stroke. web/features/pip and paper-effects.css animate it. */
export function LivelyPip() {
  return (
    <g className="pip-hops pip-looks">
      <Coin />
      <g className="pip-awake stroke-on-accent">
        <AwakeFace />
      </g>
      <g className="pip-asleep stroke-on-accent">
        <AsleepFace />
      </g>
    </g>
  )
}

function Coin() {
  return (
    <>
      <circle cx="60" cy="58" r="48" className="fill-accent stroke-ink" />
      <circle cx="60" cy="58" r="38" strokeWidth="2" strokeDasharray="0.1 6" className="stroke-on-accent" />
    </>
  )
}

const LEGS = <path d="M46 104v36h-9M74 104v36h9" />

const WAVING = (
  <>
    {LEGS}
    <path d="M14 66c-8 6-9 14-6 22M105 48c7-6 9-14 8-24" />
  </>
)

const LIMBS: Record<Exclude<PipPose, 'face'>, ReactNode> = {
  standing: (
    <>
      {LEGS}
      <path d="M14 66c-8 6-9 14-6 22M106 66c8 6 9 14 6 22" />
    </>
  ),
  waving: WAVING,
  stamped: WAVING,
  asleep: <path d="M46 104c-2 10 2 16-10 18h-8M74 104c2 10-2 16 10 18h8" />,
}

/** A stamp with a check mark: for an approved claim, a token with all its claims proven, or an allocation. */
function ProofStamp() {
  return (
    <g transform="rotate(-12 84 92)" className="stroke-proof">
      <rect x="62" y="76" width="46" height="30" rx="4" strokeWidth="4" className="fill-paper" />
      <path d="M75 91l7 7 13-14" strokeWidth="5" />
    </g>
  )
}

function AwakeFace() {
  return (
    <>
      <path d="M46 48v7M74 48v7" strokeWidth="8" />
      <path d="M48 71c6 7 18 7 24 0" />
    </>
  )
}

function AsleepFace() {
  return (
    <>
      <path d="M39 54c4 4 10 4 14 0M67 54c4 4 10 4 14 0" />
      <path d="M55 73h10" />
    </>
  )
}
