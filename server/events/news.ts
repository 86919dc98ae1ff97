import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool, PoolClient } from 'pg'
import { CHANNEL } from './announce.ts'

/** Hears what nodes announce: the topic, or undefined when something may have been missed. */
type Hear = (topic: string | undefined) => void

export type News = {
  /** @returns how to stop hearing. */
  follow(hear: Hear): () => void
}

type Options = {
  /** Milliseconds until a lost connection is tried again. */
  retryAfter?: number
  /** Milliseconds between looks whether the connection still is one. */
  checkEvery?: number
}

/**
 * Listens to announcements on one connection of the pool, while anybody follows. A lost database is
 * reported once and come back to; nothing else happens.
 */
export function createNews(pool: Pool, log: FastifyBaseLogger, options: Options = {}): News {
  const followers = new Set<Hear>()
  const hear: Hear = (topic) => followers.forEach((follower) => follower(topic))
  let stop: AbortController | undefined
  return {
    follow(follower) {
      followers.add(follower)
      if (!stop) {
        stop = new AbortController()
        void keepListening(pool, log, hear, stop.signal, options)
      }
      return () => {
        followers.delete(follower)
        if (followers.size > 0) return
        stop?.abort()
        stop = undefined
      }
    },
  }
}

async function keepListening(
  pool: Pool,
  log: FastifyBaseLogger,
  hear: Hear,
  stop: AbortSignal,
  { retryAfter = 2_000, checkEvery = 30_000 }: Options,
): Promise<void> {
  let reported = false
  const onListening = () => {
    reported = false
    hear(undefined)
  }
  while (!stop.aborted) {
    try {
      await listen(pool, { hear, onListening, checkEvery, stop })
    } catch (error) {
      if (!reported) log.warn({ err: error }, 'announcements of other nodes are not heard')
      reported = true
    }
    await pause(retryAfter, undefined, { signal: stop }).catch(() => {})
  }
}

type Listening = { hear: Hear; onListening: () => void; checkEvery: number; stop: AbortSignal }

async function listen(pool: Pool, { hear, onListening, checkEvery, stop }: Listening): Promise<void> {
  const client = await pool.connect()
  const lost = lossOf(client)
  const onNotification = ({ payload }: { payload?: string | undefined }) => hear(payload)
  client.on('notification', onNotification)
  try {
    await client.query(`listen ${CHANNEL}`)
    while (!stop.aborted) {
      onListening()
      await Promise.race([lost, pause(checkEvery, undefined, { signal: stop }).catch(() => {})])
      // A connection that a firewall forgot looks alive until it is used.
      if (!stop.aborted) await client.query('select 1')
    }
  } finally {
    client.off('notification', onNotification)
    // Not for anybody else: it still listens.
    client.release(true)
  }
}

/** Rejects when the connection breaks. */
function lossOf(client: PoolClient): Promise<never> {
  // Outlives the promise: a second error without a listener would end the process.
  client.on('error', () => {})
  const lost = once(client, 'end').then(() => {
    throw new Error('The connection to the database is lost.')
  })
  // It is heard where it is raced; until then it must not count as unhandled.
  lost.catch(() => {})
  return lost
}
