import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { MAX_WEBHOOKS } from '#contract/dashboard/webhooks.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { queuedMails } from '#server/testing/queued-mails.ts'
import { ROUNDS, tally } from '#server/testing/database/races.ts'
import { until, withTimeout } from '#server/testing/until.ts'
import { BY, setUpWebhooks, SLOTS } from '#server/testing/builders/webhooks.ts'
import { addWebhook, changeWebhook, removeWebhook } from './change-webhooks.ts'
import { queueTest, replay } from './deliveries.ts'
import { queueWebhooks } from './queue.ts'
import { readWebhook, readWebhooks } from './read-webhooks.ts'
import { runWebhooks } from './run-webhooks.ts'
import { RETRY_DELAYS_SECONDS } from './standard-webhooks.ts'

/** A webhook for all events, and its receiver, on two nodes. `readDeliveries` returns the newest first. */
async function setUp(t: TestContext, answer?: (response: ServerResponse) => unknown) {
  const site = await setUpWebhooks(t)
  let status = 200
  const { url, received } = await site.receiver(answer ?? ((response) => response.writeHead(status).end()))
  const answerWith = (next: number) => void (status = next)
  const runAllRetries = async () => {
    for (const _delay of RETRY_DELAYS_SECONDS) await site.runRetries()
  }
  const readMails = async () =>
    (await queuedMails(site.one.db)).filter(({ template }) => template === 'webhook-disabled')
  return { ...site, url, received, answerWith, runAllRetries, readMails, id: await site.createWebhook(url) }
}

type IsGenuine = (headers: Record<string, unknown>, body: string, secret: string) => boolean

test('the example in the documentation accepts only genuine messages', async (t) => {
  const { one, run, receiver, queueMessage } = await setUpWebhooks(t)
  const { url, received } = await receiver()
  const { secret } = await addWebhook(one, { ...BY, url, events: ['slots.gone'] })
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  await queueMessage()
  await run()
  const { headers, body } = received[0] ?? assert.fail()
  const isGenuine = await importExample()
  const signature = String(headers['webhook-signature'])
  for (const accepted of [signature, `v1,AAAA ${signature}`])
    assert.equal(isGenuine({ ...headers, 'webhook-signature': accepted }, body, secret), true)

  assert.equal(isGenuine(headers, `${body} `, secret), false)
  const { secret: otherSecret } = await addWebhook(one, { ...BY, url, events: ['slots.gone'] })
  assert.equal(isGenuine(headers, body, otherSecret), false)
  const overFiveMinutesAgo = String(Number(headers['webhook-timestamp']) - 301)
  for (const changed of [
    { 'webhook-id': 'another' },
    { 'webhook-timestamp': overFiveMinutesAgo },
    { 'webhook-signature': 'v1,AAAA' },
  ])
    assert.equal(isGenuine({ ...headers, ...changed }, body, secret), false, JSON.stringify(changed))
  assert.equal(isGenuine({}, body, secret), false)
})

async function importExample(): Promise<IsGenuine> {
  const document = await readFile(path.join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8')
  const code = /```js\n(.*?)```/s.exec(document)?.[1] ?? ''
  const example = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    isGenuine: IsGenuine
  }
  return example.isGenuine
}

test('retries a failed message with the same id and body, and records each answer', async (t) => {
  const statuses = [500, 302, 200]
  const { one, run, runRetries, received, id, queueMessage, readDeliveries } = await setUp(t, (response) =>
    response.writeHead(statuses.shift() ?? 200, { location: '/' }).end(`\0${'é'.repeat(600)}`),
  )
  await queueMessage()
  await run()
  const [failed] = await readDeliveries(id)
  const answered500 = { status: 500, failure: 'answered 500', answer: 'é'.repeat(500) }
  assert.partialDeepStrictEqual(failed, { state: 'waiting', attempts: 1, ...answered500 }, 'NUL is left out')
  assert.ok(failed?.nextAt && failed.attemptedAt && failed.latencyMs !== null)
  const last = { state: 'waiting', status: 500 }
  assert.partialDeepStrictEqual(await readWebhook(one.db, id), { waiting: 1, last })
  await run()
  assert.equal(received.length, 1, 'a retry waits until it is due')

  await runRetries()
  assert.equal((await readDeliveries(id))[0]?.failure, 'answered 302, a redirect that is not followed')
  await runRetries()
  const [delivered] = await readDeliveries(id)
  assert.partialDeepStrictEqual(delivered, { state: 'delivered', attempts: 3, failure: null, nextAt: null })
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.equal(new Set(received.map(({ body }) => body)).size, 1)
})

test('a receiver that does not answer delays no messages to others', async (t) => {
  const { one, post, receiver, createWebhook, queueMessage } = await setUpWebhooks(t)
  const silent: ServerResponse[] = []
  let isSilent = true
  const hanging = await receiver((response) => (isSilent ? silent.push(response) : response.end()))
  const working = await receiver()
  for (const { url } of [hanging, working]) await createWebhook(url)
  for (let count = 0; count < 6; count += 1) await queueMessage()
  const running = runWebhooks(one, post, { pollMs: 20 })
  await until('all four concurrent attempts hang', () => silent.length === 4)
  await until('the other receiver has all', () => working.received.length === 6)
  await queueMessage()
  await until('the other receiver has one that was queued meanwhile', () => working.received.length === 7)
  assert.equal(silent.length, 4, 'no fifth attempt at the hanging receiver has begun')

  isSilent = false
  for (const response of silent) response.end()
  await withTimeout('the end of the run', running)
  assert.equal(hanging.received.length, 7)
})

