import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import { CHANNEL } from './announce.ts'

/** Announcements are `NOTIFY` messages between nodes. `payload` is undefined if some may have been missed. */
type OnAnnouncement = (payload: string | undefined) => void

export type Announcements = {
  /** @returns an unsubscribe function. */
  subscribe(callback: OnAnnouncement): () => void
}

type Options = {
  /** Before reconnecting. */
  retryMs?: number
  /** Between health checks of the connection. */
  checkIntervalMs?: number
}

/**
 * Listens for announcements on one connection of the pool while there are subscribers. If the connection
 * is lost, logs that once and reconnects.
 */
export function createAnnouncements(
  pool: Pool,
  log: FastifyBaseLogger,
  options: Options = {},
): Announcements {
  const subscribers = new Set<OnAnnouncement>()
  const notify: OnAnnouncement = (payload) => subscribers.forEach((callback) => callback(payload))
  let stop: AbortController | undefined
  return {
    subscribe(callback) {
      subscribers.add(callback)
      if (!stop) {
        stop = new AbortController()
        void keepListening(pool, log, notify, stop.signal, options)
      }
      return () => {
        subscribers.delete(callback)
        if (subscribers.size > 0) return
        stop?.abort()
        stop = undefined
      }
    },
  }
}

async function keepListening(
  pool: Pool,
  log: FastifyBaseLogger,
  notify: OnAnnouncement,
  stop: AbortSignal,
  { retryMs = 2_000, checkIntervalMs = 30_000 }: Options,
): Promise<void> {
  let isLossReported = false
  const onListening = () => {
    isLossReported = false
    notify(undefined)
  }
  while (!stop.aborted) {
    try {
      await listen(pool, { notify, onListening, checkIntervalMs, stop })
    } catch (error) {
      if (!isLossReported) log.warn({ err: error }, 'lost the connection for announcements of other nodes')
      isLossReported = true
    }
    await pause(retryMs, undefined, { signal: stop }).catch(() => {})
  }
}

type Listening = {
  notify: OnAnnouncement
  onListening: () => void
  checkIntervalMs: number
  stop: AbortSignal
}

async function listen(pool: Pool, { notify, onListening, checkIntervalMs, stop }: Listening): Promise<void> {
  const client = await pool.connect()
  const lost = new AbortController()
  client.once('end', () => lost.abort(new Error('The connection to the database is lost.')))
  // Never removed: an error event without a listener would end the process.
  client.on('error', (error) => lost.abort(error))
  const stopOrLost = AbortSignal.any([stop, lost.signal])
  const onNotification = ({ payload }: { payload?: string | undefined }) => notify(payload)
  client.on('notification', onNotification)
  try {
    await client.query(`listen ${CHANNEL}`)
    onListening()
    while (!stop.aborted) {
      await pause(checkIntervalMs, undefined, { signal: stopOrLost }).catch(() => {})
      lost.signal.throwIfAborted()
      // A connection that a firewall has dropped looks alive until it is used.
      if (!stop.aborted) await client.query('select 1')
    }
  } finally {
    client.off('notification', onNotification)
    // Destroys the connection, which still listens.
    client.release(true)
  }
}
