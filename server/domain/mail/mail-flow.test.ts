import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { accountApi } from '#server/testing/account-api.ts'
import { until } from '#server/testing/until.ts'
import { ASK_AGAIN_AFTER_MS, createMailFlow } from './mail-flow.ts'

/** Time is `server.now`. The mail server answers `server.takesEmails` once `server.respond` is called. */
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
  return { ...api, server, read, readAnew }
}

test('the flow is prompt unless a code is late or the mail server takes no emails', async (t) => {
  const { server, read, readAnew, register, backdateCodes, deliver } = await setUp(t)
  assert.equal((await read()).flow, 'unknown')
  assert.deepEqual(await readAnew(), { flow: 'prompt', minutes: 0 })
  await register()
  await backdateCodes('15 seconds')
  assert.equal((await read()).flow, 'prompt')
  await backdateCodes('135 seconds') // rounded up to minutes
  assert.deepEqual(await read(), { flow: 'slow', minutes: 3 })
  server.takesEmails = false
  assert.deepEqual(await readAnew(), { flow: 'stopped', minutes: 0 })
  server.takesEmails = true
  await deliver()
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
  assert.equal(server.asked, 1, 'the answer is not old enough yet')
  server.now += 1
  await Promise.all([read(), read()])
  assert.equal(server.asked, 2)
})
