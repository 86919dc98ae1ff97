import { LEADERBOARD } from '#web/content/leaderboard.ts'

/** A medal for ranks 1 to 3. */
export function Medal({ rank }: { rank: number }) {
  return (
    <svg
      viewBox="0 0 40 48"
      role="img"
      aria-label={`${rank}, ${LEADERBOARD.medals[rank - 1]}`}
      strokeWidth="2.5"
      strokeLinejoin="round"
      className="h-10"
    >
      <path d="M10 2l7 16M30 2l-7 16M10 2h8l2 5 2-5h8" fill="none" className="stroke-ink" />
      <circle cx="20" cy="31" r="14" className={FILLS[rank - 1]} />
      <text
        x="20"
        y="36.5"
        textAnchor="middle"
        strokeWidth="0"
        className={`${INKS[rank - 1]} font-display text-base font-extrabold`}
      >
        {rank}
      </text>
    </svg>
  )
}

/** Told apart by fill and number rather than by color. */
const FILLS = ['fill-signal stroke-ink', 'fill-ink stroke-ink', 'fill-transparent stroke-ink']
const INKS = ['fill-on-signal', 'fill-paper', 'fill-ink']