test('an attempt that a shutdown cuts off does not use up a retry', async (t) => {
  const reached = Promise.withResolvers<void>()
  let isSilent = true
  const { one, post, id, run, runAllRetries, queueMessage, readDeliveries } = await setUp(t, (response) => {
    if (isSilent) reached.resolve()
    else response.writeHead(500).end()
  })
  await queueMessage()
  const stop = new AbortController()
  const running = runWebhooks(one, post, { stop: stop.signal })
  await reached.promise
  t.mock.timers.enable({ apis: ['setTimeout'] })
  stop.abort()
  // Longer than a shutdown waits for attempts under way.
  t.mock.timers.tick(10_000)
  t.mock.timers.reset()
  await withTimeout('the end of the run', running)
  assert.partialDeepStrictEqual(await readDeliveries(id), [{ state: 'waiting', attempts: 0 }])
  isSilent = false
  await run()
  await runAllRetries()
  const [givenUp] = await readDeliveries(id)
  assert.partialDeepStrictEqual(givenUp, { state: 'failed', attempts: RETRY_DELAYS_SECONDS.length + 1 })
})

test('giving up a message disables its webhook and mails administrators, unless a later one was delivered', async (t) => {
  const { one, url, id, adm, answerWith, run, runAllRetries, queueMessage, readDeliveries, readMails } =
    await setUp(t)
  // The first message is given up only after a later one was delivered.
  answerWith(500)
  await queueMessage()
  await run()
  answerWith(200)
  await queueMessage()
  await run()
  answerWith(500)
  await runAllRetries()
  const [, givenUp] = await readDeliveries(id)
  assert.partialDeepStrictEqual(givenUp, { state: 'failed', attempts: RETRY_DELAYS_SECONDS.length + 1 })
  assert.equal((await readWebhook(one.db, id)).isEnabled, true)
  assert.deepEqual(await readMails(), [])

  await queueMessage()
  await run()
  await runAllRetries()
  const disabled = { isEnabled: false, disabledBecause: 'failing', waiting: 0 }
  assert.partialDeepStrictEqual(await readWebhook(one.db, id), disabled)
  const { origin: receiver } = new URL(url)
  const values = { username: adm.username, receiver, failure: 'answered 500', because: 'failing' }
  assert.deepEqual(await readMails(), [{ template: 'webhook-disabled', to: adm.email, values }])

  await queueMessage()
  assert.equal((await readDeliveries(id)).length, 3, 'nothing is queued for a disabled webhook')
  assert.equal((await changeWebhook(one, id, { ...BY, url })).disabledBecause, 'failing', 'still disabled')
  const enabled = await changeWebhook(one, id, { ...BY, isEnabled: true })
  assert.partialDeepStrictEqual(enabled, { isEnabled: true, disabledBecause: null })
})

test('a message that is being sent while its webhook is disabled is given up after a failure', async (t) => {
  const underWay = Promise.withResolvers<ServerResponse>()
  const { one, run, id, queueMessage, readDeliveries } = await setUp(t, underWay.resolve)
  await queueMessage()
  const running = run()
  const response = await underWay.promise
  await changeWebhook(one, id, { ...BY, isEnabled: false })
  response.writeHead(500).end()
  await withTimeout('the end of the run', running)
  const [dropped] = await readDeliveries(id)
  const expected = { state: 'failed', attempts: 1, failure: 'answered 500', nextAt: null }
  assert.partialDeepStrictEqual(dropped, expected)
})

test('a message queued while its webhook is being disabled is not sent', async (t) => {
  const { one, run, received, id, readDeliveries } = await setUp(t)
  await inTransaction(one.db, async (tx) => {
    await queueWebhooks(tx, 'slots.gone', SLOTS)
    await changeWebhook(one, id, { ...BY, isEnabled: false })
  })
  await run()
  const [dropped] = await readDeliveries(id)
  assert.partialDeepStrictEqual(dropped, { state: 'failed', attempts: 0, nextAt: null })
  assert.match(dropped?.failure ?? '', /was dropped/)
  assert.equal(received.length, 0)
})

test('410 Gone disables the webhook at once and drops its waiting messages', async (t) => {
  const { one, run, received, id, answerWith, queueMessage, readDeliveries, readMails } = await setUp(t)
  answerWith(410)
  for (let count = 0; count < 9; count += 1) await queueMessage()
  await run()
  const disabled = { isEnabled: false, disabledBecause: 'gone', waiting: 0 }
  assert.partialDeepStrictEqual(await readWebhook(one.db, id), disabled)
  const reasons = (await readMails()).map(({ values }) => values['because'])
  assert.deepEqual(reasons, ['gone'])
  const entries = await entriesOf(one.db, { action: 'webhook.disabled' })
  const recorded = entries.map(({ subject, after }) => ({ subject, after }))
  assert.deepEqual(recorded, [{ subject: id, after: { because: 'gone' } }])
  assert.ok(received.length <= 4, 'only the attempts that were under way reach the receiver')
  assert.deepEqual(new Set((await readDeliveries(id)).map(({ state }) => state)), new Set(['failed']))
})

