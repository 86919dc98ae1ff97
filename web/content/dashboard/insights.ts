import type { InsightTable } from '#contract/dashboard/insights.ts'

/** The names of the downloaded files. */
export const fileNameOf = (table: InsightTable, from: string, to: string) =>
  `${table.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-${from}-${to}.csv`
