import { Worker } from 'node:worker_threads'
import { createFairQueue, type QueueLimits } from '../platform/fair-queue.ts'
import { widestNetwork } from '../platform/http/network.ts'
import type { RateLimit } from '../platform/rate-limiter.ts'
import type { Drawing } from './pictures.ts'
import { digest } from './pictures.ts'
import type { ShareCard } from './share-card.ts'

/** Kept in memory, each of about 50 kB. */
const KEPT = 200
/** Pictures that wait to be drawn, one after the other: it takes 0.5 s of a processor. Milliseconds they wait at most. */
const WAITING: QueueLimits = { atOnce: 1, waiting: 16, waitingEach: 6, patience: 15_000 }
/** Those that one network has drawn: sites on which links are shared ask for many. */
export const DRAWINGS: RateLimit = { take: 30, seconds: 600 }

export type InvitationPictures = {
  /**
   * The picture of a card as PNG, drawn when it is asked for and kept for the next who asks.
   * @param network Who asks: each has its turn, and its budget.
   * @throws refusal `rate_limited` or `unavailable` while the network, or others, wait for too many.
   */
  get(card: ShareCard, network: string): Promise<Uint8Array>
  close(): Promise<void>
}

type Parts = {
  /** Counts a picture that has to be drawn; throws when the network had too many. */
  countDrawing: (network: string) => Promise<void>
  draw?: (card: ShareCard, signal: AbortSignal) => Promise<Uint8Array>
}

/** Pictures that nobody knows beforehand, drawn away from the requests on half a processor at most. */
export function createInvitationPictures({ countDrawing, draw = drawAway }: Parts): InvitationPictures {
  const kept = new Map<string, Promise<Uint8Array>>()
  const stop = new AbortController()
  const queue = createFairQueue(WAITING)
  let last: Promise<unknown> = Promise.resolve()

  async function drawInTurn(card: ShareCard, network: string): Promise<Uint8Array> {
    await countDrawing(network)
    const leave = await queue.enter({ lane: 'pictures', caller: widestNetwork(network) })
    const begin = performance.now()
    const drawn = draw(card, stop.signal)
    last = drawn.catch(() => {})
    // The next one waits as long as this one took.
    return drawn.finally(() => setTimeout(leave, performance.now() - begin).unref())
  }

  return {
    async get(card, network) {
      const key = digest(card)
      // Whoever asked first may be refused for all that they asked for: then it is this one's turn.
      const shared = kept.get(key)
      if (shared) await shared.catch(() => {})
      const picture = kept.get(key) ?? drawInTurn(card, network)
      // What was asked for last is forgotten last.
      kept.delete(key)
      kept.set(key, picture)
      picture.catch(() => kept.get(key) === picture && kept.delete(key))
      const [oldest] = kept.keys()
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
      return picture
    },
    async close() {
      stop.abort()
      await last
    },
  }
}

function drawAway(card: ShareCard, signal: AbortSignal): Promise<Uint8Array> {
  const wanted: Drawing[] = [{ url: 'invitation', card }]
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new Error('The server is closing.'))
    const worker = new Worker(new URL('./draw-pictures.ts', import.meta.url), { workerData: wanted })
    const end = () => void worker.terminate()
    signal.addEventListener('abort', end, { once: true })
    worker.once('message', ({ png }: { png: Uint8Array }) => resolve(png))
    worker.once('error', reject)
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', end)
      reject(new Error(`Drawing a picture ended with code ${code}`))
    })
  })
}
