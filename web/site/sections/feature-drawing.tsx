import type { ReactNode } from 'react'
import type { FeatureDrawingName } from '#contract/campaign-file.ts'
import { LineDrawing } from '#web/ui/icon.tsx'

export function FeatureDrawing({ name }: { name: FeatureDrawingName }) {
  return (
    <LineDrawing viewBox="0 0 96 72" strokeWidth="3" className="w-24">
      {DRAWINGS[name]}
    </LineDrawing>
  )
}

/** A feature's number in place of a drawing, on the same ground line. */
export function NumberDrawing({ number }: { number: number }) {
  return (
    <svg viewBox="0 0 96 72" role="img" aria-label={String(number)} className="w-24">
      <text
        x="6"
        y="58"
        fontSize="66"
        strokeWidth="6"
        strokeLinejoin="round"
        className="fill-accent stroke-ink font-display font-extrabold [paint-order:stroke]"
      >
        {number}
      </text>
      <g strokeWidth="3" strokeLinecap="round">
        {GROUND}
      </g>
    </svg>
  )
}

const GROUND = <path d="M2 60h92" className="stroke-ink" />

const DRAWINGS: Record<FeatureDrawingName, ReactNode> = {
  // A coin rising behind the horizon at night.
  stealth: (
    <>
      <path d="M78 10a12 12 0 1 0 10 18 10 10 0 0 1-10-18z" className="stroke-ink" />
      <path d="M14 16v6M11 19h6M34 8v4M32 10h4" className="stroke-ink" />
      <path d="M22 60a22 22 0 0 1 44 0" className="fill-accent stroke-ink" />
      <path d="M37 50v5M51 50v5" strokeWidth="5" className="stroke-on-accent" />
      {GROUND}
    </>
  ),
  // A receipt with an empty last line.
  taxes: (
    <>
      <path d="M28 6h40v54l-6.7-5-6.6 5-6.7-5-6.7 5-6.6-5-6.7 5z" className="fill-paper stroke-ink" />
      <path d="M36 17h24M36 26h15" className="stroke-ink" />
      <circle cx="55" cy="41" r="7" className="fill-accent stroke-ink" />
      <path d="M36 41h8" className="stroke-ink" />
    </>
  ),
  // A drop in a flame.
  liquidity: (
    <>
      <path
        d="M49 4c2 12 18 18 18 36 0 12-8 20-19 20s-19-8-19-19c0-9 5-13 8-20 2 4 4 6 6 7 1-9 3-16 6-24z"
        className="fill-accent stroke-ink"
      />
      <path d="M48 36c4 6 7 9 7 14a7 7 0 0 1-14 0c0-5 3-8 7-14z" className="fill-paper stroke-ink" />
    </>
  ),
  // Three coins, hand in hand.
  community: (
    <>
      <path d="M30 40h10M56 40h10M14 54v6M24 54v6M43 54v6M53 54v6M72 54v6M82 54v6" className="stroke-ink" />
      <circle cx="19" cy="42" r="12" className="fill-paper stroke-ink" />
      <circle cx="77" cy="42" r="12" className="fill-paper stroke-ink" />
      <circle cx="48" cy="38" r="16" className="fill-accent stroke-ink" />
      <path d="M43 34v4M53 34v4" strokeWidth="4" className="stroke-on-accent" />
      <path d="M43 44c3 3 7 3 10 0" className="stroke-on-accent" />
      <path d="M16 40v2M23 40v2M74 40v2M81 40v2" strokeWidth="4" className="stroke-ink" />
    </>
  ),
  // A robot caught under a net.
  'anti-bot': (
    <>
      <path
        d="M48 12V4M34 24h28a4 4 0 0 1 4 4v24a4 4 0 0 1-4 4H34a4 4 0 0 1-4-4V28a4 4 0 0 1 4-4z"
        className="fill-paper stroke-ink"
      />
      <circle cx="48" cy="14" r="4" className="fill-accent stroke-ink" />
      <path d="M38 34l6 6M44 34l-6 6M52 34l6 6M58 34l-6 6M40 49h16" className="stroke-ink" />
      <path
        d="M8 60C12 28 28 18 48 18s36 10 40 42M2 60h92M18 60c2-16 8-28 16-38M78 60c-2-16-8-28-16-38M12 44h72"
        strokeWidth="2"
        strokeDasharray="1 5"
        className="stroke-accent"
      />
    </>
  ),
  // A plant on a mound.
  rewards: (
    <>
      <path d="M48 60V30" className="stroke-ink" />
      <path d="M48 42c-16 2-22-6-22-18 14-1 21 6 22 18z" className="fill-paper stroke-ink" />
      <path d="M48 34c14 1 21-6 22-20-14 0-21 7-22 20z" className="fill-accent stroke-ink" />
      <path d="M34 60a14 8 0 0 1 28 0" className="fill-paper stroke-ink" />
      {GROUND}
    </>
  ),
}
