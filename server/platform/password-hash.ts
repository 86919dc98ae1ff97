import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { refuse } from './refusal.ts'

const argon2Async = promisify(argon2)

/** argon2id: memory in KiB, passes, lanes, and the length of the tag in bytes. */
const PARAMETERS = { memory: 47_104, passes: 1, parallelism: 1, tagLength: 32 }
const SALT_BYTES = 16
const QUEUE_LENGTH = 64
const RETRY_SECONDS = 2

/**
 * Hashes and compares passwords with argon2id, as many at once as the machine has cores, so that other
 * requests stay quick; a full queue refuses with 503.
 */
export type PasswordHasher = {
  /** @returns a PHC string; `salt` is for tests and for pending registrations of one e-mail. */
  hash(password: string, salt?: Buffer): Promise<string>
  /** Whether the password is the one behind any of these PHC strings, which share salt and parameters. */
  matches(password: string, ...encoded: string[]): Promise<boolean[]>
  /** Spends the time of one comparison: for an account that does not exist. */
  pretend(password: string): Promise<void>
}

export function createPasswordHasher(atOnce: number = availableParallelism()): PasswordHasher {
  const enqueue = boundedQueue(atOnce, QUEUE_LENGTH)
  const derive = (
    password: string,
    salt: Buffer,
    { memory, passes, parallelism, tagLength }: typeof PARAMETERS,
  ) =>
    enqueue(() =>
      argon2Async('argon2id', { message: password, nonce: salt, memory, passes, parallelism, tagLength }),
    )
  return {
    async hash(password, salt = randomBytes(SALT_BYTES)) {
      return encode(salt, await derive(password, salt, PARAMETERS))
    },
    async matches(password, ...encoded) {
      const [first, ...others] = encoded.map(decode)
      if (!first) return []
      const given = await derive(password, first.salt, first)
      return [first, ...others].map(
        (other) => other.salt.equals(first.salt) && timingSafeEqual(other.tag, given),
      )
    },
    async pretend(password) {
      await derive(password, Buffer.alloc(SALT_BYTES, 1), PARAMETERS)
    },
  }
}

/** Whether a hash was made with other parameters than today's and should be made anew at the next login. */
export function isOutdated(encoded: string): boolean {
  const { memory, passes, parallelism } = decode(encoded)
  return (
    memory !== PARAMETERS.memory || passes !== PARAMETERS.passes || parallelism !== PARAMETERS.parallelism
  )
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function encode(salt: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = PARAMETERS
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

function decode(encoded: string) {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(encoded)
  if (!match) throw new Error('A stored password hash is not a PHC string of argon2id.')
  const [, memory, passes, parallelism, salt = '', tag = ''] = match
  const bytes = Buffer.from(tag, 'base64')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: bytes.length,
    salt: Buffer.from(salt, 'base64'),
    tag: bytes,
  }
}

/** Runs at most `atOnce` works; refuses with 503 when `length` more are waiting. */
function boundedQueue(atOnce: number, length: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async function enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= length) throw refuse('unavailable', { retryAfter: RETRY_SECONDS })
      // The place is handed over by whoever finishes, so `running` stays as it is.
      await new Promise<void>((go) => waiting.push(go))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
