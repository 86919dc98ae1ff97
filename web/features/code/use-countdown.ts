import { useEffect, useState } from 'react'

/** More often than once a second, so that no second is skipped when a timer is late. */
const TICK_MS = 250

/** Counts whole seconds down to 0. It follows the clock, so a tab that slept shows the right number. */
export function useCountdown() {
  const [endsAt, setEndsAt] = useState(0)
  const [left, setLeft] = useState(0)

  useEffect(() => {
    if (left === 0) return
    const timer = setInterval(() => setLeft(secondsUntil(endsAt)), TICK_MS)
    return () => clearInterval(timer)
  }, [endsAt, left])

  function start(seconds: number) {
    setEndsAt(Date.now() + seconds * 1000)
    setLeft(seconds)
  }

  return { left, start }
}

function secondsUntil(moment: number): number {
  return Math.max(0, Math.ceil((moment - Date.now()) / 1000))
}
