import { setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import { isFree, runDue, type RunOptions } from '#server/platform/jobs/jobs.ts'
import type { PublicPost } from '#server/platform/outbound/public-post.ts'
import { deliver } from './deliver.ts'
import { JOB_KIND_OF_W } from './read-webhooks.ts'
import { jobKindOf } from './standard-webhooks.ts'

/** Concurrent attempts to one receiver, per node. */
const AT_ONCE = 4
/** Longer than the ten seconds that an attempt may take. */
const LEASE_SECONDS = 30

type Options = Pick<RunOptions, 'stop' | 'isBusy' | 'pollMs'>

/**
 * Attempts the due messages until none is left. Webhooks are served independently: a receiver that does not
 * answer delays only its own messages. Later messages may overtake a retried one.
 */
export async function runWebhooks(
  deps: Pick<Deps, 'db' | 'keys' | 'log'>,
  post: PublicPost,
  { stop, isBusy, pollMs = 1_000 }: Options = {},
): Promise<void> {
  const running = new Map<string, Promise<void>>()
  try {
    for (;;) {
      const dueIds = stop?.aborted ? [] : await readDueIds(deps.db)
      for (const id of dueIds.filter((dueId) => !running.has(dueId))) {
        const run = runWebhook(id).finally(() => running.delete(id))
        running.set(id, run)
      }
      if (running.size === 0) return
      await Promise.race([...running.values(), pause(pollMs, undefined, { ref: false })])
    }
  } finally {
    await Promise.allSettled(running.values())
  }

  async function runWebhook(id: string): Promise<void> {
    const options = { atOnce: AT_ONCE, leaseSeconds: LEASE_SECONDS, stop, isBusy, pollMs }
    try {
      await runDue(deps.db, jobKindOf(id), (job, signal) => deliver(deps, post, job, signal), options)
    } catch (error) {
      deps.log.warn({ err: error, webhook: id }, 'a webhook could not be served')
      // Its messages are still due, so without a pause the next attempt would follow at once.
      await pause(pollMs, undefined, { ref: false, signal: stop }).catch(() => {})
    }
  }
}

/** The webhooks with due messages. Uses the index `jobs_due`. */
async function readDueIds(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('webhooks as w')
    .select('w.id')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('jobs')
          .select('jobs.id')
          .where('kind', '=', JOB_KIND_OF_W)
          .where('done_at', 'is', null)
          .where('dead_at', 'is', null)
          .where('run_at', '<=', NOW)
          .where(isFree(LEASE_SECONDS)),
      ),
    )
    .orderBy('w.id')
    .execute()
  return rows.map(({ id }) => id)
}
