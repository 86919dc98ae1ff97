import { useEffect, useState } from 'react'
import type { Events } from '#contract/events.ts'
import { LAYOUT } from '#web/content/layout.ts'
import { followEvents } from '#web/features/events/follow-events.ts'
import { beatOnce, layFlat } from './beat.ts'

/** The newest block number. The page's pulses beat with it and are flat while the chain is silent. */
export function Heartbeat() {
  const [block, setBlock] = useState<number | null>()

  useEffect(() => followEvents('heartbeat', (news) => setBlock((known) => blockAfter(known, news))), [])
  useEffect(() => {
    layFlat(block === null)
    if (typeof block === 'number') beatOnce()
  }, [block])

  return (
    <span className="figures text-xs">
      {/* A live region, always rendered: announces only the silence, not a block every ten seconds. */}
      <span role="status">{block === null && LAYOUT.chainSilent}</span>
      {typeof block === 'number' && LAYOUT.block(block.toLocaleString('en'))}
    </span>
  )
}

/** Losing the stream keeps a silent state; otherwise reconnecting would announce it again. */
function blockAfter(known: number | null | undefined, news: Events['heartbeat'] | undefined) {
  return news === undefined && known === null ? null : news?.block
}
