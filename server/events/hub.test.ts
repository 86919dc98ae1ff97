import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Events, Topic } from '#contract/events.ts'
import { createEventHub, type Listener, type Source } from './hub.ts'

/** A source that the test speaks through. */
function spoken<T extends Topic>() {
  const log: string[] = []
  let tell: ((state: Events[T]) => void) | undefined
  const source: Source<Events[T]> = (publish) => {
    log.push('start')
    tell = publish
    return () => log.push('stop')
  }
  return { source, log, say: (state: Events[T]) => tell?.(state) }
}

function hubOf(t: { after(end: () => void): void }, linger: number) {
  const heartbeat = spoken<'heartbeat'>()
  const slots = spoken<'slots'>()
  const leaderboard = spoken<'leaderboard'>()
  const sources = {
    heartbeat: heartbeat.source,
    slots: slots.source,
    leaderboard: leaderboard.source,
    claims: spoken<'claims'>().source,
  }
  const hub = createEventHub(sources, { linger })
  t.after(() => hub.close())
  return { hub, heartbeat, slots, leaderboard }
}

function ear(): Listener & { heard: unknown[] } {
  const heard: unknown[] = []
  return { heard, onEvent: (topic, state) => heard.push([topic, state]), end: () => heard.push('end') }
}

test('a source works only while somebody listens, and once for all of them', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { hub, heartbeat, slots } = hubOf(t, 10_000)
  assert.deepEqual(slots.log, [])
  const leave = hub.subscribe(['slots'], ear())
  const leaveToo = hub.subscribe(['slots'], ear())
  assert.deepEqual([slots.log, heartbeat.log], [['start'], []])
  leave?.()
  leaveToo?.()
  leaveToo?.()
  t.mock.timers.tick(9_999)
  const leaveAgain = hub.subscribe(['slots'], ear())
  t.mock.timers.tick(60_000)
  assert.deepEqual(slots.log, ['start'])
  leaveAgain?.()
  t.mock.timers.tick(10_000)
  assert.deepEqual(slots.log, ['start', 'stop'])
})

test('a listener hears the state of its topics at once, then changes only', (t) => {
  const { hub, heartbeat, slots } = hubOf(t, 0)
  const first = ear()
  hub.subscribe(['heartbeat', 'slots'], first)
  heartbeat.say({ block: null })
  heartbeat.say({ block: null })
  slots.say({ total: 10, left: 3 })
  const second = ear()
  hub.subscribe(['heartbeat'], second)
  heartbeat.say({ block: 5 })
  assert.deepEqual(first.heard, [
    ['heartbeat', { block: null }],
    ['slots', { total: 10, left: 3 }],
    ['heartbeat', { block: 5 }],
  ])
  assert.deepEqual(second.heard, [
    ['heartbeat', { block: null }],
    ['heartbeat', { block: 5 }],
  ])
})

test('an old state is not told for the present one', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { hub, slots } = hubOf(t, 5)
  hub.subscribe(['slots'], ear())?.()
  slots.say({ total: 10, left: 3 })
  t.mock.timers.tick(5)
  const late = ear()
  hub.subscribe(['slots'], late)
  assert.deepEqual(late.heard, [])
})

test('closing ends listeners and sources, and nobody joins any more', (t) => {
  const { hub, slots } = hubOf(t, 10_000)
  const listener = ear()
  hub.subscribe(['slots', 'leaderboard'], listener)
  hub.close()
  assert.deepEqual(listener.heard, ['end'])
  assert.deepEqual(slots.log, ['start', 'stop'])
  assert.equal(hub.subscribe(['slots'], ear()), undefined)
})
