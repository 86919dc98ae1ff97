import { encodeQR } from 'qr'

/** Width of the light margin that scanners need, in modules (the squares of the code). */
const QUIET_ZONE = 4

/** Always dark on light, because some scanners cannot read an inverted code. */
export function QrCode({ text, label, className }: { text: string; label: string; className: string }) {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })
  const size = modules.length
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} className="fill-qr-light" />
      <path d={modules.map(darkRuns).join('')} className="fill-qr-dark" />
    </svg>
  )
}

/** One rectangle for each run of dark modules in a row. */
function darkRuns(row: readonly boolean[], y: number): string {
  const runs = row
    .map((isDark) => (isDark ? '1' : '0'))
    .join('')
    .matchAll(/1+/g)
  return Array.from(runs, ({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`).join('')
}
