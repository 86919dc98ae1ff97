import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#server/testing/database/database.ts'
import type { Database } from '../database/database.ts'
import { type RateLimit, refund, purgeRateLimits, consumeInOrder, consumeOrRefuse } from './rate-limiter.ts'
import { Refusal } from '../refusal.ts'

const three: RateLimit = { take: 3, seconds: 60 }
/** Each time in a row that this limit is reached is a strike, and doubles the next wait. */
const locking: RateLimit = { take: 2, seconds: 300, lock: { maxSeconds: 3600 } }

/** Undefined if the call is allowed, else the seconds to wait. */
async function tryConsume(db: Database, key: string, limit: RateLimit): Promise<number | undefined> {
  try {
    await consumeOrRefuse(db, { key, limit })
    return undefined
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, 'rate_limited')
    return error.details.retryAfter
  }
}

/** On a busy machine, up to 25 of these seconds may have passed. */
function assertWait(wait: number | undefined, seconds: number) {
  assert.ok(wait !== undefined && wait > seconds - 25 && wait <= seconds, `${wait} instead of ${seconds}`)
}

const countAllowed = async (db: Database, key: string, limit: RateLimit, tries: number) => {
  const waits = await Promise.all(Array.from({ length: tries }, () => tryConsume(db, key, limit)))
  return waits.filter((wait) => wait === undefined).length
}

test('allows calls up to the limit, then refuses and says how many seconds to wait', async (t) => {
  const { db } = await testDatabase(t)
  assert.equal(await countAllowed(db, 'a', three, 3), 3)
  assertWait(await tryConsume(db, 'a', three), 60)
  assert.equal(await tryConsume(db, 'b', three), undefined, 'another key has its own limit')
})

test('allows no more of 40 concurrent calls than the limit, in each of four rounds', async (t) => {
  const { db } = await testDatabase(t)
  for (let round = 0; round < 4; round += 1)
    assert.equal(await countAllowed(db, `round ${round}`, three, 40), 3)
})

test('a refused call writes nothing and locks no row', async (t) => {
  const { db, pool } = await testDatabase(t)
  await countAllowed(db, 'a', three, 3)
  const rowVersions = async () => (await pool.query('select xmin::text, xmax::text from rate_limits')).rows
  const before = await rowVersions()
  assert.equal(await countAllowed(db, 'a', three, 5), 0)
  assert.deepEqual(await rowVersions(), before)
})

test('starts a new window when the old one ends, whatever calls it refused', async (t) => {
  const { db, pool } = await testDatabase(t)
  await countAllowed(db, 'a', three, 10)
  await pool.query(`update rate_limits set resets_at = resets_at - interval '30 seconds'`)
  assertWait(await tryConsume(db, 'a', three), 30)
  await pool.query(`update rate_limits set resets_at = resets_at - interval '31 seconds'`)
  assert.equal(await countAllowed(db, 'a', three, 10), 3)
})

test('a day without calls clears the strikes of a locking limit', async (t) => {
  const { db, pool } = await testDatabase(t)
  const lock = () => countAllowed(db, 'a', locking, 2)
  // The first lock ended just before the second began, and the second ended more than a day ago.
  for (const since of ['0 seconds', '25 hours']) {
    await lock()
    await pool.query(`update rate_limits set resets_at = now() - $1::interval`, [since])
  }
  await lock()
  assertWait(await tryConsume(db, 'a', locking), locking.seconds) // not doubled
})

test('purging keeps limits that still apply', async (t) => {
  const { db, pool } = await testDatabase(t)
  await countAllowed(db, 'live', three, 3)
  await countAllowed(db, 'old', three, 3)
  await pool.query(`update rate_limits set resets_at = now() - interval '25 hours' where key = 'old'`)
  await purgeRateLimits(db)
  const { rows } = await pool.query('select key from rate_limits')
  assert.deepEqual(rows, [{ key: 'live' }])
  assertWait(await tryConsume(db, 'live', three), 60)
})

const countsOf = async (db: Database) => {
  const rows = await db.selectFrom('rate_limits').select(['key', 'count']).execute()
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]))
}

test('consumes several limits in order, up to the first that is exceeded', async (t) => {
  const { db } = await testDatabase(t)
  const limits = [2, 1, 2].map((take, index) => ({ key: `limit ${index}`, limit: { take, seconds: 60 } }))
  assert.equal(await consumeInOrder(db, limits), undefined)
  const exceeded = await consumeInOrder(db, limits)
  assert.equal(exceeded?.index, 1)
  assertWait(exceeded.waitSeconds, 60)
  assert.deepEqual(await countsOf(db), { 'limit 0': 2, 'limit 1': 1, 'limit 2': 1 })
})

test('refunds a call to each of several limits, never below zero, and resets another', async (t) => {
  const { db } = await testDatabase(t)
  for (const key of ['network', 'network', 'hour', 'account', 'other'])
    await consumeOrRefuse(db, { key, limit: three })
  await refund(db, ['network', 'unused', 'hour'], { reset: 'account' })
  assert.deepEqual(await countsOf(db), { network: 1, hour: 0, other: 1 })
  await refund(db, ['other', 'hour'])
  await refund(db, [], { reset: 'network' })
  await refund(db, [])
  assert.deepEqual(await countsOf(db), { hour: 0, other: 0 })
})

test('refunds and consumes the same limits concurrently without a deadlock', async (t) => {
  const { db } = await testDatabase(t)
  const keys = ['z network', 'm hour', 'a account']
  const limit: RateLimit = { take: 1_000_000, seconds: 3600 }
  for (let round = 0; round < 20; round += 1)
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0
          ? consumeOrRefuse(db, ...keys.map((key) => ({ key, limit })))
          : refund(db, keys.slice(0, 2), { reset: 'a account' }),
      ),
    )
})
