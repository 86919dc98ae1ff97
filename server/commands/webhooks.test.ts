import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { WEBHOOK_EVENTS } from '#contract/dashboard/webhooks.ts'
import { testDatabase } from '../testing/database.ts'
import { testDeps } from '../testing/deps.ts'
import { serveStub } from '../testing/fakes/http-stub.ts'
import { runCommand } from '../testing/product.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'

const webhooks = (url: string, ...args: string[]) =>
  runCommand('webhooks', args, { DATABASE_URL: url, APP_SECRET: 'a'.repeat(32) })

test('adds, lists, tests and removes a webhook', async (t) => {
  const { db, url } = await testDatabase(t)
  await testDeps(db)
  let status = 200
  const types: unknown[] = []
  const receiver = await serveStub(t, async (request, response) => {
    types.push((JSON.parse(Buffer.concat(await request.toArray()).toString()) as { type: string }).type)
    response.writeHead(status).end('thanks')
  })
  const added = await webhooks(url, 'add', `${receiver}/x`, '--events', 'slots.gone,slots.free')
  assert.match(
    added.out,
    /^Added [0-9a-f-]{36}\.\nIts secret, which will not be shown again: whsec_\S{44}\n$/,
  )
  const [id = ''] = /[0-9a-f-]{36}/.exec(added.out) ?? []
  const listed = await webhooks(url, 'list')
  assert.equal(listed.out, `${id} enabled, 0 waiting, slots.gone,slots.free\n  ${receiver}/x\n`)
  const tested = await webhooks(url, 'test', id)
  assert.match(tested.out, /^Delivered: the receiver answered 200 after \d+ ms\.\n$/, tested.err)
  status = 500
  const failed = await webhooks(url, 'test', id)
  assert.deepEqual([failed.code, failed.err], [1, 'Not delivered: the receiver answered 500.\n'])
  assert.deepEqual(types, ['webhook.test', 'webhook.test'])
  assert.equal((await webhooks(url, 'remove', id)).code, 0)
  const gone = await webhooks(url, 'remove', id)
  assert.deepEqual([gone.code, gone.out], [1, ''])
  assert.match(gone.err, /^We couldn’t find that webhook/)
  assert.equal((await webhooks(url, 'list')).out, 'There are no webhooks.\n')
})

test('listens to everything by default, and explains a wrong address', async (t) => {
  const { db, url } = await testDatabase(t)
  await testDeps(db)
  assert.equal((await webhooks(url, 'add', 'https://receiver.example')).code, 0)
  const { events } = await db.selectFrom('webhooks').select('events').executeTakeFirstOrThrow()
  assert.deepEqual(events, [...WEBHOOK_EVENTS])
  const wrong = await webhooks(url, 'add', 'http://receiver.example')
  assert.deepEqual([wrong.code, wrong.out], [1, ''])
  assert.match(wrong.err, /^Enter an address that starts with https:\/\//)
})

test('without the secret of the server, or with a damaged one, adds nothing and says what to do', async (t) => {
  const { db, url } = await testDatabase(t)
  await testDeps(db)
  const DATA_DIR = await scratchFolder(t)
  const add = () =>
    runCommand('webhooks', ['add', 'https://bot.example.org'], { DATABASE_URL: url, DATA_DIR })
  const missing = await add()
  assert.deepEqual([missing.code, missing.out], [78, ''])
  assert.match(
    missing.err,
    /^There is no secret in DATA_DIR .+: set DATA_DIR or APP_SECRET as for the server/,
  )
  await writeFile(path.join(DATA_DIR, 'app-secret'), 'cut off')
  const damaged = await add()
  assert.deepEqual([damaged.code, damaged.out], [1, ''])
  assert.match(damaged.err, /app-secret is damaged: /)
  assert.deepEqual(await db.selectFrom('webhooks').select('id').execute(), [])
})
