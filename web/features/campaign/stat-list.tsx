import { formatInteger } from '#web/ui/format.ts'

type StatListProps = { stats: readonly { label: string; value: number }[]; className: string }

/** Whole numbers, each below its name. */
export function StatList({ stats, className }: StatListProps) {
  return (
    <dl className={className}>
      {stats.map(({ label, value }) => (
        <div key={label}>
          <dt className="label">{label}</dt>
          <dd className="figures text-stat mt-1 font-medium">{formatInteger(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
