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
import { ROUNDS, tally } from '#server/testing/races.ts'
import { until, withTimeout } from '#server/testing/until.ts'
import { BY, setUpWebhooks, SLOTS } from '#server/testing/builders/webhooks.ts'
import { addWebhook, changeWebhook, removeWebhook } from './change-webhooks.ts'
import { listDeliveries, purgeDeliveries, queueTest, replay } from './deliveries.ts'
import { queueWebhooks } from './queue.ts'
import { readWebhook, readWebhooks } from './read-webhooks.ts'
import { RETRY_DELAYS_SECONDS } from './standard-webhooks.ts'
import { runWebhooks } from './run-webhooks.ts'

/** A webhook for all events, the receiver behind it, and the emails about its being disabled. */
async function setUp(t: TestContext, answer?: (response: ServerResponse) => unknown) {
  const site = await setUpWebhooks(t)
  const { url, received } = await site.receiver(answer)
  const readMails = async () => {
    const { rows } = await sql<{ to: string; values: Record<string, string> }>`
      select payload->>'to' as to, payload->'values' as values from jobs
      where payload->>'template' = 'webhook-disabled'`.execute(site.one.db)
    return rows
  }
  return { ...site, url, received, readMails, id: await site.createWebhook(url) }
}

type IsGenuine = (headers: Record<string, unknown>, body: string, secret: string) => boolean

test('the example in the documentation accepts a message and refuses any other', async (t) => {
  const { one, post, receiver, queueMessage } = await setUpWebhooks(t)
  const { url, received } = await receiver()
  const { secret } = await addWebhook(one, { ...BY, url, events: ['slots.gone'] })
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  await queueMessage()
  await runWebhooks(one, post)
  const { headers, body } = received[0] ?? assert.fail()
  const document = await readFile(path.join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8')
  const code = /```js\n(.*?)```/s.exec(document)?.[1] ?? ''
  const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    isGenuine: IsGenuine
  }
  assert.equal(isGenuine(headers, body, secret), true)
  const signature = String(headers['webhook-signature'])
  assert.equal(isGenuine({ ...headers, 'webhook-signature': `v1,AAAA ${signature}` }, body, secret), true)
  const { secret: otherSecret } = await addWebhook(one, { ...BY, url, events: ['slots.gone'] })
  assert.equal(isGenuine(headers, `${body} `, secret), false)
  assert.equal(isGenuine(headers, body, otherSecret), false)
  const timestamp = String(Number(headers['webhook-timestamp']) - 301)
  for (const changed of [
    { 'webhook-id': 'another' },
    { 'webhook-timestamp': timestamp },
    { 'webhook-signature': 'v1,AAAA' },
  ])
    assert.equal(isGenuine({ ...headers, ...changed }, body, secret), false, JSON.stringify(changed))
  assert.equal(isGenuine({}, body, secret), false)
})

test('retries a failed message with the same id and body, and records each answer', async (t) => {
  const statuses = [500, 302, 200]
  const { one, post, received, id, queueMessage, makeDue, readDeliveries } = await setUp(t, (response) =>
    response.writeHead(statuses.shift() ?? 200, { location: '/' }).end(`\0${'é'.repeat(600)}`),
  )
  await queueMessage()
  await runWebhooks(one, post)
  const [failed] = await readDeliveries(id)
  assert.partialDeepStrictEqual(failed, {
    state: 'waiting',
    attempts: 1,
    status: 500,
    failure: 'answered 500',
  })
  assert.equal(failed?.answer, 'é'.repeat(500))
  assert.ok(failed.nextAt && failed.attemptedAt && failed.latencyMs !== null)
  const last = { state: 'waiting', status: 500 }
  assert.partialDeepStrictEqual(await readWebhook(one.db, id), { waiting: 1, last })
  await runWebhooks(one, post)
  assert.equal(received.length, 1, 'not before it is due')
  await makeDue()
  await runWebhooks(one, post)
  assert.equal((await readDeliveries(id))[0]?.failure, 'answered 302, a redirect that is not followed')
  await makeDue()
  await runWebhooks(one, post)
  const [done] = await readDeliveries(id)
  assert.partialDeepStrictEqual(done, { state: 'delivered', attempts: 3, failure: null, nextAt: null })
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.equal(new Set(received.map(({ body }) => body)).size, 1)
})

