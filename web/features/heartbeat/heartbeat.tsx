import { useEffect, useState } from 'react'
import type { Events } from '#contract/events.ts'
import { LAYOUT } from '#messages/layout.js'
import { subscribeToEvents } from '#web/features/events/subscribe-to-events.ts'
import { formatInteger } from '#web/ui/text/format.ts'

/** The newest block number. The pulse lines beat with it, and are flat while the chain is unreachable. */
export function Heartbeat() {
  const [block, setBlock] = useState<number | null>()

  useEffect(
    () => subscribeToEvents('heartbeat', (event) => setBlock((previous) => nextBlock(previous, event))),
    [],
  )
  useEffect(() => {
    document.documentElement.toggleAttribute('data-chain-unreachable', block === null)
    if (typeof block === 'number') beatOnce()
  }, [block])

  return (
    <span className="figures text-xs">
      {/* Always rendered, because it is a live region. It announces an unreachable chain, but not each block. */}
      <span role="status">{block === null && LAYOUT.chainUnreachable}</span>
      {typeof block === 'number' && LAYOUT.block({ number: formatInteger(block) })}
    </span>
  )
}

/**
 * The block number after an event: null while the chain is unreachable, undefined while the stream is lost. A
 * lost stream does not replace null, or reconnecting would announce again that the chain is unreachable.
 */
function nextBlock(previous: number | null | undefined, event: Events['heartbeat'] | undefined) {
  return event === undefined && previous === null ? null : event?.block
}

const BEAT_MS = 700
const REST = { transform: 'scaleY(1)' }
const PEAK = { transform: 'scaleY(1.5)', offset: 0.3 }

/** Animates every pulse on the page once, unless reduced motion is preferred. */
function beatOnce(): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  for (const line of document.querySelectorAll('.pulse path')) {
    line.animate([REST, PEAK, REST], { duration: BEAT_MS, easing: 'ease-out' })
  }
}
