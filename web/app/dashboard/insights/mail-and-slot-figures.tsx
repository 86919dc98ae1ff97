import type { InsightRow, Insights } from '#contract/dashboard/insights.ts'
import { INSIGHTS } from '#messages/dashboard-insights.js'
import { templateName } from '#web/content/dashboard/mail.ts'
import { TimeChart } from '#web/ui/chart/time-chart.tsx'
import { formatInteger } from '#web/ui/text/format.ts'
import { BarFigure, InsightFigure, InsightSection, TwoColumns, type Column } from './insight-figure.tsx'
import { countBar, countColumn, formatDay, formatShare, formatShort, readingOf, sumOf } from './figures.ts'

type Props = { insights: Insights }

export function Mail({ insights }: Props) {
  const { mail, by } = insights
  const attempts = sumOf(mail, (row) => row.accepted + row.deferred + row.failed)
  const outcomes = [
    ['accepted', INSIGHTS.accepted, 'solid'],
    ['deferred', INSIGHTS.deferred, 'hatched'],
    ['failed', INSIGHTS.failedMail, 'accent'],
  ] as const
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
            ...outcomes.map(([key, name]) => countColumn(name, key)),
          ]}
          isEmpty={attempts === 0}
        >
          <TimeChart
            label={INSIGHTS.read({ title: INSIGHTS.mailTitle })}
            kind="bars"
            rows={mail}
            period={({ day }) => formatDay(day)}
            series={outcomes.map(([key, name, style]) => ({
              name,
              style,
              value: (row: InsightRow<'mail'>) => row[key],
            }))}
            formatTick={formatShort}
            describe={(row) =>
              readingOf(
                formatDay(row.day),
                outcomes.map(([key, name]) => ({ name, figure: formatInteger(row[key]) })),
              )
            }
          />
        </InsightFigure>
        <InsightFigure
          title={INSIGHTS.mailReasons}
          insights={insights}
          table="mailReasons"
          columns={REASON_COLUMNS}
          emptyText={attempts === 0 ? INSIGHTS.nothing : INSIGHTS.noTrouble}
        />
      </TwoColumns>
    </InsightSection>
  )
}

/** The names of reasons. A reason without one is the status of the mail server's answer, such as 550. */
const REASONS: Readonly<Record<string, string>> = INSIGHTS.reasons

const REASON_COLUMNS: Column<InsightRow<'mailReasons'>>[] = [
  { name: INSIGHTS.template, value: ({ template }) => templateName(template), isText: true },
  { name: INSIGHTS.outcome, value: ({ outcome }) => INSIGHTS.outcomes[outcome], isText: true },
  {
    name: INSIGHTS.reason,
    value: ({ reason }) => REASONS[reason] ?? INSIGHTS.answered({ digits: reason }),
    isText: true,
  },
  countColumn(INSIGHTS.attempts, 'attempts'),
]

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
  // If less than a quarter of the slots is in use (`held`), a scale up to the limit would flatten the lines.
  const isLimitShown = slots.some(({ held }) => held * 4 >= slotsTotal)
  const noteOf = isLimitShown ? INSIGHTS.slotsLimitNote : INSIGHTS.slotsNote
  return (
    <InsightFigure
      title={INSIGHTS.slotsTitle}
      note={noteOf({ total: formatInteger(slotsTotal) })}
      insights={insights}
      table="slots"
      columns={[
        { name: INSIGHTS[by], value: ({ day }) => formatDay(day), isText: true },
        countColumn(INSIGHTS.taken, 'taken'),
        countColumn(INSIGHTS.freed, 'freed'),
        countColumn(INSIGHTS.held, 'held'),
        countColumn(INSIGHTS.waitingList, 'waiting'),
      ]}
    >
      <TimeChart
        label={INSIGHTS.read({ title: INSIGHTS.slotsTitle })}
        kind="lines"
        limit={isLimitShown ? slotsTotal : 0}
        rows={slots}
        period={({ day }) => formatDay(day)}
        series={[
          { name: INSIGHTS.held, style: 'solid', value: ({ held }) => held },
          { name: INSIGHTS.waitingList, style: 'accent', value: ({ waiting }) => waiting },
        ]}
        formatTick={formatShort}
        describe={({ day, held, waiting }) =>
          readingOf(formatDay(day), [
            { name: INSIGHTS.held, figure: formatInteger(held) },
            { name: INSIGHTS.waitingList, figure: formatInteger(waiting) },
          ])
        }
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
        countColumn(INSIGHTS.clusterCount, 'clusters'),
        countColumn(INSIGHTS.participants, 'participants'),
        countColumn(INSIGHTS.claims, 'claims'),
      ]}
      isEmpty={hasNone}
      emptyText={INSIGHTS.noClusters}
      parts={[{ name: INSIGHTS.clusterCount, style: 'solid' }]}
      bars={clusters.map((row) => countBar(INSIGHTS.accounts({ size: row.size }), row.clusters))}
    />
  )
}
