import { INSIGHTS } from '#messages/dashboard-insights.js'
import { INTL_TAG } from '#messages/locale.js'
import { formatInteger } from '#web/ui/text/format.ts'

/** Numbers for an axis: 12, 1.2K. */
const SHORT = new Intl.NumberFormat(INTL_TAG, { notation: 'compact', maximumFractionDigits: 1 })
const PERCENT = new Intl.NumberFormat(INTL_TAG, { style: 'percent', maximumFractionDigits: 1 })
const DAY = new Intl.DateTimeFormat(INTL_TAG, { day: 'numeric', month: 'short', timeZone: 'UTC' })
/** At most two significant digits (quantiles are accurate to within 10 %) and two decimals (36 seconds). */
const HOURS = new Intl.NumberFormat(INTL_TAG, {
  maximumSignificantDigits: 2,
  maximumFractionDigits: 2,
  roundingPriority: 'lessPrecision',
})

export const formatShort = (count: number) => SHORT.format(count)

/** A part of a whole, in percent; a dash if the whole is 0. */
export const formatShare = (part: number, whole: number) => (whole === 0 ? '–' : PERCENT.format(part / whole))

/** `2026-03-04` becomes `Mar 4`. */
export const formatDay = (day: string) => DAY.format(new Date(day))

export const formatHours = (hours: number | null) => (hours === null ? '–' : HOURS.format(hours))

export const sumOf = <Row>(rows: readonly Row[], valueOf: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + valueOf(row), 0)

const LIST = new Intl.ListFormat(INTL_TAG, { type: 'unit' })

/** A period's figures in words, each with its name, to be read aloud and shown below a chart. */
export const readingOf = (period: string, values: readonly { name: string; figure: string }[]): string =>
  INSIGHTS.reading({ period, values: LIST.format(values.map((value) => INSIGHTS.value(value))) })

/** A table's column with the counts under `key`. */
export const countColumn = <Key extends string>(name: string, key: Key) => ({
  name,
  value: (row: Readonly<Record<Key, number>>) => formatInteger(row[key]),
})

export const countBar = (name: string, count: number) => ({
  name,
  values: [count],
  text: formatInteger(count),
})
