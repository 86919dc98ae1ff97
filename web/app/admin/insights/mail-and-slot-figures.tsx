import type { InsightRow, Insights } from '#contract/dashboard/insights.ts'
import { INSIGHTS } from '#messages/dashboard-insights.js'
import { templateName } from '#web/content/dashboard/mail.ts'
import { TimeChart } from '#web/ui/chart/time-chart.tsx'
import { formatInteger } from '#web/ui/format.ts'
import { BarFigure, InsightFigure, InsightSection, TwoColumns, type Column } from './insight-figure.tsx'
import { countBar, formatDay, formatShare, formatShort, readingOf, sumOf } from './figures.ts'

type Props = { insights: Insights }

/** Whether emails arrive, and why not. */
export function Mail({ insights }: Props) {
  const { mail, by } = insights
  const sent = sumOf(mail, (row) => row.accepted + row.deferred + row.failed)
  const outcomes = [
    ['accepted', INSIGHTS.accepted, 'solid'],
    ['deferred', INSIGHTS.deferred, 'hatched'],
    ['failed', INSIGHTS.failedMail, 'accent'],
  ] as const
  const describe = (row: InsightRow<'mail'>) =>
    readingOf(
      formatDay(row.day),
      outcomes.map(([key, name]) => ({ name, figure: formatInteger(row[key]) })),
    )
  return (
    <InsightSection title={INSIGHTS.mail}>
      <TwoColumns>
        <InsightFigure
          title={INSIGHTS.mailTitle}
          note={INSIGHTS.mailNote}
          insights={insights}
          table="mail"
          columns={[
            { name: INSIGHTS[by], value: ({ day }) => formatDay(day), isText: true },
            ...outcomes.map(([key, name]) => ({
              name,
              value: (row: InsightRow<'mail'>) => formatInteger(row[key]),
            })),
          ]}
          isEmpty={sent === 0}
        >
          <TimeChart
            label={INSIGHTS.read({ title: INSIGHTS.mailTitle })}
            kind="bars"
            periods={mail.map((row) => formatDay(row.day))}
            series={outcomes.map(([key, name, style]) => ({
              name,
              style,
              values: mail.map((row) => row[key]),
            }))}
            formatTick={formatShort}
            describe={(index) => (mail[index] ? describe(mail[index]) : '')}
          />
        </InsightFigure>
        <InsightFigure
          title={INSIGHTS.mailReasons}
          insights={insights}
          table="mailReasons"
          columns={REASON_COLUMNS}
          emptyText={sent === 0 ? INSIGHTS.nothing : INSIGHTS.noTrouble}
        />
      </TwoColumns>
    </InsightSection>
  )
}

const REASONS: Readonly<Record<string, string>> = INSIGHTS.reasons

const REASON_COLUMNS: Column<InsightRow<'mailReasons'>>[] = [
  { name: INSIGHTS.template, value: ({ template }) => templateName(template), isText: true },
  { name: INSIGHTS.outcome, value: ({ outcome }) => INSIGHTS.outcomes[outcome], isText: true },
  {
    name: INSIGHTS.reason,
    value: ({ reason }) => REASONS[reason] ?? INSIGHTS.answered({ digits: reason }),
    isText: true,
  },
  { name: INSIGHTS.attempts, value: ({ attempts }) => formatInteger(attempts) },
]

/** Slots with the waiting list, and clusters. */
export function SlotsAndClusters({ insights }: Props) {
  return (
    <InsightSection title={INSIGHTS.slotsAndClusters}>
      <TwoColumns>
        <Slots insights={insights} />
        <Clusters insights={insights} />
      </TwoColumns>
    </InsightSection>
  )
}

function Slots({ insights }: Props) {
  const { slots, slotsTotal, by } = insights
  // While less than a quarter is in use, a scale up to the limit would flatten the lines.
  const isLimitShown = slots.some(({ held }) => held * 4 >= slotsTotal)
  const note = isLimitShown ? INSIGHTS.slotsLimitNote : INSIGHTS.slotsNote
  const describe = ({ day, held, waiting }: InsightRow<'slots'>) =>
    readingOf(formatDay(day), [
      { name: INSIGHTS.held, figure: formatInteger(held) },
      { name: INSIGHTS.waitingList, figure: formatInteger(waiting) },
    ])
  return (
    <InsightFigure
      title={INSIGHTS.slotsTitle}
      note={note({ total: formatInteger(slotsTotal) })}
      insights={insights}
      table="slots"
      columns={[
        { name: INSIGHTS[by], value: ({ day }) => formatDay(day), isText: true },
        { name: INSIGHTS.taken, value: ({ taken }) => formatInteger(taken) },
        { name: INSIGHTS.freed, value: ({ freed }) => formatInteger(freed) },
        { name: INSIGHTS.held, value: ({ held }) => formatInteger(held) },
        { name: INSIGHTS.waitingList, value: ({ waiting }) => formatInteger(waiting) },
      ]}
    >
      <TimeChart
        label={INSIGHTS.read({ title: INSIGHTS.slotsTitle })}
        kind="lines"
        limit={isLimitShown ? slotsTotal : 0}
        periods={slots.map(({ day }) => formatDay(day))}
        series={[
          { name: INSIGHTS.held, style: 'solid', values: slots.map(({ held }) => held) },
          { name: INSIGHTS.waitingList, style: 'accent', values: slots.map(({ waiting }) => waiting) },
        ]}
        formatTick={formatShort}
        describe={(index) => (slots[index] ? describe(slots[index]) : '')}
      />
    </InsightFigure>
  )
}

function Clusters({ insights }: Props) {
  const { clusters, claimsTotal } = insights
  const claims = sumOf(clusters, (row) => row.claims)
  const share = formatShare(claims, claimsTotal)
  const note = INSIGHTS.clustersNote({ claims: formatInteger(claims), share })
  const hasNone = clusters.every((row) => row.clusters === 0)
  return (
    <BarFigure
      title={INSIGHTS.clustersTitle}
      note={hasNone ? undefined : note}
      insights={insights}
      table="clusters"
      columns={[
        { name: INSIGHTS.size, value: ({ size }) => size, isText: true },
        { name: INSIGHTS.clusterCount, value: (row) => formatInteger(row.clusters) },
        { name: INSIGHTS.participants, value: ({ participants }) => formatInteger(participants) },
        { name: INSIGHTS.claims, value: (row) => formatInteger(row.claims) },
      ]}
      isEmpty={hasNone}
      emptyText={INSIGHTS.noClusters}
      parts={[{ name: INSIGHTS.clusterCount, style: 'solid' }]}
      bars={clusters.map((row) => countBar(INSIGHTS.accounts({ size: row.size }), row.clusters))}
    />
  )
}
