import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Events, Topic } from '#contract/events.ts'
import { createEventHub, type Listener, type Source } from './hub.ts'

/** A source through which the test publishes. `log` has its starts and stops. */
function manualSource<T extends Topic>() {
  const log: string[] = []
  let publish: ((state: Events[T]) => void) | undefined
  const source: Source<Events[T]> = (callback) => {
    log.push('start')
    publish = callback
    return () => log.push('stop')
  }
  return { source, log, publish: (state: Events[T]) => publish?.(state) }
}

function setUp(t: TestContext, lingerMs: number) {
  const heartbeat = manualSource<'heartbeat'>()
  const slots = manualSource<'slots'>()
  const leaderboard = manualSource<'leaderboard'>()
  const sources = {
    heartbeat: heartbeat.source,
    slots: slots.source,
    leaderboard: leaderboard.source,
    proofs: manualSource<'proofs'>().source,
    claims: manualSource<'claims'>().source,
  }
  const hub = createEventHub(sources, { lingerMs })
  t.after(() => hub.close())
  return { hub, heartbeat, slots, leaderboard }
}

function recordingListener(): Listener & { events: unknown[] } {
  const events: unknown[] = []
  return { events, onEvent: (topic, state) => events.push([topic, state]), end: () => events.push('end') }
}

test('runs one source for all listeners until a while after the last listener has left', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const lingerMs = 10_000
  const { hub, heartbeat, slots } = setUp(t, lingerMs)
  assert.deepEqual(slots.log, [])
  const unsubscribe = hub.subscribe(['slots'], recordingListener())
  const unsubscribeOther = hub.subscribe(['slots'], recordingListener())
  assert.deepEqual(slots.log, ['start'])
  assert.deepEqual(heartbeat.log, [])

  for (const leave of [unsubscribe, unsubscribeOther, unsubscribeOther]) leave?.() // The third does nothing.
  t.mock.timers.tick(lingerMs - 1)
  const unsubscribeLate = hub.subscribe(['slots'], recordingListener())
  t.mock.timers.tick(lingerMs)
  assert.deepEqual(slots.log, ['start'])
  unsubscribeLate?.()
  t.mock.timers.tick(lingerMs)
  assert.deepEqual(slots.log, ['start', 'stop'])
})

test('sends a listener the current state at once, then each change', (t) => {
  const { hub, heartbeat, slots } = setUp(t, 0)
  const early = recordingListener()
  hub.subscribe(['heartbeat', 'slots'], early)
  heartbeat.publish({ block: null })
  heartbeat.publish({ block: null })
  slots.publish({ total: 10, left: 3, isPaused: false })
  const late = recordingListener()
  hub.subscribe(['heartbeat'], late)
  heartbeat.publish({ block: 5 })
  assert.deepEqual(early.events, [
    ['heartbeat', { block: null }],
    ['slots', { total: 10, left: 3, isPaused: false }],
    ['heartbeat', { block: 5 }],
  ])
  assert.deepEqual(late.events, [
    ['heartbeat', { block: null }],
    ['heartbeat', { block: 5 }],
  ])
})

test('does not send the old state after the source has stopped', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { hub, slots } = setUp(t, 5)
  const unsubscribe = hub.subscribe(['slots'], recordingListener())
  unsubscribe?.()
  slots.publish({ total: 10, left: 3, isPaused: false })
  t.mock.timers.tick(5)
  const late = recordingListener()
  hub.subscribe(['slots'], late)
  assert.deepEqual(late.events, [])
})

test('ends listeners and sources on close, and refuses new listeners', (t) => {
  const { hub, slots } = setUp(t, 10_000)
  const listener = recordingListener()
  hub.subscribe(['slots', 'leaderboard'], listener)
  hub.close()
  assert.deepEqual(listener.events, ['end'])
  assert.deepEqual(slots.log, ['start', 'stop'])
  assert.equal(hub.subscribe(['slots'], recordingListener()), undefined)
})
