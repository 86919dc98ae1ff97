import { useEffect, useState } from 'react'
import { LAYOUT } from '#web/content/layout.ts'
import { followEvents } from '#web/features/events/follow-events.ts'
import { beatOnce, layFlat } from './beat.ts'

/** The newest block in words; the page's pulses beat with it, and rest flat while the chain is silent. */
export function Heartbeat() {
  const [block, setBlock] = useState<number | null>()

  useEffect(() => followEvents('heartbeat', (news) => setBlock(news?.block)), [])
  useEffect(() => {
    layFlat(block === null)
    if (typeof block === 'number') beatOnce()
  }, [block])

  if (block === undefined) return null
  return (
    <span className="figures text-xs">
      {block === null ? LAYOUT.chainSilent : LAYOUT.block(block.toLocaleString('en'))}
    </span>
  )
}
