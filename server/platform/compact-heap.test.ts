import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test, type TestContext } from 'node:test'
import { runInNewContext } from 'node:vm'
import { compactHeap, compactHeapWhenIdle } from './compact-heap.ts'

/** A node that was busy until now. `utilization` says how busy its event loop is from now on. */
function setUp(t: TestContext, utilization: () => number) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  t.mock.method(performance, 'eventLoopUtilization', (...marks: unknown[]) => ({
    utilization: marks.length === 2 ? utilization() : 1,
  }))
  const compact = t.mock.fn()
  const stop = compactHeapWhenIdle(compact)
  t.after(stop)
  return { stop, count: () => compact.mock.callCount() }
}

test('compacts the heap once, at the first idle moment', (t) => {
  let utilization = 0.5
  const { count } = setUp(t, () => utilization)
  t.mock.timers.tick(10_000)
  assert.equal(count(), 0, 'a busy node is not blocked')
  utilization = 0.05
  t.mock.timers.tick(5_000)
  assert.equal(count(), 1)
  t.mock.timers.tick(50_000)
  assert.equal(count(), 1)
})

test('does not compact the heap of a node that drains', (t) => {
  const { stop, count } = setUp(t, () => 0)
  stop()
  t.mock.timers.tick(5_000)
  assert.equal(count(), 0)
})

test('compacting collects what nothing refers to', async () => {
  const garbage = new WeakRef({})
  // A WeakRef keeps its target until the end of this turn of the event loop.
  await new Promise(setImmediate)
  compactHeap()
  assert.equal(garbage.deref(), undefined)
  assert.equal(runInNewContext('typeof gc'), 'undefined', 'later contexts cannot collect')
})
