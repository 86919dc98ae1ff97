import { useEffect, useState } from 'react'

/** Below one second, so that a late timer skips no second. */
const TICK_MS = 250

/**
 * Counts down the whole seconds until another code can be requested. Based on the clock, so it stays correct
 * in a throttled background tab.
 */
export function useResendCountdown() {
  const [endsAt, setEndsAt] = useState(0)
  const [left, setLeft] = useState(0)

  useEffect(() => {
    if (left === 0) return
    const timer = setInterval(() => setLeft(secondsUntil(endsAt)), TICK_MS)
    return () => clearInterval(timer)
  }, [endsAt, left])

  function start(seconds: number) {
    setEndsAt(Date.now() + seconds * 1_000)
    setLeft(seconds)
  }

  return { left, start }
}

function secondsUntil(moment: number): number {
  return Math.max(0, Math.ceil((moment - Date.now()) / 1_000))
}
