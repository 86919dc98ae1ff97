import { useEffect, useState } from 'react'
import { LAYOUT } from '#web/content/layout.ts'
import { beatOnce, layFlat } from './beat.ts'
import { followChain } from './follow-chain.ts'

/** The newest block in words; the page's pulses beat with it, and rest flat while the chain is silent. */
export function Heartbeat() {
  const [block, setBlock] = useState<number | null>()

  useEffect(() => followChain(setBlock), [])
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
