import { createFairQueue, type QueueLimits } from '#server/platform/limits/fair-queue.ts'
import { widestNetwork } from '#server/platform/limits/network.ts'
import type { RateLimit } from '#server/platform/limits/rate-limiter.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { createDrawingThread, type DrawingThread } from './drawing-thread.ts'
import { digest, drawingJobOf, type ReadPng } from './pictures.ts'
import type { ShareCard } from './share-card.ts'

/** Pictures cached in memory, about 50 kB each. */
const CACHE_SIZE = 200
/** How long the thread, which takes about 50 MB with its fonts, waits for another drawing. */
const KEEP_THREAD_MS = 60_000
/** Pictures are drawn one at a time: each takes 30 ms of one core, the first one 700 ms. */
const LIMITS: QueueLimits = { concurrency: 1, maxWaiting: 16, maxWaitingPerCaller: 6, timeoutMs: 15_000 }
/** Drawings per network; sites on which links are shared request many. */
export const DRAWINGS: RateLimit = { take: 30, seconds: 600 }

export type InvitationPictures = {
  /**
   * The picture of a card as PNG, drawn on first request and cached.
   * @param network the caller's; networks take turns and are rate limited separately.
   * @throws refusal `rate_limited` if the network asks for too many, `unavailable` if all together do.
   */
  get(card: ShareCard, network: string): Promise<Uint8Array>
  close(): Promise<void>
}

type Parts = {
  /** Counts a drawing toward the network's rate limit; throws when it is exceeded. */
  countDrawing: (network: string) => Promise<void>
  /** Reads the campaign's own pictures. */
  readPng?: ReadPng | undefined
  /** By default, draws in the worker thread. */
  draw?: (card: ShareCard) => Promise<Uint8Array>
}

/** Draws invitation pictures on demand in a worker thread, on half a core at most. */
export function createInvitationPictures({
  countDrawing,
  readPng = async () => undefined,
  draw,
}: Parts): InvitationPictures {
  const cache = new Map<string, Promise<Uint8Array>>()
  const thread = createDrawingThread(KEEP_THREAD_MS)
  const queue = createFairQueue(LIMITS)
  let lastDrawing: Promise<unknown> = Promise.resolve()

  async function drawInTurn(card: ShareCard, network: string): Promise<Uint8Array> {
    await countDrawing(network)
    const leave = await queue.enter({ lane: 'pictures', caller: widestNetwork(network) })
    const startedAt = performance.now()
    const drawn = draw?.(card) ?? drawOn(thread, card, readPng)
    lastDrawing = drawn.catch(() => {})
    // Pauses for as long as the drawing took, which leaves half a core to others.
    return drawn.finally(() => setTimeout(leave, performance.now() - startedAt).unref())
  }

  return {
    async get(card, network) {
      const key = digest(card)
      // If the drawing was refused to another caller's network, this caller asks again for its own.
      let shared = cache.get(key)
      while (shared && (await isRefused(shared))) shared = cache.get(key)
      const picture = cache.get(key) ?? drawInTurn(card, network)
      // Re-inserting makes it the most recently used.
      cache.delete(key)
      cache.set(key, picture)
      picture.catch(() => {
        if (cache.get(key) === picture) cache.delete(key)
      })
      const [oldest] = cache.keys()
      if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest)
      return picture
    },
    async close() {
      await thread.close()
      await lastDrawing
    },
  }
}

const isRefused = (picture: Promise<unknown>): Promise<boolean> =>
  picture.then(
    () => false,
    (error: unknown) => error instanceof Refusal,
  )

async function drawOn(thread: DrawingThread, card: ShareCard, readPng: ReadPng): Promise<Uint8Array> {
  const job = await drawingJobOf([{ url: 'invitation', card }], readPng)
  return new Promise((resolve, reject) => {
    thread.draw(job, ({ png }) => resolve(png)).catch(reject)
  })
}
