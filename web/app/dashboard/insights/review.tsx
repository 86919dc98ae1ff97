import type { Insights } from '#contract/dashboard/insights.ts'
import { INSIGHTS } from '#messages/dashboard-insights.js'
import { TimeChart } from '#web/ui/chart/time-chart.tsx'
import { formatInteger } from '#web/ui/text/format.ts'
import { BarFigure, InsightFigure, InsightSection, TwoColumns } from './insight-figure.tsx'
import {
  countBar,
  countColumn,
  formatDay,
  formatHours,
  formatShare,
  formatShort,
  readingOf,
} from './figures.ts'

type Props = { insights: Insights }

export function Review({ insights }: Props) {
  return (
    <InsightSection title={INSIGHTS.review}>
      <TwoColumns>
        <Waiting insights={insights} />
        <DecisionTimes insights={insights} />
        <Reviewers insights={insights} />
        <Agreement insights={insights} />
        <Appeals insights={insights} />
      </TwoColumns>
    </InsightSection>
  )
}

function Waiting({ insights }: Props) {
  return (
    <BarFigure
      title={INSIGHTS.waiting}
      note={INSIGHTS.waitingNote}
      insights={insights}
      table="waiting"
      columns={[
        { name: INSIGHTS.age, value: ({ age }) => INSIGHTS.ages[age], isText: true },
        countColumn(INSIGHTS.claims, 'claims'),
      ]}
      parts={[{ name: INSIGHTS.claims, style: 'solid' }]}
      bars={insights.waiting.map(({ age, claims }) => countBar(INSIGHTS.ages[age], claims))}
    />
  )
}

function DecisionTimes({ insights }: Props) {
  const { decisionTimes } = insights
  return (
    <InsightFigure
      title={INSIGHTS.decisionTimes}
      note={INSIGHTS.decisionTimesNote}
      insights={insights}
      table="decisionTimes"
      columns={[
        { name: INSIGHTS.week, value: ({ day }) => formatDay(day), isText: true },
        countColumn(INSIGHTS.decisions, 'decisions'),
        { name: INSIGHTS.median, value: ({ p50 }) => formatHours(p50) },
        { name: INSIGHTS.p90, value: ({ p90 }) => formatHours(p90) },
      ]}
      isEmpty={decisionTimes.every(({ p50 }) => p50 === null)}
    >
      <TimeChart
        label={INSIGHTS.read({ title: INSIGHTS.decisionTimes })}
        kind="lines"
        rows={decisionTimes}
        period={({ day }) => formatDay(day)}
        series={[
          { name: INSIGHTS.median, style: 'solid', value: ({ p50 }) => p50 },
          { name: INSIGHTS.p90, style: 'accent', value: ({ p90 }) => p90 },
        ]}
        formatTick={(hours) => INSIGHTS.hours({ hours: formatShort(hours) })}
        describe={({ day, decisions, p50, p90 }) =>
          readingOf(INSIGHTS.weekOf({ day: formatDay(day) }), [
            { name: INSIGHTS.median, figure: INSIGHTS.hours({ hours: formatHours(p50) }) },
            { name: INSIGHTS.p90, figure: INSIGHTS.hours({ hours: formatHours(p90) }) },
            { name: INSIGHTS.decisions, figure: formatInteger(decisions) },
          ])
        }
      />
    </InsightFigure>
  )
}

const DECISIONS = [
  { name: INSIGHTS.approved, style: 'solid' },
  { name: INSIGHTS.rejected, style: 'hatched' },
] as const

function Reviewers({ insights }: Props) {
  return (
    <BarFigure
      title={INSIGHTS.reviewers}
      note={INSIGHTS.reviewersNote}
      insights={insights}
      table="reviewers"
      columns={[
        { name: INSIGHTS.reviewer, value: ({ reviewer }) => reviewer ?? INSIGHTS.noReviewer, isText: true },
        countColumn(INSIGHTS.approved, 'approved'),
        countColumn(INSIGHTS.rejected, 'rejected'),
        countColumn(INSIGHTS.undone, 'undone'),
        {
          name: INSIGHTS.undoneShare,
          value: ({ approved, rejected, undone }) => formatShare(undone, approved + rejected),
        },
      ]}
      parts={DECISIONS}
      bars={insights.reviewers.map(({ reviewer, approved, rejected }) => ({
        name: reviewer ?? INSIGHTS.noReviewer,
        values: [approved, rejected],
        text: formatInteger(approved + rejected),
      }))}
    />
  )
}

/** How decisions agree with the risk that reviewers saw. */
function Agreement({ insights }: Props) {
  const { agreement } = insights
  return (
    <BarFigure
      title={INSIGHTS.agreement}
      note={INSIGHTS.agreementNote}
      insights={insights}
      table="agreement"
      columns={[
        { name: INSIGHTS.risk, value: ({ risk }) => INSIGHTS.risks[risk], isText: true },
        countColumn(INSIGHTS.approved, 'approved'),
        countColumn(INSIGHTS.rejected, 'rejected'),
        {
          name: INSIGHTS.rejectedShare,
          value: ({ approved, rejected }) => formatShare(rejected, approved + rejected),
        },
      ]}
      isEmpty={agreement.every(({ approved, rejected }) => approved + rejected === 0)}
      parts={DECISIONS}
      bars={agreement.map(({ risk, approved, rejected }) => ({
        name: INSIGHTS.risks[risk],
        values: [approved, rejected],
        text: `${formatInteger(approved)} / ${formatInteger(rejected)}`,
      }))}
    />
  )
}

function Appeals({ insights }: Props) {
  const { appeals } = insights
  return (
    <BarFigure
      title={INSIGHTS.appeals}
      note={INSIGHTS.appealsNote}
      insights={insights}
      table="appeals"
      columns={[
        { name: INSIGHTS.answer, value: ({ decision }) => INSIGHTS.appealAnswers[decision], isText: true },
        countColumn(INSIGHTS.appeals, 'appeals'),
      ]}
      isEmpty={appeals.every((row) => row.appeals === 0)}
      parts={[{ name: INSIGHTS.appeals, style: 'solid' }]}
      bars={appeals.map((row) => countBar(INSIGHTS.appealAnswers[row.decision], row.appeals))}
    />
  )
}
