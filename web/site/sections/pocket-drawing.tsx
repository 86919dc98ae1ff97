import { classes } from '#web/ui/classes.ts'
import { LineDrawing } from '#web/ui/icon.tsx'
import { LivelyPip } from '#web/ui/pip.tsx'

export function PocketDrawing({ symbol, className }: { symbol: string; className?: string }) {
  return (
    <LineDrawing viewBox="0 0 400 440" strokeWidth="6" className={classes('pocket', className)}>
      <Ticket />
      <g transform="translate(64 14) scale(2)" strokeWidth="3">
        <LivelyPip />
      </g>
      <path
        d="M34 188h332v150c0 22-9 36-26 44l-140 46-140-46c-17-8-26-22-26-44z"
        className="fill-sheet stroke-ink"
      />
      <path d="M34 236h332" className="stroke-ink" />
      <path
        d="M50 252v84c0 16 6 25 18 31l132 43 132-43c12-6 18-15 18-31v-84z"
        strokeWidth="3.5"
        strokeDasharray="11 9"
        className="stroke-accent"
      />
      <path d="M48 204h304M48 221h304" strokeWidth="3.5" strokeDasharray="11 9" className="stroke-accent" />
      <Fingers x={96} />
      <Fingers x={262} />
      <text
        x="200"
        y="346"
        textAnchor="middle"
        // A longer symbol is smaller, so that it fits on the pocket.
        fontSize={symbol.length > 3 ? 300 / symbol.length : 92}
        strokeWidth="5"
        className="fill-accent stroke-ink font-display font-extrabold [paint-order:stroke]"
      >
        {symbol}
      </text>
    </LineDrawing>
  )
}

function Ticket() {
  return (
    <g transform="rotate(12 320 140)" className="stroke-ink">
      <path d="M276 74h84v150h-84z" className="fill-paper" />
      <path d="M276 112h84" strokeWidth="3.5" strokeDasharray="2 9" />
      <path d="M292 94h34M292 134h50M292 152h36" strokeWidth="4" />
    </g>
  )
}

function Fingers({ x }: { x: number }) {
  return (
    <g transform={`translate(${x} 178)`} className="fill-accent stroke-ink">
      <rect width="42" height="26" rx="12" />
      <path d="M14 12v12M28 12v12" strokeWidth="4" />
    </g>
  )
}
