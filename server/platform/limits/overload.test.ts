import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createFairQueue, type QueueLimits } from './fair-queue.ts'
import type { OverloadChange } from './overload.ts'
import { Refusal } from '../refusal.ts'

const STEP_MS = 10

/** A queue in virtual time, by default for one call at a time. The first letter of a call is its caller. */
function queueOf(t: TestContext, limits: Partial<QueueLimits> = {}) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  let now = 0
  t.mock.method(Date, 'now', () => now)
  const changes: OverloadChange[] = []
  const queue = createFairQueue({
    concurrency: 1,
    maxWaiting: 1_000,
    maxWaitingPerCaller: 1_000,
    timeoutMs: 60_000,
    onOverload: (change) => changes.push(change),
    ...limits,
  })
  const running: { name: string; leave: () => void }[] = []
  const refused: string[] = []
  const retryAfter: (number | undefined)[] = []
  const enter = async (...names: string[]) => {
    for (const name of names)
      queue.enter({ lane: 'calls', caller: name.slice(0, 1) }).then(
        (leave) => running.push({ name, leave }),
        (error: unknown) => {
          refused.push(error instanceof Refusal ? `${name} ${error.code}` : String(error))
          if (error instanceof Refusal) retryAfter.push(error.details.retryAfter)
        },
      )
    await flushEvents()
  }
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      now += STEP_MS
      t.mock.timers.tick(STEP_MS)
    }
    await flushEvents()
  }
  const jumpClock = (ms: number) => (now += ms)
  /** Ends the call that has run longest. @returns its name. */
  const endFirst = async () => {
    const first = running.shift()
    first?.leave()
    await flushEvents()
    return first?.name
  }
  return { changes, running, refused, retryAfter, enter, pass, jumpClock, endFirst }
}

/** Chinese characters, because every caller needs a letter of its own. */
const letter = (number: number) => String.fromCodePoint(0x4e00 + number)
const callers = (count: number) => Array.from({ length: count }, (_, number) => letter(number))

const flushEvents = () => new Promise(setImmediate)

test('refuses waiting callers after a second in which callers have waited for others', async (t) => {
  const { refused, changes, enter, pass } = queueOf(t)
  await enter('a', 'b')
  await pass(1_000)
  assert.deepEqual(refused, [])
  await pass(50)
  assert.deepEqual(refused, ['b unavailable'])
  assert.deepEqual(changes, ['begun', { refused: 1 }])
  await enter('c')
  await pass(1_000)
  assert.deepEqual(refused, ['b unavailable'], 'after the overload, c has a second as well')
  await pass(50)
  assert.deepEqual(refused, ['b unavailable', 'c unavailable'])
})

test('lets callers wait for 150 ms during an overload, and longer once the queue has been empty', async (t) => {
  const { refused, running, enter, pass, endFirst } = queueOf(t)
  await enter('a', 'b')
  await pass(1_000)
  await enter('c')
  await pass(50)
  assert.deepEqual(refused, ['b unavailable'])
  await pass(100)
  await endFirst()
  assert.equal(running[0]?.name, 'c')
  await enter('d')
  await pass(1_000)
  assert.deepEqual(refused, ['b unavailable'])
})

test('reports one overload when its last caller is refused later than the others', async (t) => {
  const { refused, changes, enter, pass } = queueOf(t)
  await enter('a', 'b')
  await pass(1_000)
  await enter('c')
  await pass(250)
  assert.deepEqual(refused, ['b unavailable', 'c unavailable'])
  assert.deepEqual(changes, ['begun', { refused: 2 }])
})

test('refuses nobody if a burst will be over within the next four seconds', async (t) => {
  const { refused, running, enter, pass, endFirst, changes } = queueOf(t)
  const names = callers(90)
  await enter(...names)
  for (const name of names) {
    await pass(50)
    assert.equal(await endFirst(), name)
  }
  assert.deepEqual([refused, running, changes], [[], [], []])
})

test('refuses those of a longer burst who cannot be served within the next four seconds', async (t) => {
  const { refused, enter, pass, endFirst } = queueOf(t)
  const names = callers(200)
  await enter(...names)
  const served: (string | undefined)[] = []
  for (let passed = 0; passed <= 6_000; passed += 50) {
    await pass(50)
    served.push(await endFirst())
  }
  const count = served.indexOf(undefined)
  assert.deepEqual(served.slice(0, count), names.slice(0, count), 'the first in line are served, in order')
  // 20 callers are served in each second: one before the overload and four after it.
  assert.ok(count >= 95 && count <= 105, `5 s serve ${count}`)
  const expected = names.slice(count).map((name) => `${name} unavailable`)
  assert.deepEqual(refused.toSorted(), expected)
})

