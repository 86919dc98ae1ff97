import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Events } from '#contract/events.ts'
import type { ClaimsChanged } from '#contract/dashboard/review.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import { runSchedule } from '#server/platform/jobs/run-schedule.ts'
import { readSlots } from '../campaign/read-campaign.ts'
import { type ReadBlock, watchChain } from '../chain/heartbeat.ts'
import { readCheckedAt, tokenKey } from '../token-proofs/records.ts'
import { type DatabaseTopic, claimIdOf } from './announce.ts'
import { type Announcements, createAnnouncements } from './announcements.ts'
import type { Source, Sources } from './hub.ts'

type Parts = { deps: Pick<Deps, 'db' | 'campaign' | 'log'>; pool: Pool; readBlock: ReadBlock }

export function createEventSources({ deps, pool, readBlock }: Parts): Sources {
  const { db, log } = deps
  const announcements = createAnnouncements(pool, log)
  return {
    heartbeat: (publish) => watchChain(readBlock, publish),
    slots: follow('slots', announcements, log, () => readSlots(db, deps.campaign.id)),
    leaderboard: follow('leaderboard', announcements, log, async (announcementCount) => ({
      version: (await countBoardChanges(db)) + announcementCount,
    })),
    proofs: follow('proofs', announcements, log, async () => ({
      checkedAt: await readCheckedAt(db, tokenKey(deps.campaign)),
    })),
    claims: followClaims(announcements),
  }
}

/** The shortest time between two readings of a topic. */
const DEBOUNCE_MS = 250
/** The longest time between two readings, to find changes that were not announced. */
const INTERVAL_MS = 30_000

/**
 * Publishes the state at once, at intervals and after announcements.
 * @param read gets the number of announcements so far.
 */
function follow<T extends DatabaseTopic>(
  topic: T,
  announcements: Announcements,
  log: Deps['log'],
  read: (announcementCount: number) => Promise<Events[T]>,
): Source<Events[T]> {
  return (publish) => {
    let announcementCount = 0
    const run = async (stop: AbortSignal) => {
      const state = await read(announcementCount)
      if (stop.aborted) return
      publish(state)
      // The next run waits until this one ends.
      await pause(DEBOUNCE_MS)
    }
    const running = runSchedule([{ name: topic, intervalMs: INTERVAL_MS, run }], (name, error) =>
      log.warn({ err: error }, `the state of ${name} could not be read`),
    )
    const unsubscribe = announcements.subscribe((payload) => {
      if (payload !== topic && payload !== undefined) return
      if (payload === topic) announcementCount += 1
      running.runSoon(topic)
    })
    return () => {
      unsubscribe()
      void running.stop()
    }
  }
}

/**
 * Counts the new standings and credits of all nodes, even uncommitted ones. When two approvals overlap, the
 * count published for the first may include the second, and would not change again. So `version` also counts
 * announcements.
 */
async function countBoardChanges(db: Database): Promise<number> {
  // An unused sequence has the same last_value as one used once.
  const { rows } = await sql<{ version: number }>`
    select last_value + is_called::int as version from standings_reached`.execute(db)
  return rows[0]?.version ?? 0
}

/** Announcements within this time are published together, as a batch. */
const BATCH_MS = 250
/** A batch with more claims is published as null, "any claim". */
const MAX_CLAIMS = 200

/** Publishes the changed claims. Null means any claim: at first, and if announcements may be missing. */
function followClaims(announcements: Announcements): Source<ClaimsChanged> {
  return (publish) => {
    let version = 0
    let changed: Set<string> | null = null
    const flush = () => {
      timer = undefined
      version += 1
      publish({ version, claims: changed && [...changed] })
      changed = new Set()
    }
    let timer: NodeJS.Timeout | undefined = setTimeout(flush, 0)
    const unsubscribe = announcements.subscribe((payload) => {
      const claim = payload === undefined ? undefined : claimIdOf(payload)
      const isAboutTopic = payload !== undefined && claim === undefined
      if (isAboutTopic) return
      if (claim === undefined || (changed?.size ?? 0) >= MAX_CLAIMS) changed = null
      else changed?.add(claim)
      timer ??= setTimeout(flush, BATCH_MS)
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }
}
