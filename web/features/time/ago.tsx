import { useEffect, useState } from 'react'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Relative time, updated while the page is open; the exact time on hover. */
export function Ago({ at, className }: { at: string; className?: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={exactly(at)} className={className}>
      {ago(Date.parse(at), now)}
    </time>
  )
}

const WORDS = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** @param at @param now Milliseconds since 1970. */
export function ago(at: number, now: number): string {
  const since = Math.max(0, now - at)
  if (since < MINUTE) return 'just now'
  if (since < HOUR) return WORDS.format(-Math.floor(since / MINUTE), 'minute')
  if (since < 2 * DAY) return WORDS.format(-Math.floor(since / HOUR), 'hour')
  return WORDS.format(-Math.floor(since / DAY), 'day')
}

/** Date and time in the reader's time zone. @param at An ISO time. */
export function exactly(at: string): string {
  return new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })
}

/** A duration in its largest suitable unit. @param seconds A duration. */
export function inWords(seconds: number): string {
  const [amount, unit] =
    seconds < 5400
      ? [Math.max(1, Math.round(seconds / 60)), 'minute']
      : seconds < 129_600
        ? [Math.round(seconds / 3600), 'hour']
        : [Math.round(seconds / 86_400), 'day']
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(amount)
}
