import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { createPasswordHasher, isOutdated } from './password-hash.ts'
import { Refusal } from './refusal.ts'

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

/** As an older release would have made it: with less memory, and much quicker. */
function olderHash(password: string): string {
  const nonce = Buffer.alloc(16, 7)
  const parameters = { memory: 64, passes: 2, parallelism: 1, tagLength: 32 }
  const tag = argon2Sync('argon2id', { message: password, nonce, ...parameters })
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=64,t=2,p=1$${text(nonce)}$${text(tag)}`
}

test('a hash says that it is argon2id with 46 MiB, a salt of 16 bytes and a tag of 32', async () => {
  const encoded = await createPasswordHasher().hash('a password')
  const [, memory, passes, lanes, salt = '', tag = ''] = PHC.exec(encoded) ?? []
  assert.deepEqual([memory, passes, lanes], ['47104', '1', '1'])
  assert.deepEqual([Buffer.from(salt, 'base64').length, Buffer.from(tag, 'base64').length], [16, 32])
  assert.equal(isOutdated(encoded), false)
})

test('the same password never has the same hash twice', async () => {
  const hasher = createPasswordHasher()
  assert.notEqual(await hasher.hash('a password'), await hasher.hash('a password'))
})

test('only the password itself matches: nothing is cut, trimmed or folded', async () => {
  const hasher = createPasswordHasher()
  const password = `${'é'.repeat(60)} Ärger\u0000 ${'x'.repeat(30)} `
  const encoded = await hasher.hash(password)
  const others = [
    password.slice(0, 72),
    password.slice(0, -1),
    password.trim(),
    password.toLowerCase(),
    password.normalize('NFD'),
    password.replace('\u0000', ''),
    password.split('\u0000')[0] ?? '',
    '',
  ]
  assert.deepEqual(await hasher.matches(password, encoded), [true])
  for (const other of others) assert.deepEqual(await hasher.matches(other, encoded), [false], other)
})

test('hashes that share a salt are compared in one go; one of another salt never matches', async () => {
  const hasher = createPasswordHasher()
  const salt = Buffer.alloc(16, 3)
  const [one, two] = await Promise.all([hasher.hash('password one', salt), hasher.hash('password two', salt)])
  const foreign = await hasher.hash('password two')
  assert.deepEqual(await hasher.matches('password two', one, two, foreign), [false, true, false])
  assert.deepEqual(await hasher.matches('password two'), [])
})

test('a hash of older parameters still matches, and is known to be due for a new one', async () => {
  const encoded = olderHash('an old password')
  const hasher = createPasswordHasher()
  assert.deepEqual(await hasher.matches('an old password', encoded), [true])
  assert.deepEqual(await hasher.matches('another password', encoded), [false])
  assert.equal(isOutdated(encoded), true)
})

test('a full queue refuses with 503 at once; what was let in is done, and then there is room again', async () => {
  const hasher = createPasswordHasher(1)
  const quick = olderHash('a password')
  const settled = await Promise.allSettled(
    Array.from({ length: 70 }, () => hasher.matches('a password', quick)),
  )
  const refused = settled.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  assert.equal(refused.length, 5, 'one at work and 64 waiting')
  for (const refusal of refused) {
    assert.ok(refusal instanceof Refusal)
    assert.deepEqual([refusal.code, refusal.retryAfter], ['unavailable', 2])
  }
  assert.deepEqual(await hasher.matches('a password', quick), [true])
})

test('what is stored must be a PHC string of argon2id', async () => {
  await assert.rejects(
    createPasswordHasher().matches('a password', '$2b$10$abcdefghijklmnopqrstuv'),
    /PHC string/,
  )
})
