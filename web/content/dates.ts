import { DATE_TAG } from '#messages/locale.js'
import { TIME } from '#messages/time.js'

/** Formats the hours and minutes of a time. */
const clockIn = (tag: string) =>
  new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
const longDayIn = (tag: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })
const CLOCK = clockIn(DATE_TAG)
const LONG_DAY = longDayIn(DATE_TAG)
const SHORT_DAY = new Intl.DateTimeFormat(DATE_TAG, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Formats an ISO time in UTC, for pages rendered without knowing the reader's time zone. */
export const inUtc = (iso: string): string => withClock(iso, LONG_DAY)

/** Like {@link inUtc}, in the language `tag`. @param words the messages about times in that language. */
export const inUtcOf = (iso: string, tag: string, words: Pick<typeof TIME, 'utc'>): string =>
  words.utc({ day: longDayIn(tag).format(new Date(iso)), time: clockIn(tag).format(new Date(iso)) })

/** Formats an ISO time in UTC, with a short month. */
export const inUtcBriefly = (iso: string): string => withClock(iso, SHORT_DAY)

function withClock(iso: string, days: Intl.DateTimeFormat): string {
  const at = new Date(iso)
  return TIME.utc({ day: days.format(at), time: CLOCK.format(at) })
}

/** Formats a day such as `2026-11-01` in words. */
export const dayInWords = (day: string): string => LONG_DAY.format(new Date(day))
