import { DATE_TAG } from '#messages/locale.js'
import { TIME } from '#messages/time.js'

const LONG_DAY = { dateStyle: 'long' } as const
const SHORT_DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const

/** Formats an ISO time in UTC, for pages rendered without knowing the reader's time zone. */
export const inUtc = (iso: string): string => inUtcOf(iso, DATE_TAG, TIME)

/** Like {@link inUtc}, with a short month. */
export const inUtcBriefly = (iso: string): string => inUtcOf(iso, DATE_TAG, TIME, SHORT_DAY)

type Words = Pick<typeof TIME, 'utc'>

/** Like {@link inUtc}, in the language of `tag`. @param words the messages about times in that language. */
export const inUtcOf = (iso: string, tag: string, words: Words, day: Intl.DateTimeFormatOptions = LONG_DAY) =>
  words.utc({ day: format(iso, tag, day), time: format(iso, tag, CLOCK) })

export const dayInWords = (day: string): string => format(day, DATE_TAG, LONG_DAY)

const format = (iso: string, tag: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' }).format(new Date(iso))
