import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { compactHeapWhenIdle } from './compact-heap.ts'

/** A node that was busy until now. `utilization` is read at each check, one every five seconds. */
function setUp(t: TestContext, utilization: () => number) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  t.mock.method(performance, 'eventLoopUtilization', (_now?: unknown, before?: unknown) => ({
    utilization: before ? utilization() : 1,
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
  assert.equal(count(), 1, 'not again')
})

test('does not compact the heap of a node that drains', (t) => {
  const { stop, count } = setUp(t, () => 0)
  stop()
  t.mock.timers.tick(5_000)
  assert.equal(count(), 0)
})

test('compacting collects what nothing refers to, and later contexts cannot collect', async () => {
  // A WeakRef keeps its target until the end of this turn of the event loop.
  const script = `
    import { runInNewContext } from 'node:vm'
    import { compactHeap } from '${new URL('./compact-heap.ts', import.meta.url).href}'
    const garbage = new WeakRef({})
    await new Promise(setImmediate)
    compactHeap()
    console.log(garbage.deref(), runInNewContext('typeof gc'))`
  // In a process of its own: collecting takes two seconds in one with the modules of many tests.
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  assert.equal(stdout, 'undefined undefined\n')
})
