import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#server/testing/database/database.ts'
import type { Database } from '../database/database.ts'
import {
  type RateLimit,
  resetRateLimit,
  refund,
  refundAll,
  purgeRateLimits,
  consumeOrRefuse,
} from './rate-limiter.ts'
import { Refusal } from '../refusal.ts'

const three: RateLimit = { take: 3, seconds: 60 }
const locking: RateLimit = { take: 2, seconds: 300, lock: { maxSeconds: 3600 } }

/** @returns undefined when allowed, else the seconds to wait. */
async function tryConsume(db: Database, key: string, limit: RateLimit): Promise<number | undefined> {
  try {
    await consumeOrRefuse(db, { key, limit })
    return undefined
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, 'rate_limited')
    return error.retryAfter
  }
}

/** Asserts a wait of these seconds, of which up to 25 may have passed on a busy machine. */
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

test('allows no more of 40 concurrent calls than the limit, in each of eight rounds', async (t) => {
  const { db } = await testDatabase(t)
  for (let round = 0; round < 8; round += 1) {
    assert.equal(await countAllowed(db, `round ${round}`, three, 40), 3)
  }
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

test('each refund allows one more call, up to the limit', async (t) => {
  const { db } = await testDatabase(t)
  await countAllowed(db, 'a', three, 3)
  await refund(db, 'a')
  assert.equal(await countAllowed(db, 'a', three, 5), 1)
  for (let again = 0; again < three.take + 1; again += 1) await refund(db, 'a')
  assert.equal(await countAllowed(db, 'a', three, 9), three.take)
  await refund(db, 'unknown')
})

test('a locking limit doubles its wait each time it is reached, up to its maximum', async (t) => {
  const { db, pool } = await testDatabase(t)
  for (const seconds of [300, 600, 1200, 2400, 3600, 3600]) {
    assert.equal(await countAllowed(db, 'a', locking, 2), 2)
    assertWait(await tryConsume(db, 'a', locking), seconds)
    await pool.query(`update rate_limits set resets_at = now()`)
  }
})

test('a reset clears the strikes, and so does a day without calls', async (t) => {
  const { db, pool } = await testDatabase(t)
  for (const forget of [
    () => resetRateLimit(db, 'a'),
    () => pool.query(`update rate_limits set resets_at = now() - interval '25 hours'`),
  ]) {
    await countAllowed(db, 'a', locking, 2)
    await pool.query(`update rate_limits set resets_at = now()`)
    await forget()
    assert.equal(await countAllowed(db, 'a', locking, 2), 2)
    assertWait(await tryConsume(db, 'a', locking), 300)
    await resetRateLimit(db, 'a')
  }
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

test('refunds a call to each of several limits and resets another', async (t) => {
  const { db } = await testDatabase(t)
  for (const key of ['network', 'network', 'hour', 'account', 'other'])
    await consumeOrRefuse(db, { key, limit: three })
  await refundAll(db, ['network', 'unused', 'hour'], { reset: 'account' })
  const counts = async () => db.selectFrom('rate_limits').select(['key', 'count']).orderBy('key').execute()
  assert.deepEqual(await counts(), [
    { key: 'hour', count: 0 },
    { key: 'network', count: 1 },
    { key: 'other', count: 1 },
  ])
  await refundAll(db, ['other', 'hour'])
  await refundAll(db, [], { reset: 'network' })
  await refundAll(db, [])
  assert.deepEqual(await counts(), [
    { key: 'hour', count: 0 },
    { key: 'other', count: 0 },
  ])
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
          : refundAll(db, keys.slice(0, 2), { reset: 'a account' }),
      ),
    )
})
