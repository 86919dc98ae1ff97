import { useEffect, useState } from 'react'
import { INTL_TAG } from '#messages/locale.js'
import { TIME } from '#messages/time.js'
import { RichText } from '#web/ui/text/rich-text.tsx'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** An ISO time as “2 hours ago”, updated while the page is open; the exact time on hover. */
export function Ago({ at, className }: { at: string; className?: string | undefined }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={formatDateTime(at)} className={className}>
      {ago(Date.parse(at), now)}
    </time>
  )
}

type AgoInProps = {
  /** A sentence with its time in a `time` tag. */
  message: (values: { time: string }) => string
  /** An ISO time. */
  at: string
  className?: string
}

export function AgoIn({ message, at, className }: AgoInProps) {
  // Nothing goes between the tags: <Ago> writes the time itself.
  return <RichText text={message({ time: '' })} tags={{ time: <Ago at={at} className={className} /> }} />
}

const RELATIVE = new Intl.RelativeTimeFormat(INTL_TAG, { numeric: 'auto' })

function ago(atMs: number, nowMs: number): string {
  const elapsedMs = Math.max(0, nowMs - atMs)
  if (elapsedMs < MINUTE_MS) return TIME.now
  if (elapsedMs < HOUR_MS) return RELATIVE.format(-Math.floor(elapsedMs / MINUTE_MS), 'minute')
  if (elapsedMs < 2 * DAY_MS) return RELATIVE.format(-Math.floor(elapsedMs / HOUR_MS), 'hour')
  return RELATIVE.format(-Math.floor(elapsedMs / DAY_MS), 'day')
}

/** In the reader's time zone. @param at an ISO time. */
export function formatDateTime(at: string): string {
  return new Date(at).toLocaleString(INTL_TAG, { dateStyle: 'medium', timeStyle: 'short' })
}

/** Replaces the ISO times in a sentence from the server with those of {@link formatDateTime}. */
export function withLocalTimes(sentence: string): string {
  return sentence.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, formatDateTime)
}

/** Formats a duration in one unit: minutes up to 90 minutes, hours up to 36 hours, then days. */
export function formatDuration(seconds: number): string {
  if (seconds < 90 * 60) return inUnits(Math.max(1, Math.round(seconds / 60)), 'minute')
  if (seconds < 36 * 3_600) return inUnits(Math.round(seconds / 3_600), 'hour')
  return inUnits(Math.round(seconds / 86_400), 'day')
}

const inUnits = (count: number, unit: 'minute' | 'hour' | 'day') =>
  new Intl.NumberFormat(INTL_TAG, { style: 'unit', unit, unitDisplay: 'long' }).format(count)

/** In the reader's time zone. @param props.at an ISO time. */
export function DateTime({ at }: { at: string }) {
  return (
    <time dateTime={at} className="font-semibold min-[15rem]:whitespace-nowrap">
      {formatDateTime(at)}
    </time>
  )
}

/** A sentence with a {@link DateTime} in its `time` tag. @param props.at an ISO time. */
export function DateTimeIn({ message, at }: { message: (values: { time: string }) => string; at: string }) {
  return <RichText text={message({ time: '' })} tags={{ time: <DateTime at={at} /> }} />
}
