import { setTimeout as pause } from 'node:timers/promises'

/** Enough for a busy machine. The time limit of a test is longer, but names no cause. */
const LIMIT_MS = 90_000

/** Waits until a condition holds. @param condition completes the error: Gave up waiting until … */
export async function until(condition: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + LIMIT_MS
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Gave up waiting until ${condition}.`)
    await pause(5)
  }
}

/** The promise's outcome, or an error that names what did not come in time. */
export async function withTimeout<T>(awaited: string, promise: Promise<T>): Promise<T> {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => limit.reject(new Error(`Gave up waiting for ${awaited}.`)), LIMIT_MS)
  try {
    return await Promise.race([promise, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}
