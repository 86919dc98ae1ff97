import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import {
  createPasswordHasher,
  type PasswordHasher,
  saltOf,
} from '#server/platform/passwords/password-hash.ts'

const argon2Async = promisify(argon2)
const PARAMETERS = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }

/** argon2id with minimal memory, for tests that do not test hashing. Its hashes count as outdated. */
export function quickHasher(): PasswordHasher {
  return {
    ...createPasswordHasher(),
    async hash(password, reuse = randomBytes(16)) {
      const salt = typeof reuse === 'string' ? saltOf(reuse) : reuse
      const tag = await argon2Async('argon2id', { message: password, nonce: salt, ...PARAMETERS })
      const [saltText, tagText] = [salt, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
      return `$argon2id$v=19$m=8,t=1,p=1$${saltText}$${tagText}`
    },
    async verifyDummy() {},
  }
}
