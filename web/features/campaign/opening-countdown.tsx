import { useEffect, useState } from 'react'
import { DATE_TAG } from '#messages/locale.js'
import { COUNTDOWN } from '#messages/phase.js'
import type { Campaign } from '#contract/campaign.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const MAX_POLL_DELAY_MS = 15 * SECOND_MS
/** A request that hangs must not stop the countdown. */
const TIMEOUT_MS = 10 * SECOND_MS

type CountdownProps = {
  opensAt: string
  /** As of when the page was rendered. Corrected as soon as the server's clock is known. */
  minutesLeft: number
  /** Whether the screen shows the opening in local time elsewhere. The countdown then omits it. */
  isOpeningShownElsewhere?: boolean
  /** Called when the campaign has opened or its opening has moved; by default, reloads the page. */
  onChange?: () => void
}

/** Days, hours and minutes until the opening, by the server's clock, because the visitor's may be wrong. */
export function Countdown({
  opensAt,
  minutesLeft,
  isOpeningShownElsewhere = false,
  onChange = reload,
}: CountdownProps) {
  // The server does not know the visitor's time zone, so the opening is empty until the first tick.
  const [{ minutes, localOpening }, setShown] = useState({ minutes: minutesLeft, localOpening: '' })
  useEffect(() => {
    const show = (left: number) => setShown({ minutes: left, localOpening: inLocalTime(opensAt) })
    return countDown(opensAt, show, onChange)
  }, [opensAt, onChange])
  const days = Math.floor(minutes / (24 * 60))
  const hours = Math.floor(minutes / 60) % 24
  return (
    <div>
      <div role="timer" aria-label={COUNTDOWN.label} className="flex gap-5">
        <Cell value={days} unit={COUNTDOWN.days({ days })} />
        <Cell value={hours} unit={COUNTDOWN.hours({ hours })} />
        <Cell value={minutes % 60} unit={COUNTDOWN.minutes({ minutes: minutes % 60 })} />
      </div>
      {(!isOpeningShownElsewhere || minutes === 0) && (
        <p className="needs-script mt-2 min-h-[1.5em] text-sm text-ink-soft">
          {minutes === 0 ? COUNTDOWN.opening : localOpening && COUNTDOWN.where({ time: localOpening })}
        </p>
      )}
    </div>
  )
}

function Cell({ value, unit }: { value: number; unit: string }) {
  return (
    <span className="grid min-w-13">
      {/* A new value gets a new element, so that it fades in. */}
      <span key={value} className="countdown-value figures">
        {value}
      </span>{' '}
      <span className="text-sm text-ink-soft">{unit}</span>
    </span>
  )
}

const inLocalTime = (at: string) =>
  new Date(at).toLocaleString(DATE_TAG, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })

/**
 * Counts down to zero. Then asks the server until the campaign has opened or its opening has moved.
 * @param show gets the minutes left, rounded up.
 * @returns a function that stops it.
 */
function countDown(opensAt: string, show: (minutes: number) => void, onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  const runLater = (ms: number, step: () => void) => {
    if (!isStopped) timer = setTimeout(step, ms)
  }
  const start = async () => {
    const clock = await fetchServerClock()
    const tick = () => {
      const leftMs = Date.parse(opensAt) - clock()
      show(Math.max(0, Math.ceil(leftMs / MINUTE_MS)))
      if (leftMs > 0) runLater(Math.min(SECOND_MS, leftMs), tick)
      else void pollStage(SECOND_MS)
    }
    if (!isStopped) tick()
  }
  const pollStage = async (delayMs: number) => {
    const current = await readStage().catch(() => undefined)
    if (isStopped) return
    if (current && (current.stage !== 'before' || current.opensAt !== opensAt)) return onChange()
    const nextDelayMs = Math.min(2 * delayMs, MAX_POLL_DELAY_MS)
    // Random, because all visitors wait for the same second.
    runLater(delayMs * (0.5 + Math.random()), () => void pollStage(nextDelayMs))
  }
  void start()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

const reload = () => location.reload()

// Not the endpoint of the contract, whose schema marketing pages would have to load.
const fetchCampaign = () =>
  fetch(`${API_BASE}/campaign`, { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })

async function readStage(): Promise<Pick<Campaign, 'stage' | 'opensAt'>> {
  const { data } = (await (await fetchCampaign()).json()) as { data: Campaign }
  return data
}

/** The server's clock in milliseconds since 1970, right to the second; the visitor's if that fails. */
async function fetchServerClock(): Promise<() => number> {
  const date = await fetchCampaign().then(
    ({ headers }) => Date.parse(headers.get('date') ?? ''),
    () => Number.NaN,
  )
  if (Number.isNaN(date)) return Date.now
  const offsetMs = date - Date.now()
  return () => Date.now() + offsetMs
}