test('a receiver that does not answer delays no messages to others; attempts that a shutdown cuts off do not count', async (t) => {
  const { one, post, receiver, createWebhook, queueMessage, readDeliveries } = await setUpWebhooks(t)
  const silent: ServerResponse[] = []
  const hanging = await receiver((response) => silent.push(response))
  const working = await receiver()
  const id = await createWebhook(hanging.url)
  await createWebhook(working.url)
  for (let count = 0; count < 6; count += 1) await queueMessage()
  const stop = new AbortController()
  const running = runWebhooks(one, post, { stop: stop.signal })
  await until('four messages hang', () => silent.length === 4)
  await until('the other receiver has all', () => working.received.length === 6)
  await queueMessage()
  await until('the other receiver has one that was queued meanwhile', () => working.received.length === 7)
  assert.equal(silent.length, 4)
  stop.abort()
  await withTimeout('the end of the run', running)
  const states = (await readDeliveries(id)).map(({ state, attempts }) => `${state} ${attempts}`)
  assert.deepEqual([states.length, new Set(states)], [7, new Set(['waiting 0'])])
})

test('a message is given up after its last retry; its webhook is disabled with an email unless another message has arrived since', async (t) => {
  let status = 500
  const { one, post, url, id, queueMessage, makeDue, readDeliveries, readMails, adm } = await setUp(
    t,
    (response) => response.writeHead(status).end(),
  )
  const runAll = async () => {
    for (let count = 0; count <= RETRY_DELAYS_SECONDS.length; count += 1) {
      await makeDue()
      await runWebhooks(one, post)
    }
  }
  await queueMessage()
  await runWebhooks(one, post)
  status = 200
  await queueMessage()
  await runWebhooks(one, post)
  status = 500
  await runAll()
  const [, first] = await readDeliveries(id)
  assert.partialDeepStrictEqual(first, { state: 'failed', attempts: RETRY_DELAYS_SECONDS.length + 1 })
  assert.equal((await readWebhook(one.db, id)).isEnabled, true, 'another message has arrived since')

  await queueMessage()
  await runAll()
  const disabled = { isEnabled: false, disabledBecause: 'failing', waiting: 0 }
  assert.partialDeepStrictEqual(await readWebhook(one.db, id), disabled)
  const { origin: receiver } = new URL(url)
  assert.deepEqual(await readMails(), [
    {
      to: adm.email,
      values: { username: adm.username, receiver, failure: 'answered 500', because: 'failing' },
    },
  ])
  await queueMessage()
  assert.equal((await readDeliveries(id)).length, 3, 'nothing is queued for it')
  assert.equal((await changeWebhook(one, id, { ...BY, url })).disabledBecause, 'failing')
  const enabled = await changeWebhook(one, id, { ...BY, isEnabled: true })
  assert.deepEqual([enabled.isEnabled, enabled.disabledBecause], [true, null])
})

test('a message under way when its webhook is disabled is given up after a failure', async (t) => {
  const underWay = Promise.withResolvers<ServerResponse>()
  const { one, post, id, queueMessage, readDeliveries } = await setUp(t, underWay.resolve)
  await queueMessage()
  const running = runWebhooks(one, post)
  const response = await underWay.promise
  await changeWebhook(one, id, { ...BY, isEnabled: false })
  response.writeHead(500).end()
  await withTimeout('the end of the run', running)
  const [dropped] = await readDeliveries(id)
  const expected = { state: 'failed', attempts: 1, failure: 'answered 500', nextAt: null }
  assert.partialDeepStrictEqual(dropped, expected)
})

test('a message queued while its webhook is being disabled is not sent', async (t) => {
  const { one, post, received, id, readDeliveries } = await setUp(t)
  await inTransaction(one.db, async (tx) => {
    await queueWebhooks(tx, 'slots.gone', SLOTS)
    await changeWebhook(one, id, { ...BY, isEnabled: false })
  })
  await runWebhooks(one, post)
  const [dropped] = await readDeliveries(id)
  assert.partialDeepStrictEqual(dropped, { state: 'failed', attempts: 0, nextAt: null })
  assert.match(dropped?.failure ?? '', /was dropped/)
  assert.equal(received.length, 0)
})

test('410 Gone disables the webhook at once, with an email and an entry in the journal, and drops its waiting messages', async (t) => {
  const { one, post, received, id, queueMessage, readDeliveries, readMails } = await setUp(t, (response) =>
    response.writeHead(410).end(),
  )
  for (let count = 0; count < 9; count += 1) await queueMessage()
  await runWebhooks(one, post)
  const disabled = { isEnabled: false, disabledBecause: 'gone', waiting: 0 }
  assert.partialDeepStrictEqual(await readWebhook(one.db, id), disabled)
  const [mail, ...otherMails] = await readMails()
  assert.deepEqual([mail?.values['because'], otherMails], ['gone', []])
  const [entry, ...others] = await entriesOf(one.db, { action: 'webhook.disabled' })
  assert.deepEqual([entry?.subject, entry?.after, others], [id, { because: 'gone' }, []])
  assert.ok(received.length <= 4)
  assert.deepEqual(new Set((await readDeliveries(id)).map(({ state }) => state)), new Set(['failed']))
})

