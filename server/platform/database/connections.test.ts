import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConnectionPlan, maxConnections, planConnections } from './connections.ts'

/** Bounds of a serving process's pool, which has one more connection for its probe. */
const [MIN, MAX, PROBE] = [3, 12, 1]
/** The main process has a small pool of its own if there are several workers. */
const MAIN_PROCESS = 2

function planned(workers: number, max?: number): ConnectionPlan {
  const plan = planConnections({ workers, max })
  assert.ok('pool' in plan, `${workers} processes with ${max}`)
  return plan
}

test('sizes the embedded database for every process, with 20 connections to spare', () => {
  for (let workers = 1; workers <= 64; workers += 1) {
    const { pool, total } = planned(workers)
    assert.equal(pool, MAX)
    assert.ok(workers * (pool + PROBE) <= total)
    assert.ok(maxConnections(total) >= total + 20)
  }
  assert.equal(maxConnections(planned(1).total), 100, 'PostgreSQL’s default')
  assert.equal(maxConnections(planned(64).total), 64 * (MAX + PROBE) + MAIN_PROCESS + 20)
})

test('never plans more connections than the database allows', () => {
  for (let workers = 1; workers <= 64; workers += 1)
    for (let max = 4; max <= 200; max += 1) {
      const plan = planConnections({ workers, max })
      if ('required' in plan) {
        assert.ok(plan.required > max, `${workers} processes with ${max}`)
        assert.equal(planned(workers, plan.required).pool, MIN)
      } else {
        assert.ok(plan.pool >= MIN && plan.pool <= MAX)
        assert.ok(plan.total <= max, `${workers} processes with ${max}`)
      }
    }
})

test('divides connections evenly, up to the maximum pool size', () => {
  const pools = [1, 2, 6, 7, 8, 10, 16, 22].map((workers) => planned(workers, 90).pool)
  assert.deepEqual(pools, [12, 12, 12, 11, 10, 7, 4, 3])
  const required = 23 * (MIN + PROBE) + MAIN_PROCESS
  assert.deepEqual(planConnections({ workers: 23, max: 90 }), { required })
  assert.equal(planned(4, 10_000).pool, MAX)
})
