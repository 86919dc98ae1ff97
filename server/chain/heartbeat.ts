import type { Events } from '#contract/events.ts'
import { runSchedule } from '../platform/run-schedule.ts'
import type { ReadBlock } from './client.ts'

/** Half of PulseChain's ten seconds a block. */
const INTERVAL_MS = 5_000
/** Behind one address are several nodes, some a little behind: a few blocks back is not news. */
const LAG = 20

/**
 * Watches the chain until the returned function is called, and tells each look's outcome; `block` is null
 * while the chain cannot be reached.
 * @param intervalMs between two requests.
 */
export function watchChain(
  readBlock: ReadBlock,
  tell: (beat: Events['heartbeat']) => void,
  { intervalMs = INTERVAL_MS } = {},
): () => void {
  let highest = 0
  let stopped = false
  const look = async () => {
    const block = await readBlock()
    if (stopped) return
    if (block !== undefined && (block > highest || block < highest - LAG)) highest = block
    tell({ block: block === undefined ? null : highest })
  }
  const running = runSchedule([{ name: 'heartbeat', intervalMs, run: look }], () => tell({ block: null }))
  return () => {
    stopped = true
    void running.stop()
  }
}
