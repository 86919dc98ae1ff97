import { Worker } from 'node:worker_threads'
import { refuse } from '../platform/refusal.ts'
import type { Drawing } from './pictures.ts'
import { digest } from './pictures.ts'
import type { ShareCard } from './share-card.ts'

/** Kept in memory, each of about 50 kB. */
const KEPT = 100
/** Whoever comes while this many wait is asked to come again: drawing takes 0.5 s of a processor. */
const WAITING = 8
const AGAIN_SECONDS = 10

export type InvitationPictures = {
  /**
   * The picture of a card as PNG, drawn when it is asked for and kept for the next who asks.
   * @throws refusal `unavailable` while too many others are waiting for theirs.
   */
  get(card: ShareCard): Promise<Uint8Array>
  close(): Promise<void>
}

/** Pictures that nobody knows beforehand, drawn one after the other away from the requests. */
export function createInvitationPictures(draw = drawAway): InvitationPictures {
  const kept = new Map<string, Promise<Uint8Array>>()
  const stop = new AbortController()
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  function drawNext(card: ShareCard): Promise<Uint8Array> {
    if (waiting >= WAITING) throw refuse('unavailable', { retryAfter: AGAIN_SECONDS })
    waiting += 1
    const drawn = last.then(() => draw(card, stop.signal)).finally(() => (waiting -= 1))
    last = drawn.catch(() => {})
    return drawn
  }

  return {
    async get(card) {
      const key = digest(card)
      const picture = kept.get(key) ?? drawNext(card)
      // What was asked for last is forgotten last.
      kept.delete(key)
      kept.set(key, picture)
      picture.catch(() => kept.delete(key))
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
