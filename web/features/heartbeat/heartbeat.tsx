import { useEffect, useState } from 'react'
import type { Events } from '#contract/events.ts'
import { LAYOUT } from '#web/content/layout.ts'
import { followEvents } from '#web/features/events/follow-events.ts'
import { beatOnce, layFlat } from './beat.ts'

/** The newest block in words; the page's pulses beat with it, and rest flat while the chain is silent. */
export function Heartbeat() {
  const [block, setBlock] = useState<number | null>()

  useEffect(() => followEvents('heartbeat', (news) => setBlock((known) => blockAfter(known, news))), [])
  useEffect(() => {
    layFlat(block === null)
    if (typeof block === 'number') beatOnce()
  }, [block])

  return (
    <span className="figures text-xs">
      {/* Only the silence is announced, and where a status line was already known; a block every ten seconds is not. */}
      <span role="status">{block === null && LAYOUT.chainSilent}</span>
      {typeof block === 'number' && LAYOUT.block(block.toLocaleString('en'))}
    </span>
  )
}

/** A stream that breaks while the chain is silent takes nothing back: with the next one it would be announced anew. */
function blockAfter(known: number | null | undefined, news: Events['heartbeat'] | undefined) {
  return news === undefined && known === null ? null : news?.block
}