test('a replay keeps the message’s id and is attempted once, even if the webhook is disabled', async (t) => {
  const { one, url, run, runRetries, received, id, answerWith, queueMessage, readDeliveries } = await setUp(t)
  answerWith(500)
  await queueMessage()
  await changeWebhook(one, id, { ...BY, isEnabled: false })
  const dropped = (await readDeliveries(id))[0] ?? assert.fail()
  assert.partialDeepStrictEqual(dropped, { state: 'failed', attempts: 0 })
  const replayDropped = () => replay(one, { webhookId: id, delivery: dropped.id, actor: null })
  await Promise.all([replayDropped(), replayDropped(), replayDropped()])
  await run()
  await runRetries()
  assert.equal(received.length, 1, 'replays at the same time are one attempt')
  assert.equal((await readDeliveries(id))[0]?.state, 'failed', 'a replay is not retried')

  answerWith(204)
  assert.equal((await replayDropped()).state, 'waiting')
  await run()
  const [delivered] = await readDeliveries(id)
  assert.partialDeepStrictEqual(delivered, { state: 'delivered', status: 204, attempts: 2 })
  const ids = received.map(({ headers }) => headers['webhook-id'])
  assert.deepEqual(ids, [dropped.id, dropped.id])

  await replayDropped()
  await changeWebhook(one, id, { ...BY, url: `${url}/new` })
  await run()
  assert.equal((await readDeliveries(id))[0]?.state, 'delivered', 'a new address does not drop a replay')
  assert.equal(received.length, 3)
})

test('a test message is attempted once, and its failure does not disable the webhook', async (t) => {
  const { one, run, runRetries, received, id, answerWith, readDeliveries } = await setUp(t)
  answerWith(500)
  const tested = await queueTest(one, id)
  await run()
  await runRetries()
  const types = received.map(({ message }) => message.type)
  assert.deepEqual(types, ['webhook.test'])
  const [delivery] = await readDeliveries(id)
  assert.partialDeepStrictEqual(delivery, { id: tested.id, state: 'failed', attempts: 1 })
  assert.equal((await readWebhook(one.db, id)).isEnabled, true)
})

test('does not send a message if the webhook’s secret cannot be decrypted, and records why', async (t) => {
  const { one, run, received, id, queueMessage, readDeliveries } = await setUp(t)
  const withBitChanged = sql`set_byte(secret, 13, get_byte(secret, 13) # 1)` // behind a nonce of 12 bytes
  await sql`update webhooks set secret = ${withBitChanged}`.execute(one.db)
  await queueMessage()
  await run()
  assert.equal(received.length, 0)
  assert.match((await readDeliveries(id))[0]?.failure ?? '', /^could not be sent a signed message/)
})

test('a run that fails to lease messages waits and tries again until none is left', async (t) => {
  const { one, post, received, queueMessage } = await setUp(t)
  await queueMessage()
  let failures = 0
  const log = Object.assign(pino({ level: 'silent' }), { warn: () => void (failures += 1) })
  /** A database on which the first `count` leases fail. Leases are the only raw statements of a run. */
  const failing = (count: number) =>
    one.db.withPlugin({
      transformQuery({ node }) {
        if (node.kind === 'RawNode' && failures < count) throw new Error('The lease failed.')
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    })
  const stop = new AbortController()
  const neverMs = 2 ** 30
  const options = { pollMs: neverMs, stop: stop.signal }
  const waiting = runWebhooks({ ...one, db: failing(Infinity), log }, post, options)
  await until('a lease has failed', () => failures > 0)
  // During these statements, a run that did not wait would fail again.
  for (let count = 0; count < 30; count += 1) await readWebhooks(one.db)
  assert.equal(failures, 1)
  stop.abort()
  await withTimeout('the end of the run', waiting)

  failures = 0
  await runWebhooks({ ...one, db: failing(3), log }, post, { pollMs: 1 })
  assert.deepEqual([failures, received.length], [3, 1], 'the message is sent after three failures')
})

test('race: concurrent additions cannot exceed MAX_WEBHOOKS', async (t) => {
  const { one, two, createWebhook } = await setUpWebhooks(t)
  for (let count = 1; count < MAX_WEBHOOKS; count += 1) await createWebhook('https://receiver.example')
  const add = (deps: typeof one) =>
    addWebhook(deps, { ...BY, url: 'https://receiver.example', events: ['slots.gone'] })
  for (let round = 1; round <= ROUNDS; round += 1) {
    const counts = await tally([add(one), add(two), add(one)])
    assert.deepEqual(counts, { done: 1, webhooks_full: 2 }, `round ${round}`)
    await removeWebhook(one, (await readWebhooks(one.db)).at(-1)?.id ?? '', BY)
  }
})
