import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { subscribeToEvents } from './subscribe-to-events.ts'

/** Longer than any delay before a stream is opened, or opened again. */
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
  /** Closed for good if it was refused; the browser reconnects if it broke off. */
  fail(how: 'refused' | 'broken off') {
    if (how === 'refused') this.readyState = FakeStream.CLOSED
    this.dispatchEvent(new Event('error'))
  }
  send(topic: string, data: string) {
    this.dispatchEvent(new MessageEvent(topic, { data }))
  }
}

/** A browser with fake streams and timers. @returns the streams that were opened. */
function fakeBrowser(t: TestContext): FakeStream[] {
  FakeStream.opened = []
  t.mock.timers.enable({ apis: ['setTimeout'] })
  Object.assign(globalThis, {
    EventSource: FakeStream,
    document: Object.assign(new EventTarget(), { hidden: false }),
  })
  t.after(() => {
    for (const name of ['EventSource', 'document']) Reflect.deleteProperty(globalThis, name)
  })
  return FakeStream.opened
}

test('all subscribers share one stream, which ends with the last of them', (t) => {
  const opened = fakeBrowser(t)
  const received: unknown[] = []
  const unsubscribes = [
    subscribeToEvents('leaderboard', () => {}),
    subscribeToEvents('heartbeat', (event) => received.push(event)),
    subscribeToEvents('heartbeat', () => {}),
  ]
  t.mock.timers.tick(LONG_MS)
  assert.deepEqual(
    opened.map(({ url }) => url.replace(/^.*\?/, '')),
    ['topics=heartbeat,leaderboard'],
  )
  opened[0]?.send('heartbeat', '{"block":7}')
  assert.deepEqual(received, [{ block: 7 }])

  for (const unsubscribe of unsubscribes) {
    assert.notEqual(opened[0]?.readyState, FakeStream.CLOSED)
    unsubscribe()
  }
  assert.equal(opened[0]?.readyState, FakeStream.CLOSED)
})

test('a later subscriber shares the open stream; for a new topic, one with all topics replaces it', (t) => {
  const opened = fakeBrowser(t)
  const unsubscribes = [subscribeToEvents('heartbeat', () => {})]
  t.mock.timers.tick(LONG_MS)
  unsubscribes.push(subscribeToEvents('heartbeat', () => {}))
  t.mock.timers.tick(LONG_MS)
  assert.equal(opened.length, 1)

  unsubscribes.push(subscribeToEvents('slots', () => {}))
  t.mock.timers.tick(LONG_MS)
  assert.deepEqual(
    opened.map(({ url, readyState }) => ({ topics: url.replace(/^.*=/, ''), readyState })),
    [
      { topics: 'heartbeat', readyState: FakeStream.CLOSED },
      { topics: 'heartbeat,slots', readyState: 0 },
    ],
  )
  for (const unsubscribe of unsubscribes) unsubscribe()
})

test('a hidden page has no stream, and opens one at once when it is visible again', (t) => {
  const opened = fakeBrowser(t)
  const setHidden = (hidden: boolean) => {
    Object.assign(document, { hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }
  const unsubscribe = subscribeToEvents('heartbeat', () => {})
  t.mock.timers.tick(LONG_MS)
  setHidden(true)
  assert.equal(opened[0]?.readyState, FakeStream.CLOSED)
  t.mock.timers.tick(LONG_MS)
  assert.equal(opened.length, 1)

  setHidden(false)
  assert.equal(opened.length, 2)
  unsubscribe()
})

test('a refused stream is opened again later; one that broke off is left to the browser', (t) => {
  const opened = fakeBrowser(t)
  const received: unknown[] = []
  const unsubscribe = subscribeToEvents('heartbeat', (event) => received.push(event))
  t.mock.timers.tick(LONG_MS)
  opened[0]?.fail('broken off')
  t.mock.timers.tick(LONG_MS)
  assert.equal(opened.length, 1)

  opened[0]?.fail('refused')
  assert.equal(opened.length, 1, 'A refused stream is not opened again at once.')
  t.mock.timers.tick(LONG_MS)
  assert.equal(opened.length, 2)
  opened[1]?.send('heartbeat', '{"block":8}')
  assert.deepEqual(received, [undefined, undefined, { block: 8 }])

  opened[1]?.fail('refused')
  unsubscribe()
  t.mock.timers.tick(LONG_MS)
  assert.equal(opened.length, 2, 'No stream is opened when nobody listens any more.')
})

test('a listener gets the event of its topic, and undefined in place of malformed data', (t) => {
  const opened = fakeBrowser(t)
  const received: unknown[] = []
  const topics = ['heartbeat', 'slots', 'leaderboard'] as const
  const unsubscribes = topics.map((topic) => subscribeToEvents(topic, (event) => received.push(event)))
  t.mock.timers.tick(LONG_MS)
  const receiveAfter = (topic: (typeof topics)[number], data: string) => {
    opened[0]?.send(topic, data)
    return received.splice(0)
  }
  for (const [topic, event] of [
    ['heartbeat', { block: 7 }],
    ['heartbeat', { block: null }],
    ['slots', { total: 10, left: 0, isPaused: false }],
    ['leaderboard', { version: 3 }],
  ] as const)
    assert.deepEqual(receiveAfter(topic, JSON.stringify(event)), [event])
  for (const data of ['', '<html>', 'null', '7', '"block"', '[]', '{}', '{"block":"7"}', '{"block":-1}'])
    assert.deepEqual(receiveAfter('heartbeat', data), [undefined], data)
  for (const data of ['null', '{"total":1}', '{"total":null,"left":null}', '{"total":1,"left":1}'])
    assert.deepEqual(receiveAfter('slots', data), [undefined], data)
  for (const data of ['null', '{}', '{"version":"3"}', '{"version":-1}'])
    assert.deepEqual(receiveAfter('leaderboard', data), [undefined], data)
  for (const unsubscribe of unsubscribes) unsubscribe()
})
