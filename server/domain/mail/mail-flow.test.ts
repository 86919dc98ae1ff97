import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { mailFlow } from '#contract/dashboard/mail.ts'
import { accountApi, EMAIL } from '#server/testing/account-api.ts'
import { until } from '#server/testing/until.ts'
import { createMailFlow } from './mail-flow.ts'

/**
 * Reads the flow with a clock that stands at `state.now`. The mail server responds once `state.answer` was
 * called: it would take emails if `state.answers`.
 */
async function setUp(t: TestContext) {
  const api = await accountApi(t)
  const answering = Promise.withResolvers<void>()
  const state = { now: 0, answers: true, asked: 0, answer: answering.resolve }
  const answers = async () => {
    state.asked += 1
    await answering.promise
    return state.answers
  }
  const read = createMailFlow(api.deps, { answers, now: () => state.now })
  /** The flow after the node has asked the mail server anew. */
  const readAnew = async () => {
    state.answer()
    await read()
    state.now += 60_000
    const before = state.asked
    await until('the mail server is asked', async () => {
      await read()
      return state.asked > before
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
  return { ...api, state, read, readAnew, wait, sendAll }
}

test('the flow is prompt while codes leave, slow once one waits, and stopped while the mail server does not answer', async (t) => {
  const { state, read, readAnew, register, wait, sendAll } = await setUp(t)
  assert.equal((await read()).flow, 'unknown')
  assert.deepEqual(await readAnew(), { flow: 'prompt', minutes: 0 })
  await register()
  await wait(15)
  assert.equal((await read()).flow, 'prompt')
  await wait(120)
  assert.deepEqual(await read(), { flow: 'slow', minutes: 3 })
  state.answers = false
  assert.deepEqual(await readAnew(), { flow: 'stopped', minutes: 0 })
  state.answers = true
  await sendAll()
  assert.deepEqual(await readAnew(), { flow: 'prompt', minutes: 0 })
})

test('asks the mail server at most every 30 seconds, and once for several readers', async (t) => {
  const { state, read } = await setUp(t)
  for (let count = 0; count < 5; count += 1) await read()
  assert.equal(state.asked, 1)
  state.answer()
  await until('the answer counts', async () => (await read()).flow === 'prompt')
  state.now += 30_001
  await Promise.all([read(), read()])
  assert.equal(state.asked, 2)
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
