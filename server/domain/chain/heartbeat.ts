import type { Events } from '#contract/events.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { runSchedule } from '#server/platform/jobs/run-schedule.ts'
import { resultOf, toNumber } from './rpc-values.ts'

/** Half of PulseChain's block time of ten seconds. */
const INTERVAL_MS = 5_000
/** How far apart nodes behind one address may be. A longer step back means that the chain was reset. */
const MAX_LAG_BLOCKS = 20

/** Polls the chain and publishes its newest block; null while it is unreachable. @returns a stop function. */
export function watchChain(
  readBlock: ReadBlock,
  publish: (heartbeat: Events['heartbeat']) => void,
  { intervalMs = INTERVAL_MS } = {},
): () => void {
  let newest = 0
  const run = async (stop: AbortSignal) => {
    const block = await readBlock()
    if (stop.aborted) return
    if (block !== undefined && (block > newest || block < newest - MAX_LAG_BLOCKS)) newest = block
    publish({ block: block === undefined ? null : newest })
  }
  const running = runSchedule([{ name: 'heartbeat', intervalMs, run }], () => publish({ block: null }))
  return () => void running.stop()
}

/** The number of the newest block; undefined if the chain is unreachable. */
export type ReadBlock = () => Promise<number | undefined>

export function createBlockReader(rpc: Rpc): ReadBlock {
  return async () => {
    const [reply] = await rpc([{ method: 'eth_blockNumber', params: [] }])
    return toNumber(resultOf(reply))
  }
}
