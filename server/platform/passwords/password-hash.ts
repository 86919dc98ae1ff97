import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism, getPriority, setPriority } from 'node:os'
import { promisify } from 'node:util'
import { createFairQueue } from '../limits/fair-queue.ts'
import { currentTurn } from '../limits/turn.ts'

const argon2Async = promisify(argon2)

/** argon2id: memory in KiB, tag (hash) length in bytes. */
const PARAMETERS = { memory: 47_104, passes: 1, parallelism: 1, tagLength: 32 }
type HashParameters = typeof PARAMETERS
const SALT_BYTES = 16
/** Waiting calls of an endpoint, and of one network to it. A hash takes 0.1 s: all are served in seconds. */
const MAX_WAITING = 32
const MAX_WAITING_PER_NETWORK = 8
const TIMEOUT_MS = 10_000

/**
 * Hashes and compares passwords with argon2id, by default as many at once as there are cores. The others wait
 * in a fair queue: endpoints take turns, and so do the networks that call an endpoint.
 */
export type PasswordHasher = {
  /**
   * @param reuse the salt, or a PHC string from which to take the salt and the parameters. `matches` can then
   * compare both hashes with one derivation.
   * @returns a PHC string.
   */
  hash(password: string, reuse?: Buffer | string): Promise<string>
  /**
   * Tells for each PHC string whether the password matches. Derives one hash, with the salt and the
   * parameters of the first string. A string with another salt or other parameters never matches.
   */
  matches(password: string, ...encoded: string[]): Promise<boolean[]>
  /** Takes as long as one comparison, to hide that an account does not exist. */
  verifyDummy(password: string): Promise<void>
}

/** Set when this process first hashes: libuv starts its threads only then. */
let priorityLowered: Promise<void> | undefined

export function createPasswordHasher(concurrency: number = availableParallelism()): PasswordHasher {
  const queue = createFairQueue({
    concurrency,
    maxWaiting: MAX_WAITING,
    maxWaitingPerCaller: MAX_WAITING_PER_NETWORK,
    timeoutMs: TIMEOUT_MS,
  })
  const derive = (password: string, salt: Buffer, parameters: HashParameters) =>
    queue.run(currentTurn(), () => {
      priorityLowered ??= lowerPoolPriority()
      return argon2Async('argon2id', { message: password, nonce: salt, ...parameters })
    })
  return {
    async hash(password, reuse = randomBytes(SALT_BYTES)) {
      const { salt, parameters } =
        typeof reuse === 'string' ? decode(reuse) : { salt: reuse, parameters: PARAMETERS }
      return encode(salt, parameters, await derive(password, salt, parameters))
    },
    async matches(password, ...encoded) {
      const [first, ...others] = encoded.map(decode)
      if (!first) return []
      const derived = await derive(password, first.salt, first.parameters)
      return [first, ...others].map(
        ({ salt, tag }) =>
          salt.equals(first.salt) && tag.length === derived.length && timingSafeEqual(tag, derived),
      )
    },
    async verifyDummy(password) {
      await derive(password, Buffer.alloc(SALT_BYTES, 1), PARAMETERS) // any salt will do
    },
  }
}

/** Added to the niceness of the pool's threads. The event loop then gets three quarters of a busy core. */
const NICER_BY = 5
const MAX_NICENESS = 19
/** What libuv calls the threads of its pool. */
const POOL_THREAD = 'libuv-worker'

/**
 * Lowers the priority of this process's thread pool, so that hashing on every core does not keep the event
 * loop waiting. Works only on Linux, where each thread has its own niceness, and only if it is allowed.
 */
async function lowerPoolPriority(): Promise<void> {
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
  const ids = await readdir('/proc/self/task').catch(() => [])
  const threads = await Promise.all(
    ids.map(async (id) => ({
      id,
      name: await readFile(`/proc/self/task/${id}/comm`, 'utf8').catch(() => ''),
    })),
  )
  return threads.filter(({ name }) => name.trim() === POOL_THREAD).map(({ id }) => Number(id))
}

/** Whether the parameters differ from the current ones, so the next login should rehash. */
export function isOutdated(encoded: string): boolean {
  const { parameters } = decode(encoded)
  return (['memory', 'passes', 'parallelism'] as const).some((name) => parameters[name] !== PARAMETERS[name])
}

export const saltOf = (encoded: string): Buffer => decode(encoded).salt

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function encode(salt: Buffer, { memory, passes, parallelism }: HashParameters, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

function decode(encoded: string) {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(encoded)
  if (!match) throw new Error('A stored password hash is not a PHC string of argon2id.')
  const [, memory, passes, parallelism, salt = '', tag = ''] = match
  const bytes = Buffer.from(tag, 'base64')
  const parameters: HashParameters = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: bytes.length,
  }
  return { salt: Buffer.from(salt, 'base64'), tag: bytes, parameters }
}
