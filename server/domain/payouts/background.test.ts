import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse } from '#server/platform/refusal.ts'
import { logLines } from '#server/testing/checks/log-lines.ts'
import { createBackground } from './background.ts'

test('a call gets the refusal of a short run, which is not logged', async () => {
  const { log, lines } = logLines()
  const runs = createBackground({ log })
  const call = runs.start(() => Promise.reject(refuse('payout_frozen')))
  await assert.rejects(call, { code: 'payout_frozen' })
  assert.deepEqual(lines(), [])
})

test('a call does not wait for a long run, whose failure is logged unless it is a refusal', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { log, lines } = logLines()
  const runs = createBackground({ log })
  const [refused, broken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const calls = [refused, broken].map(({ promise }) => runs.start(() => promise))
  t.mock.timers.tick(60_000)
  await Promise.all(calls)
  refused.reject(refuse('nothing_to_pay'))
  broken.reject(new Error('The disk is full.'))
  await runs.stop()
  const logged = lines().map(({ msg }) => msg)
  assert.deepEqual(logged, ['a run of the payout failed'])
})

test('a stop aborts the runs and waits for their end', async () => {
  const runs = createBackground({ log: logLines().log })
  const aborted = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const call = runs.start(async (signal) => {
    signal.addEventListener('abort', () => aborted.resolve())
    await released.promise
    signal.throwIfAborted()
  })
  let hasStopped = false
  const stopping = runs.stop().then(() => {
    hasStopped = true
  })
  await aborted.promise
  // A stop that did not wait would end now.
  await new Promise(setImmediate)
  assert.ok(!hasStopped)
  released.resolve()
  await Promise.all([assert.rejects(call, /shutting down/), stopping])
})
