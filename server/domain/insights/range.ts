import {
  type InsightRow,
  type InsightTable,
  MAX_DAYS,
  type RangeQuery,
} from '#contract/dashboard/insights.ts'
import type { Database } from '#server/platform/database/database.ts'
import { refuseField } from '#server/platform/refusal.ts'

/** UTC days as YYYY-MM-DD, both included. By week, `from` is a Monday and `to` a Sunday. */
export type Range = { from: string; to: string; by: 'day' | 'week' }

export type ReadTable<Table extends InsightTable> = (
  db: Database,
  campaignId: string,
  range: Range,
) => Promise<InsightRow<Table>[]>

const DAY_MS = 24 * 3600 * 1000
const DEFAULT_DAYS = 28

/**
 * Widens a range by week to whole weeks.
 * @throws refusal `invalid_input` for a day that does not exist, or an empty or very long range.
 */
export function readRange({ from, to, by }: RangeQuery, now = new Date()): Range {
  const last = to === undefined ? dayOf(now) : readDay('to', to)
  const first = from === undefined ? addDays(last, 1 - DEFAULT_DAYS) : readDay('from', from)
  if (last < first) throw refuseField('to', 'range_order')
  if (daysBetween(first, last) >= MAX_DAYS) throw refuseField('from', 'range_long')
  return by === 'day'
    ? { from: first, to: last, by }
    : { from: mondayOf(first), to: addDays(mondayOf(last), 6), by }
}

/** The first day of each period. */
export function periodsOf({ from, to, by }: Range): string[] {
  const step = by === 'day' ? 1 : 7
  return Array.from({ length: Math.floor(daysBetween(from, to) / step) + 1 }, (_, index) =>
    addDays(from, index * step),
  )
}

function readDay(field: 'from' | 'to', text: string): string {
  const time = Date.parse(`${text}T00:00:00Z`)
  // `Date.parse` reads February 31 as a day in March.
  if (Number.isNaN(time) || dayOf(new Date(time)) !== text) throw refuseField(field, 'day_format')
  return text
}

export const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

export const addDays = (day: string, days: number) => dayOf(new Date(Date.parse(day) + days * DAY_MS))

/** `getUTCDay` counts from Sunday. */
export const mondayOf = (day: string) => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS
