import type { Insights, InsightTable, RangeQuery } from '#contract/dashboard/insights.ts'
import type { Deps } from '#server/deps.ts'
import { readArrivals, readFunnel, readInviters } from './funnel.ts'
import { readMail, readMailReasons } from './mail-figures.ts'
import { readRange, type ReadTable } from './range.ts'
import {
  readAgreement,
  readAppeals,
  readDecisionTimes,
  readReviewers,
  readWaiting,
} from './review-figures.ts'
import { readClusters, readSlotFigures, readTotals } from './slot-figures.ts'

const READERS: { [Table in InsightTable]: ReadTable<Table> } = {
  funnel: readFunnel,
  arrivals: readArrivals,
  inviters: readInviters,
  waiting: readWaiting,
  decisionTimes: readDecisionTimes,
  reviewers: readReviewers,
  agreement: readAgreement,
  appeals: readAppeals,
  mail: readMail,
  mailReasons: readMailReasons,
  slots: readSlotFigures,
  clusters: readClusters,
}

/** Reads one table after the other, so that a page takes one connection. */
export async function readInsights({ db, campaign }: Deps, query: RangeQuery): Promise<Insights> {
  const range = readRange(query)
  const tables: Partial<Record<InsightTable, unknown>> = {}
  for (const table of Object.keys(READERS) as InsightTable[])
    tables[table] = await READERS[table](db, campaign.id, range)
  return { ...range, ...(tables as Pick<Insights, InsightTable>), ...(await readTotals(db, campaign.id)) }
}

export function readTable(
  { db, campaign }: Deps,
  table: InsightTable,
  query: RangeQuery,
): Promise<readonly Record<string, string | number | null>[]> {
  return READERS[table](db, campaign.id, readRange(query))
}