test('Retry-After is spread over the time that it takes to serve all who wait, at most ten seconds', async (t) => {
  const draws = [0, 0.25, 0.5, 0.75, 0.95]
  const retriesOf = async (waiting: number) => {
    let drawn = 0
    const random = () => draws[drawn++ % draws.length] ?? 0
    const { retryAfter, enter, pass, endFirst } = queueOf(t, { maxWaiting: 10_000, random })
    await enter(...callers(waiting))
    for (let passed = 0; passed <= 1_000; passed += 50) {
      await pass(50)
      await endFirst()
    }
    t.mock.reset()
    return retryAfter.slice(0, draws.length)
  }
  assert.deepEqual(await retriesOf(130), [1, 2, 3, 5, 6], '110 wait, which takes 5.5 s')
  assert.deepEqual(await retriesOf(2_000), [1, 3, 6, 8, 10], '10 s at most')
})

test('serves as many as it can during an overload, and nobody who has waited long', async (t) => {
  const { refused, running, enter, pass, endFirst } = queueOf(t)
  const waits: number[] = []
  const arrivals = new Map<string, number>()
  // For each caller that is served, two arrive.
  for (let now = 0; now < 10_000; now += 50) {
    const names = [letter(now), letter(now + 1)]
    for (const name of names) arrivals.set(name, now)
    await enter(...names)
    const before = running[0]?.name
    await endFirst()
    const next = running[0]?.name
    if (next !== undefined && next !== before) waits.push(now - (arrivals.get(next) ?? 0))
    await pass(50)
  }
  assert.equal(waits.length, 200, 'a caller is served every 50 ms')
  assert.ok(Math.max(...waits) <= 600, `a caller waited ${Math.max(...waits)} ms`)
  const oncePastTheBeginning = Math.max(...waits.slice(30))
  assert.ok(oncePastTheBeginning <= 150 + 50, 'a later caller waited for longer than the timeout and a tick')
  assert.ok(refused.length > 150, `only ${refused.length} were refused`)
})

test('calls that wait only for calls of their own network cause no overload', async (t) => {
  const { refused, running, changes, enter, pass, endFirst } = queueOf(t, {
    concurrency: 2,
    concurrencyPerCaller: 1,
  })
  await enter('a1', 'a2', 'a3', 'a4')
  await pass(10_000)
  await enter('b1')
  await enter('b2')
  await pass(10_000)
  assert.deepEqual([refused, changes], [[], []])
  await endFirst()
  await endFirst()
  const names = running.map(({ name }) => name)
  assert.deepEqual(names, ['a2', 'b2'])
})

test('of a network, only as many calls as may run at once count as waiting for others', async (t) => {
  const { refused, enter, pass } = queueOf(t, { concurrency: 4, concurrencyPerCaller: 3 })
  await enter('b1', 'b2', 'b3', 'a1', 'a2', 'a3', 'a4', 'a5')
  await pass(1_050)
  const expected = ['a2 unavailable', 'a3 unavailable']
  assert.deepEqual(refused, expected, 'a1 runs, and a4 and a5 have waited for a2 and a3')
  await pass(100)
  assert.equal(refused.length, 2)
  await pass(100)
  assert.deepEqual(refused.slice(2), ['a4 unavailable', 'a5 unavailable'])
})

test('the backlog of one network does not get newcomers refused during an overload', async (t) => {
  const { refused, running, enter, pass, endFirst } = queueOf(t)
  await enter('z', ...Array.from({ length: 100 }, (_, number) => `a${number}`))
  await pass(2_000)
  const shed = refused.length
  assert.ok(shed > 0 && refused.every((name) => name.startsWith('a')), 'only calls of a are refused')
  await enter('b1')
  await pass(100)
  await endFirst()
  await endFirst()
  assert.equal(running[0]?.name, 'b1')
  assert.ok(refused.every((name) => name.startsWith('a')))
})

test('neither a paused process nor a clock that jumps ages the queue by more than 200 ms', async (t) => {
  const { refused, enter, pass, jumpClock } = queueOf(t)
  await enter('a', 'b')
  for (const hour of [1, -2, 1]) {
    jumpClock(hour * 3_600_000)
    await pass(50)
    assert.deepEqual(refused, [])
  }
  await pass(500)
  assert.deepEqual(refused, [], 'the queue has aged by 200 + 50 + 200 + 500 ms')
  await pass(100)
  assert.deepEqual(refused, ['b unavailable'])
})
