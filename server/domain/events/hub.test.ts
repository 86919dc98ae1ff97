import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Events, Topic } from '#contract/events.ts'
import { createEventHub, type Listener, type Source } from './hub.ts'

/** A source that the test publishes through. */
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

function hubOf(t: TestContext, lingerMs: number) {
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

function recorder(): Listener & { events: unknown[] } {
  const events: unknown[] = []
  return { events, onEvent: (topic, state) => events.push([topic, state]), end: () => events.push('end') }
}

test('runs one source for all listeners, and only while there are any', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { hub, heartbeat, slots } = hubOf(t, 10_000)
  assert.deepEqual(slots.log, [])
  const leave = hub.subscribe(['slots'], recorder())
  const leaveToo = hub.subscribe(['slots'], recorder())
  assert.deepEqual([slots.log, heartbeat.log], [['start'], []])
  leave?.()
  leaveToo?.()
  leaveToo?.()
  t.mock.timers.tick(9_999)
  const leaveAgain = hub.subscribe(['slots'], recorder())
  t.mock.timers.tick(60_000)
  assert.deepEqual(slots.log, ['start'])
  leaveAgain?.()
  t.mock.timers.tick(10_000)
  assert.deepEqual(slots.log, ['start', 'stop'])
})

test('sends a listener the current state at once, then each change', (t) => {
  const { hub, heartbeat, slots } = hubOf(t, 0)
  const first = recorder()
  hub.subscribe(['heartbeat', 'slots'], first)
  heartbeat.publish({ block: null })
  heartbeat.publish({ block: null })
  slots.publish({ total: 10, left: 3, isPaused: false })
  const second = recorder()
  hub.subscribe(['heartbeat'], second)
  heartbeat.publish({ block: 5 })
  assert.deepEqual(first.events, [
    ['heartbeat', { block: null }],
    ['slots', { total: 10, left: 3, isPaused: false }],
    ['heartbeat', { block: 5 }],
  ])
  assert.deepEqual(second.events, [
    ['heartbeat', { block: null }],
    ['heartbeat', { block: 5 }],
  ])
})

test('does not send stale state after the source stopped', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { hub, slots } = hubOf(t, 5)
  hub.subscribe(['slots'], recorder())?.()
  slots.publish({ total: 10, left: 3, isPaused: false })
  t.mock.timers.tick(5)
  const late = recorder()
  hub.subscribe(['slots'], late)
  assert.deepEqual(late.events, [])
})

test('ends listeners and sources on close, and refuses new listeners', (t) => {
  const { hub, slots } = hubOf(t, 10_000)
  const listener = recorder()
  hub.subscribe(['slots', 'leaderboard'], listener)
  hub.close()
  assert.deepEqual(listener.events, ['end'])
  assert.deepEqual(slots.log, ['start', 'stop'])
  assert.equal(hub.subscribe(['slots'], recorder()), undefined)
})
