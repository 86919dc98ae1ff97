import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { until } from '#server/testing/until.ts'
import { createPasswordHasher, isOutdated, type PasswordHasher, poolThreads } from './password-hash.ts'
import type { Refusal } from '../refusal.ts'
import { type Turn, withTurn } from '../limits/turn.ts'

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

/** A hash with weaker parameters, which takes a thousandth of the time. */
function olderHash(password: string): string {
  const nonce = Buffer.alloc(16, 7)
  const parameters = { memory: 64, passes: 2, parallelism: 1, tagLength: 32 }
  const tag = argon2Sync('argon2id', { message: password, nonce, ...parameters })
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=64,t=2,p=1$${text(nonce)}$${text(tag)}`
}

test('hashes with argon2id, 46 MiB, a random salt of 16 bytes and a tag of 32', async () => {
  const hasher = createPasswordHasher()
  const encoded = await hasher.hash('a password')
  const [, memory, passes, lanes, salt = '', tag = ''] = PHC.exec(encoded) ?? []
  assert.deepEqual([memory, passes, lanes], ['47104', '1', '1'])
  assert.deepEqual([Buffer.from(salt, 'base64').length, Buffer.from(tag, 'base64').length], [16, 32])
  assert.equal(isOutdated(encoded), false)
  assert.notEqual(await hasher.hash('a password'), encoded)
})

test('matches only the exact password, without truncation, trimming or case folding', async () => {
  const hasher = createPasswordHasher()
  const password = `${'é'.repeat(60)} Ärger\u0000 ${'x'.repeat(30)} `
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
  assert.deepEqual(await hasher.matches(password, await hasher.hash(password)), [true])
  const quick = olderHash(password)
  assert.deepEqual(await hasher.matches(password, quick), [true])
  for (const other of others) assert.deepEqual(await hasher.matches(other, quick), [false], other)
})

test('compares hashes that share a salt together; one with another salt never matches', async () => {
  const hasher = createPasswordHasher()
  const salt = Buffer.alloc(16, 3)
  const [one, two] = await Promise.all([hasher.hash('password one', salt), hasher.hash('password two', salt)])
  const foreign = await hasher.hash('password two')
  assert.deepEqual(await hasher.matches('password two', one, two, foreign), [false, true, false])
  assert.deepEqual(await hasher.matches('password two'), [])
})

test('a hash with a tag of another length never matches', async () => {
  const encoded = olderHash('a password')
  const matched = createPasswordHasher().matches('a password', encoded, encoded.slice(0, -3))
  assert.deepEqual(await matched, [true, false])
})

test('matches a hash with older parameters and reports it as outdated', async () => {
  const encoded = olderHash('an old password')
  const hasher = createPasswordHasher()
  assert.deepEqual(await hasher.matches('an old password', encoded), [true])
  assert.deepEqual(await hasher.matches('another password', encoded), [false])
  assert.equal(isOutdated(encoded), true)
})

/** Compares concurrently. @returns the outcomes. */
async function compareMany(hasher: PasswordHasher, count: number, turn: Turn) {
  const all = Array.from({ length: count }, () =>
    withTurn(turn, () => hasher.matches('a password', olderHash('a password'))),
  )
  const settled = await Promise.allSettled(all)
  return settled.map((result) => (result.status === 'fulfilled' ? 'done' : (result.reason as Refusal).code))
}
const count = (outcomes: string[], wanted: string) => outcomes.filter((outcome) => outcome === wanted).length

test('queues at most eight hashes per network and endpoint', async () => {
  const hasher = createPasswordHasher(1)
  const login = { lane: '/auth/login', caller: '2001:db8::/48' }
  const outcomes = await compareMany(hasher, 70, login)
  assert.equal(count(outcomes, 'done'), 9, 'one runs, and eight wait')
  assert.equal(count(outcomes, 'rate_limited'), 70 - 9)
  assert.deepEqual(await compareMany(hasher, 8, login), Array(8).fill('done'), 'the places are free again')
})

test('a backlog of one network, of many, or of another endpoint refuses no other caller', async () => {
  const hasher = createPasswordHasher(1)
  const login = (caller: string) => ({ lane: '/auth/login', caller })
  const backlogs = Array.from({ length: 12 }, (_, network) =>
    compareMany(hasher, 20, login(`2001:db8:${network}::/48`)),
  )
  const others = await Promise.all([
    compareMany(hasher, 1, login('192.0.2.1')),
    compareMany(hasher, 4, { lane: '/auth/register', caller: '192.0.2.2' }),
    compareMany(hasher, 4, { lane: '/auth/register', caller: '2001:db8:1::/48' }),
  ])
  assert.deepEqual(others.flat(), Array(9).fill('done'))
  const served = (await Promise.all(backlogs)).map((outcomes) => count(outcomes, 'done'))
  assert.ok(Math.min(...served) >= 2, `each network has its share: ${served.join(', ')}`)
})

test('rejects a stored hash that is not a PHC string of argon2id', async () => {
  const matching = createPasswordHasher().matches('a password', '$2b$10$abcdefghijklmnopqrstuv')
  await assert.rejects(matching, /PHC string/)
})

test('hashing has a lower priority than the event loop', { skip: process.platform !== 'linux' }, async () => {
  await createPasswordHasher().hash('correct horse battery staple')
  const lowestPriority = 19
  const expected = Math.min(getPriority() + 5, lowestPriority)
  await until('all threads of the pool have a lower priority', async () =>
    (await poolThreads()).every((thread) => getPriority(thread) === expected),
  )
  assert.notDeepEqual(await poolThreads(), [])
})
