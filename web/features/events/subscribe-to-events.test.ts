import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { subscribeToEvents } from './subscribe-to-events.ts'

/** Longer than any delay before a stream is opened or reopened. */
const LONG_MS = 100_000

/** An EventSource whose connection the test controls. */
class FakeStream extends EventTarget {
  static readonly CLOSED = 2
  static opened: FakeStream[] = []
  readonly url: string
  readyState = 0
  constructor(url: string) {
    super()
    this.url = url
    FakeStream.opened.push(this)
  }
  close() {
    this.readyState = FakeStream.CLOSED
  }
  /** The browser reconnects if the stream broke off, but not if it was refused. */
  fail(how: 'refused' | 'broken off') {
    if (how === 'refused') this.readyState = FakeStream.CLOSED
    this.dispatchEvent(new Event('error'))
  }
  send(topic: string, data: string) {
    this.dispatchEvent(new MessageEvent(topic, { data }))
  }
}

/** A browser with fake streams and timers. `received`: the events that all subscribers got. */
function fakeBrowser(t: TestContext) {
  FakeStream.opened = []
  const received: unknown[] = []
  const unsubscribes: (() => void)[] = []
  t.mock.timers.enable({ apis: ['setTimeout'] })
  Object.assign(globalThis, {
    EventSource: FakeStream,
    document: Object.assign(new EventTarget(), { hidden: false }),
  })
  t.after(() => {
    for (const unsubscribe of unsubscribes) unsubscribe()
    for (const name of ['EventSource', 'document']) Reflect.deleteProperty(globalThis, name)
  })
  const wait = () => t.mock.timers.tick(LONG_MS)
  /** Subscribes to topics and waits until their stream is open. @returns functions that unsubscribe. */
  const subscribe = (...topics: Parameters<typeof subscribeToEvents>[0][]) => {
    const added = topics.map((topic) => subscribeToEvents(topic, (event) => received.push(event)))
    unsubscribes.push(...added)
    wait()
    return added
  }
  return { opened: FakeStream.opened, received, subscribe, wait }
}

const topicsOf = ({ url }: FakeStream) => url.replace(/^.*\?topics=/, '')

test('all subscribers share a stream, which closes when the last one unsubscribes', (t) => {
  const { opened, received, subscribe } = fakeBrowser(t)
  const unsubscribes = subscribe('leaderboard', 'heartbeat', 'heartbeat')
  assert.deepEqual(opened.map(topicsOf), ['heartbeat,leaderboard'])
  opened[0]?.send('heartbeat', '{"block":7}')
  assert.deepEqual(received, [{ block: 7 }, { block: 7 }])

  for (const unsubscribe of unsubscribes) {
    assert.notEqual(opened[0]?.readyState, FakeStream.CLOSED)
    unsubscribe()
  }
  assert.equal(opened[0]?.readyState, FakeStream.CLOSED)
})

test('a subscription to a new topic replaces the open stream with one for all topics', (t) => {
  const { opened, subscribe } = fakeBrowser(t)
  subscribe('heartbeat')
  subscribe('heartbeat')
  assert.equal(opened.length, 1, 'A known topic needs no new stream.')

  subscribe('slots')
  assert.deepEqual(opened.map(topicsOf), ['heartbeat', 'heartbeat,slots'])
  assert.deepEqual(
    opened.map(({ readyState }) => readyState === FakeStream.CLOSED),
    [true, false],
  )
})

test('a hidden page has no stream until it is visible again', (t) => {
  const { opened, subscribe, wait } = fakeBrowser(t)
  const setHidden = (hidden: boolean) => {
    Object.assign(document, { hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }
  subscribe('heartbeat')
  setHidden(true)
  assert.equal(opened[0]?.readyState, FakeStream.CLOSED)
  wait()
  assert.equal(opened.length, 1)

  setHidden(false)
  assert.equal(opened.length, 2)
})

test('a refused stream is reopened later; one that broke off is left to the browser', (t) => {
  const { opened, received, subscribe, wait } = fakeBrowser(t)
  const [unsubscribe] = subscribe('heartbeat')
  opened[0]?.fail('broken off')
  wait()
  assert.equal(opened.length, 1)

  opened[0]?.fail('refused')
  assert.equal(opened.length, 1, 'A refused stream is not opened again at once.')
  wait()
  assert.equal(opened.length, 2)
  opened[1]?.send('heartbeat', '{"block":8}')
  assert.deepEqual(received, [undefined, undefined, { block: 8 }], 'Each failure is reported as undefined.')

  opened[1]?.fail('refused')
  unsubscribe?.()
  wait()
  assert.equal(opened.length, 2, 'No stream is opened when nobody listens any more.')
})

test('a listener gets the events of its topic, and undefined for malformed data', (t) => {
  const { opened, received, subscribe } = fakeBrowser(t)
  subscribe('heartbeat', 'slots', 'leaderboard')
  const receivedAfter = (topic: string, data: string) => {
    opened[0]?.send(topic, data)
    return received.splice(0)
  }
  for (const [topic, event] of [
    ['heartbeat', { block: 7 }],
    ['heartbeat', { block: null }],
    ['slots', { total: 10, left: 0, isPaused: false }],
    ['leaderboard', { version: 3 }],
  ] as const)
    assert.deepEqual(receivedAfter(topic, JSON.stringify(event)), [event])
  const malformed = {
    heartbeat: ['', '<html>', 'null', '7', '"block"', '[]', '{}', '{"block":"7"}', '{"block":-1}'],
    slots: ['null', '{"total":1}', '{"total":null,"left":null}', '{"total":1,"left":1}'],
    leaderboard: ['null', '{}', '{"version":"3"}', '{"version":-1}'],
  }
  for (const [topic, messages] of Object.entries(malformed))
    for (const data of messages) assert.deepEqual(receivedAfter(topic, data), [undefined], `${topic} ${data}`)
})
