import type { InsightRow, Insights } from '#contract/dashboard/insights.ts'
import { INSIGHTS } from '#messages/dashboard-insights.js'
import { TimeChart } from '#web/ui/chart/time-chart.tsx'
import { formatInteger } from '#web/ui/text/format.ts'
import { BarFigure, InsightFigure, InsightSection, type Column } from './insight-figure.tsx'
import { countColumn, formatDay, formatShare, formatShort, sumOf } from './figures.ts'

type Step = keyof typeof INSIGHTS.steps
const STEPS = Object.keys(INSIGHTS.steps) as Step[]

export function Funnel({ insights }: { insights: Insights }) {
  return (
    <InsightSection title={INSIGHTS.funnel}>
      <Steps insights={insights} />
      <Arrivals insights={insights} />
      <Inviters insights={insights} />
    </InsightSection>
  )
}

function Steps({ insights }: { insights: Insights }) {
  const { by } = insights
  return (
    <InsightFigure
      title={INSIGHTS.funnelTitle}
      note={INSIGHTS.funnelNote}
      insights={insights}
      table="funnel"
      columns={[
        { name: INSIGHTS[by], value: ({ day }) => formatDay(day), isText: true },
        countColumn(INSIGHTS.views, 'views'),
        ...STEPS.map((step) => countColumn(INSIGHTS.steps[step], step)),
      ]}
    >
      <ol className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-hairline bg-hairline lg:grid-cols-3">
        {STEPS.map((step, index) => (
          <StepCard key={step} insights={insights} step={step} previous={STEPS[index - 1]} />
        ))}
      </ol>
    </InsightFigure>
  )
}

type StepCardProps = { insights: Insights; step: Step; previous: Step | undefined }

function StepCard({ insights: { funnel }, step, previous }: StepCardProps) {
  const total = sumOf(funnel, (row) => row[step])
  const previousTotal = previous ? sumOf(funnel, (row) => row[previous]) : 0
  const name = INSIGHTS.steps[step]
  return (
    <li className="grid grid-cols-1 content-start gap-1 bg-paper p-3 sm:p-4">
      <p className="text-sm text-ink-soft">{name}</p>
      <p className="figures text-xl font-semibold">{formatInteger(total)}</p>
      <p className="text-sm">
        {previous
          ? shareOf(total, previousTotal)
          : INSIGHTS.firstStep({ views: formatInteger(sumOf(funnel, ({ views }) => views)) })}
      </p>
      <TimeChart
        isSmall
        label={INSIGHTS.read({ title: name })}
        kind="bars"
        rows={funnel}
        period={({ day }) => formatDay(day)}
        series={[{ name, style: step === 'approved' ? 'accent' : 'solid', value: (row) => row[step] }]}
        formatTick={formatShort}
        describe={(row) => INSIGHTS.reading({ period: formatDay(row.day), values: formatInteger(row[step]) })}
      />
    </li>
  )
}

/** The share of the previous step's people who took this one; a dash if no one took the previous. */
const shareOf = (total: number, previousTotal: number) =>
  previousTotal === 0 ? '–' : INSIGHTS.ofStepBefore({ share: formatShare(total, previousTotal) })

const ARRIVALS: Readonly<Record<string, string>> = INSIGHTS.arrivalNames
const arrivalName = (arrival: string) => ARRIVALS[arrival] ?? arrival

/** How far the participants of one inviter, or of one arrival (how a visit began), have got. */
const OUTCOME_COLUMNS: Column<Pick<InsightRow<'arrivals'>, 'verified' | 'submitted' | 'approved'>>[] = [
  countColumn(INSIGHTS.steps.verified, 'verified'),
  countColumn(INSIGHTS.steps.submitted, 'submitted'),
  countColumn(INSIGHTS.steps.approved, 'approved'),
  { name: INSIGHTS.approvedShare, value: ({ approved, verified }) => formatShare(approved, verified) },
]

function Arrivals({ insights }: { insights: Insights }) {
  return (
    <BarFigure
      title={INSIGHTS.arrivals}
      note={INSIGHTS.arrivalsNote}
      insights={insights}
      table="arrivals"
      columns={[
        { name: INSIGHTS.arrival, value: ({ arrival }) => arrivalName(arrival), isText: true },
        countColumn(INSIGHTS.steps.visits, 'visits'),
        countColumn(INSIGHTS.steps.registered, 'registered'),
        ...OUTCOME_COLUMNS,
      ]}
      parts={APPROVED_PARTS}
      bars={insights.arrivals.map((row) => approvedBar(arrivalName(row.arrival), row))}
    />
  )
}

const APPROVED_PARTS = [
  { name: INSIGHTS.steps.approved, style: 'accent' },
  { name: INSIGHTS.notApproved, style: 'hatched' },
] as const

/** How many participants with a verified email have been approved. */
const approvedBar = (name: string, { verified, approved }: { verified: number; approved: number }) => ({
  name,
  values: [approved, Math.max(0, verified - approved)],
  text: `${formatInteger(approved)} / ${formatInteger(verified)}`,
})

function Inviters({ insights }: { insights: Insights }) {
  return (
    <BarFigure
      title={INSIGHTS.inviters}
      note={INSIGHTS.invitersNote}
      insights={insights}
      table="inviters"
      columns={[
        { name: INSIGHTS.username, value: ({ username }) => username, isText: true },
        ...OUTCOME_COLUMNS,
      ]}
      parts={APPROVED_PARTS}
      bars={insights.inviters.slice(0, MAX_INVITERS).map((row) => approvedBar(row.username, row))}
    />
  )
}

/** The number of inviters with a bar. The table has all inviters. */
const MAX_INVITERS = 8
