import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { mailFlow } from '#contract/dashboard/mail.ts'
import { accountApi, EMAIL } from '#server/testing/account-api.ts'
import { until } from '#server/testing/until.ts'
import { ASK_AGAIN_AFTER_MS, createMailFlow } from './mail-flow.ts'

/** Reads the flow at `server.now`. The mail server answers `server.takesEmails`, but not before `respond`. */
async function setUp(t: TestContext) {
  const api = await accountApi(t)
  const response = Promise.withResolvers<void>()
  const server = { now: 0, takesEmails: true, asked: 0, respond: response.resolve }
  const takesEmails = async () => {
    server.asked += 1
    await response.promise
    return server.takesEmails
  }
  const read = createMailFlow(api.deps, { takesEmails, now: () => server.now })
  /** Reads the flow after the mail server has been asked again. */
  const readAnew = async () => {
    server.respond()
    await read()
    server.now += ASK_AGAIN_AFTER_MS + 1
    const before = server.asked
    await until('the mail server is asked', async () => {
      await read()
      return server.asked > before
    })
    return read()
  }
  const wait = (seconds: number) =>
    api.pool.query(
      `update codes set starts_at = starts_at - make_interval(secs => $1),
      expires_at = expires_at - make_interval(secs => $1)`,
      [seconds],
    )
  const sendAll = () => api.pool.query('update jobs set done_at = now() where done_at is null')
  return { ...api, server, read, readAnew, wait, sendAll }
}

test('the flow is prompt unless a code is late or the mail server takes no emails', async (t) => {
  const { server, read, readAnew, register, wait, sendAll } = await setUp(t)
  assert.equal((await read()).flow, 'unknown')
  assert.deepEqual(await readAnew(), { flow: 'prompt', minutes: 0 })
  await register()
  await wait(15)
  assert.equal((await read()).flow, 'prompt')
  await wait(120)
  assert.deepEqual(await read(), { flow: 'slow', minutes: 3 }, '135 seconds, rounded up')
  server.takesEmails = false
  assert.deepEqual(await readAnew(), { flow: 'stopped', minutes: 0 })
  server.takesEmails = true
  await sendAll()
  assert.deepEqual(await readAnew(), { flow: 'prompt', minutes: 0 })
})

test('asks the mail server at most every 30 seconds, and once for several readers', async (t) => {
  const { server, read } = await setUp(t)
  for (let count = 0; count < 5; count += 1) await read()
  assert.equal(server.asked, 1)
  server.respond()
  await until('the answer counts', async () => (await read()).flow === 'prompt')
  server.now = ASK_AGAIN_AFTER_MS
  await read()
  assert.equal(server.asked, 1)
  server.now += 1
  await Promise.all([read(), read()])
  assert.equal(server.asked, 2)
})

test('a late code to reset a password does not count: it would reveal that its email has an account', async (t) => {
  const { read, readAnew, createAccount, forgot, wait, sendAll } = await setUp(t)
  await createAccount()
  await sendAll()
  await readAnew()
  await forgot(EMAIL)
  await wait(120)
  assert.deepEqual(await read(), { flow: 'prompt', minutes: 0 })
})

test('anyone may read the flow', async (t) => {
  const { call } = await setUp(t)
  const { status, body } = await call(mailFlow)
  assert.deepEqual([status, Object.keys(body.data as object)], [200, ['flow', 'minutes']])
})
