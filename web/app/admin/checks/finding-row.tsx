import type { DeploymentFinding } from '#contract/dashboard/deployment.ts'
import { CHECKS } from '#messages/dashboard-setup.js'
import { Stamp, type StampTone } from '#web/ui/stamp.tsx'

const TONES: Record<DeploymentFinding['outcome'], StampTone> = {
  fine: 'proof',
  wrong: 'accent',
  could_not_tell: 'ink',
}

const NAMES: Readonly<Record<string, string>> = CHECKS.names

/** One check: its name, its outcome as a stamp, and what was found. */
export function FindingRow({ finding: { name, outcome, lines, remarks } }: { finding: DeploymentFinding }) {
  return (
    <li className="grid grid-cols-1 gap-x-6 gap-y-2 border-b border-hairline py-4 sm:grid-cols-[11rem_8.5rem_minmax(0,1fr)]">
      <p className="font-display font-extrabold">{NAMES[name] ?? name}</p>
      <div>
        <Stamp tone={TONES[outcome]}>{CHECKS.outcomes[outcome]}</Stamp>
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-1.5 wrap-anywhere">
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {remarks.map((remark) => (
          <p key={remark} className="text-sm text-ink-soft">
            {CHECKS.remark} {remark}
          </p>
        ))}
      </div>
    </li>
  )
}
