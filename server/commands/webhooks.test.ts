import assert from 'node:assert/strict'
import { json } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { WEBHOOK_EVENTS } from '#contract/dashboard/webhooks.ts'
import { assertFailed, assertMisconfigured, assertSucceeded } from '../testing/checks/commands.ts'
import { testNode } from '../testing/deps.ts'
import { serveStub } from '../testing/fakes/http-stub.ts'
import { runWarm } from '../testing/warm-command.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'

async function setUp(t: TestContext) {
  const { db, url } = await testNode(t)
  const env = { DATABASE_URL: url, APP_SECRET: 'a'.repeat(32) }
  return { db, url, webhooks: (...args: string[]) => runWarm('webhooks', args, env) }
}

const UUID = /[0-9a-f-]{36}/

test('adds, lists and removes a webhook', async (t) => {
  const { webhooks } = await setUp(t)
  const receiver = 'https://receiver.example/x'
  const added = await webhooks('add', receiver, '--events', 'slots.gone,slots.free')
  assertSucceeded(added, /^Added [0-9a-f-]{36}\.\nIts secret, which will not be shown again: whsec_\S{44}\n$/)
  const [id = ''] = UUID.exec(added.out) ?? []
  assertSucceeded(await webhooks('list'), `${id} enabled, 0 waiting, slots.gone,slots.free\n  ${receiver}\n`)
  assertSucceeded(await webhooks('remove', id))
  assertFailed(await webhooks('remove', id), 1, /^We couldn’t find that webhook/)
  assertSucceeded(await webhooks('list'), 'There are no webhooks.\n')
})

test('sends a test message, and says what the receiver answered', async (t) => {
  const { webhooks } = await setUp(t)
  let status = 200
  const types: unknown[] = []
  const receiver = await serveStub(t, async (request, response) => {
    types.push(((await json(request)) as { type: string }).type)
    response.writeHead(status).end('thanks')
  })
  const [id = ''] = UUID.exec((await webhooks('add', receiver)).out) ?? []
  assertSucceeded(await webhooks('test', id), /^Delivered: the receiver answered 200 after \d+ ms\.\n$/)
  status = 500
  assertFailed(await webhooks('test', id), 1, 'Not delivered: the receiver answered 500.\n')
  assert.deepEqual(types, ['webhook.test', 'webhook.test'])
})

test('listens to everything by default, and explains a wrong address', async (t) => {
  const { db, webhooks } = await setUp(t)
  assertSucceeded(await webhooks('add', 'https://receiver.example'))
  const { events } = await db.selectFrom('webhooks').select('events').executeTakeFirstOrThrow()
  assert.deepEqual(events, [...WEBHOOK_EVENTS])
  const wrong = await webhooks('add', 'http://receiver.example')
  assertFailed(wrong, 1, /^Enter an address that starts with https:\/\//)
})

test('adds nothing and says what to do when the secret of the server is missing', async (t) => {
  const { db, url } = await setUp(t)
  const env = { DATABASE_URL: url, DATA_DIR: await scratchFolder(t) }
  const refused = await runWarm('webhooks', ['add', 'https://bot.example.org'], env)
  const advice = /^There is no secret in DATA_DIR .+: set DATA_DIR or APP_SECRET as for the server/
  assertMisconfigured(refused, advice)
  assert.deepEqual(await db.selectFrom('webhooks').select('id').execute(), [])
})
