import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue, type QueueLimits } from './fair-queue.ts'
import { Refusal } from '../refusal.ts'

const turn = (caller: string, lane = 'calls') => ({ lane, caller })

/** Calls last until `endAll`. `started` lists their names in the order of their starts. */
function queueOf(limits: Partial<QueueLimits> = {}) {
  const queue = createFairQueue({
    concurrency: 1,
    maxWaiting: 100,
    maxWaitingPerCaller: 100,
    timeoutMs: 60_000,
    ...limits,
  })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  /** The first letter of the name is the caller. */
  const start = (name: string, lane?: string) =>
    queue
      .run(turn(name.slice(0, 1), lane), () => {
        started.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      })
      .then(
        () => 'done',
        (error: unknown) => (error instanceof Refusal ? error.code : 'broken'),
      )
  const endAll = async () => {
    await new Promise(setImmediate)
    while (ends.size > 0) {
      for (const [name, end] of ends) {
        ends.delete(name)
        end()
      }
      // The queue starts the next calls in one turn of the event loop, and they run in the one after it.
      await new Promise(setImmediate)
      await new Promise(setImmediate)
    }
  }
  return { queue, started, start, endAll }
}

test('serves callers round-robin, regardless of their backlogs', async () => {
  const { started, start, endAll } = queueOf()
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => start(name))
  await endAll()
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  assert.deepEqual(new Set(await Promise.all(all)), new Set(['done']))
})

test('serves lanes round-robin', async () => {
  const { started, start, endAll } = queueOf()
  const all = ['a1', 'a2', 'b1', 'c1'].map((name) => start(name, 'login'))
  all.push(start('d1', 'register'), start('d2', 'register'))
  await endAll()
  assert.deepEqual(started, ['a1', 'a2', 'd1', 'b1', 'd2', 'c1'])
  await Promise.all(all)
})

test('refuses a caller whose queue is full, and drops calls of the longest queue when the lane is full', async () => {
  const { start, endAll } = queueOf({ maxWaiting: 4, maxWaitingPerCaller: 3 })
  const names = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1', 'd1', 'e1']
  const outcomes = names.map(async (name) => `${name} ${await start(name)}`)
  await endAll()
  assert.deepEqual(await Promise.all(outcomes), [
    'a1 done',
    'a2 done',
    // Dropped for c1, when a had the longest queue.
    'a3 rate_limited',
    // Dropped for b2, before that.
    'a4 rate_limited',
    // The queue of a was full.
    'a5 rate_limited',
    'b1 done',
    // Dropped for d1, when b had the longest queue.
    'b2 rate_limited',
    'c1 done',
    'd1 done',
    // No queue was longer than one call.
    'e1 unavailable',
  ])
})

test('yields to the event loop between calls that never wait', async () => {
  const { queue } = queueOf({ concurrency: 2 })
  const done: number[] = []
  const all = Array.from({ length: 10 }, (_, number) => queue.run(turn('a'), async () => done.push(number)))
  for (let max = 2; max <= 10; max += 2) {
    await new Promise(setImmediate)
    assert.ok(done.length <= max, `${done.length} of at most ${max}`)
  }
  await Promise.all(all)
})

test('releases a permit once, even if the work fails', async () => {
  const { queue } = queueOf({ maxWaiting: 1, maxWaitingPerCaller: 1 })
  await assert.rejects(
    queue.run(turn('a'), () => Promise.reject(new Error('broken'))),
    /broken/,
  )
  const release = await queue.enter(turn('a'))
  release()
  release()
  const releaseSecond = await queue.enter(turn('a'))
  const waiting = queue.enter(turn('b'))
  await assert.rejects(queue.enter(turn('b')), Refusal, 'there is still only one permit')
  releaseSecond()
  const releaseLast = await waiting
  releaseLast()
})
