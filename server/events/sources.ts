import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Events } from '#contract/events.ts'
import { readSlots } from '../campaign/read-campaign.ts'
import type { ReadBlock } from '../chain/client.ts'
import { watchChain } from '../chain/heartbeat.ts'
import type { Deps } from '../deps.ts'
import type { Database } from '../platform/database.ts'
import { runSchedule } from '../platform/run-schedule.ts'
import type { StoredTopic } from './announce.ts'
import { followClaims } from './follow-claims.ts'
import type { Source, Sources } from './hub.ts'
import { createNews, type News } from './news.ts'

type Parts = { deps: Pick<Deps, 'db' | 'campaign' | 'log'>; pool: Pool; readBlock: ReadBlock }

/** What the topics tell, and from where. */
export function eventSources({ deps, pool, readBlock }: Parts): Sources {
  const { db, campaign, log } = deps
  const news = createNews(pool, log)
  return {
    heartbeat: (tell) => watchChain(readBlock, tell),
    slots: follow('slots', news, log, () => readSlots(db, campaign.id)),
    leaderboard: follow('leaderboard', news, log, () => readBoardVersion(db)),
    claims: followClaims(news),
  }
}

/** Milliseconds. Many announcements in a row are read together, and what was not announced is found in time. */
const AT_MOST_EVERY = 250
const AT_LEAST_EVERY = 30_000

/** Reads the state at once and after each announcement. */
function follow<T extends StoredTopic>(
  topic: T,
  news: News,
  log: Deps['log'],
  read: () => Promise<Events[T]>,
): Source<Events[T]> {
  return (tell) => {
    const run = async () => {
      tell(await read())
      await pause(AT_MOST_EVERY)
    }
    const running = runSchedule([{ name: topic, intervalMs: AT_LEAST_EVERY, run }], (name, error) =>
      log.warn({ err: error }, `news of ${name} could not be read`),
    )
    const unfollow = news.follow((heard) => {
      if (heard === topic || heard === undefined) running.wake(topic)
    })
    return () => {
      unfollow()
      void running.stop()
    }
  }
}

/** Grows with everyone who joins the board and with every credit, over all nodes. */
async function readBoardVersion(db: Database): Promise<Events['leaderboard']> {
  // A sequence that was never used has the last value of one that was used once.
  const next = sql<{ version: number }>`
    select last_value + is_called::int as version from standings_reached`
  const { rows } = await next.execute(db)
  return { version: rows[0]?.version ?? 0 }
}
