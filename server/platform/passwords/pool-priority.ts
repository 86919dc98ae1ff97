import { readdir, readFile } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'

/**
 * Added to the niceness of threads that hash: the event loop gets three quarters of a core that both want.
 */
const NICER_BY = 5
/** The lowest priority that there is. */
const MAX_NICENESS = 19
/** What libuv calls the threads of its pool. */
const POOL_THREAD = 'libuv-worker'

/**
 * Lowers the priority of this process's thread pool, so that hashing on every core does not keep the event
 * loop waiting. Nothing changes except on Linux, where each thread has its own niceness, and if that is allowed.
 */
export async function lowerPoolPriority(): Promise<void> {
  for (const thread of await poolThreads()) {
    try {
      setPriority(thread, Math.min(getPriority() + NICER_BY, MAX_NICENESS))
    } catch {
      // A thread that has ended meanwhile, or a sandbox that does not allow it.
    }
  }
}

/** Ids of the threads of libuv's pool; none where there is no /proc. */
export async function poolThreads(): Promise<number[]> {
  const threads = await readdir('/proc/self/task').catch(() => [])
  const named = await Promise.all(
    threads.map(async (id) => ({
      id,
      name: await readFile(`/proc/self/task/${id}/comm`, 'utf8').catch(() => ''),
    })),
  )
  return named.filter(({ name }) => name.trim() === POOL_THREAD).map(({ id }) => Number(id))
}
