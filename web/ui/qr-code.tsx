import { encodeQR } from 'qr'

/** Width in modules of the light margin that scanners need. */
const QUIET_ZONE = 4

/** A QR code, always dark on light: some scanners cannot read it inverted. */
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
