import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { createFairQueue } from './fair-queue.ts'
import { currentTurn } from './turn.ts'

const argon2Async = promisify(argon2)

/** argon2id: memory in KiB, passes, lanes, and the length of the tag in bytes. */
const PARAMETERS = { memory: 47_104, passes: 1, parallelism: 1, tagLength: 32 }
const SALT_BYTES = 16
/**
 * Hashings that wait for one call (login, register, …), and those of one network: at the 0.1 s that one takes, each
 * call gets a turn within seconds. A lane that is full makes room for networks that have less waiting.
 */
const WAITING = 32
const WAITING_EACH = 8
const PATIENCE = 10_000

/**
 * Hashes and compares passwords with argon2id, as many at once as the machine has cores, so that other
 * requests stay quick. The others wait in a fair queue with a lane for each call and turns for each network, so that
 * no backlog keeps anybody else from logging in or registering.
 */
export type PasswordHasher = {
  /**
   * @param like a salt, or a PHC string whose salt and parameters to take, for hashes that are to be compared together.
   * @returns a PHC string.
   */
  hash(password: string, like?: Buffer | string): Promise<string>
  /** Whether the password is the one behind any of these PHC strings, which share salt and parameters. */
  matches(password: string, ...encoded: string[]): Promise<boolean[]>
  /** Spends the time of one comparison: for an account that does not exist. */
  verifyDummy(password: string): Promise<void>
}

export function createPasswordHasher(atOnce: number = availableParallelism()): PasswordHasher {
  const queue = createFairQueue({ atOnce, waiting: WAITING, waitingEach: WAITING_EACH, patience: PATIENCE })
  const derive = (
    password: string,
    salt: Buffer,
    { memory, passes, parallelism, tagLength }: typeof PARAMETERS,
  ) =>
    queue.run(currentTurn(), () =>
      argon2Async('argon2id', { message: password, nonce: salt, memory, passes, parallelism, tagLength }),
    )
  return {
    async hash(password, like = randomBytes(SALT_BYTES)) {
      const { salt, ...parameters } = typeof like === 'string' ? decode(like) : { salt: like, ...PARAMETERS }
      return encode(salt, parameters, await derive(password, salt, parameters))
    },
    async matches(password, ...encoded) {
      const [first, ...others] = encoded.map(decode)
      if (!first) return []
      const given = await derive(password, first.salt, first)
      return [first, ...others].map(
        (other) => other.salt.equals(first.salt) && timingSafeEqual(other.tag, given),
      )
    },
    async verifyDummy(password) {
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

/** The salt of a hash, to be kept when the password or the parameters change. */
export const saltOf = (encoded: string): Buffer => decode(encoded).salt

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function encode(
  salt: Buffer,
  { memory, passes, parallelism }: Omit<typeof PARAMETERS, 'tagLength'>,
  tag: Buffer,
): string {
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