test('a replay keeps the id and is attempted once, even if its webhook is disabled; so is a test message, whose failure disables nothing', async (t) => {
  let status = 500
  const { one, post, received, id, queueMessage, makeDue, readDeliveries } = await setUp(t, (response) =>
    response.writeHead(status).end(),
  )
  await queueMessage()
  await changeWebhook(one, id, { ...BY, isEnabled: false })
  const dropped = (await readDeliveries(id))[0] ?? assert.fail()
  assert.deepEqual([dropped.state, dropped.attempts], ['failed', 0])
  const again = () => replay(one, { webhookId: id, delivery: dropped.id, actor: null })
  await Promise.all([again(), again(), again()])
  await runWebhooks(one, post)
  await makeDue()
  await runWebhooks(one, post)
  assert.equal(received.length, 1)
  assert.equal((await readDeliveries(id))[0]?.state, 'failed', 'not retried by itself')
  status = 204
  assert.equal((await again()).state, 'waiting')
  await runWebhooks(one, post)
  const [done] = await readDeliveries(id)
  assert.partialDeepStrictEqual(done, { state: 'delivered', status: 204, attempts: 2 })
  const ids = received.map(({ headers }) => headers['webhook-id'])
  assert.deepEqual(ids, [dropped.id, dropped.id])

  status = 500
  await changeWebhook(one, id, { ...BY, isEnabled: true })
  const tested = await queueTest(one, id)
  await runWebhooks(one, post)
  await makeDue()
  await runWebhooks(one, post)
  assert.equal(received.at(-1)?.message.type, 'webhook.test')
  const [last] = await readDeliveries(id)
  assert.partialDeepStrictEqual(last, { id: tested.id, state: 'failed', attempts: 1 })
  assert.equal((await readWebhook(one.db, id)).isEnabled, true)
  const wrong = replay(one, { webhookId: id, delivery: id, actor: null })
  await assert.rejects(wrong, { code: 'webhook_not_found' })
})

test('deliveries are listed page by page, and deleted after two weeks', async (t) => {
  const { one, id, queueMessage, readDeliveries } = await setUp(t)
  for (let count = 0; count < 5; count += 1) await queueMessage()
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await listDeliveries(one.db, id, { limit: 2, cursor })
    seen.push(...page.data.map((delivery) => delivery.id))
    cursor = page.next ?? undefined
  } while (cursor)
  assert.deepEqual([seen.length, new Set(seen).size], [5, 5])
  const others = one.db.updateTable('webhook_deliveries').where('id', '<>', seen[0] ?? '')
  await others.set({ created_at: sql`now() - interval '14 days'` }).execute()
  await purgeDeliveries(one.db)
  const kept = (await readDeliveries(id)).map((delivery) => delivery.id)
  assert.deepEqual(kept, seen.slice(0, 1))
})

test('a message whose secret cannot be decrypted is not sent, and says why', async (t) => {
  const { one, post, received, id, queueMessage, readDeliveries } = await setUp(t)
  await sql`update webhooks set secret = set_byte(secret, 13, get_byte(secret, 13) # 1)`.execute(one.db)
  await queueMessage()
  await runWebhooks(one, post)
  assert.equal(received.length, 0)
  assert.match((await readDeliveries(id))[0]?.failure ?? '', /^could not be sent a signed message/)
})

test('after a failure to lease messages, a run waits before it tries again', async (t) => {
  const { one, post, received, queueMessage } = await setUp(t)
  await queueMessage()
  let failures = 0
  const log = Object.assign(pino({ level: 'silent' }), { warn: () => void (failures += 1) })
  /** Leases are the only raw statements of a run. */
  const failing = (count: number) =>
    one.db.withPlugin({
      transformQuery({ node }) {
        if (node.kind === 'RawNode' && failures < count) throw new Error('The lease failed.')
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    })
  const stop = new AbortController()
  const options = { pollMs: 2 ** 30, stop: stop.signal }
  const waiting = runWebhooks({ ...one, db: failing(Infinity), log }, post, options)
  await until('a lease has failed', () => failures > 0)
  // Time enough to fail again, if the run did not wait.
  for (let count = 0; count < 30; count += 1) await readWebhooks(one.db)
  assert.equal(failures, 1)
  stop.abort()
  await withTimeout('the end of the run', waiting)

  failures = 0
  await runWebhooks({ ...one, db: failing(3), log }, post, { pollMs: 1 })
  assert.deepEqual([failures, received.length], [3, 1])
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
