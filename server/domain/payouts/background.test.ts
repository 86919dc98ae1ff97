import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse } from '#server/platform/refusal.ts'
import { createLog } from '#server/platform/log/log.ts'
import { createBackground } from './background.ts'

const background = () => createBackground({ log: createLog('silent') })

test('a call waits for a short run and gets its refusal; a long run goes on without it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const runs = background()
  await assert.rejects(
    runs.start(() => Promise.reject(refuse('payout_frozen'))),
    { code: 'payout_frozen' },
  )
  const long = Promise.withResolvers<void>()
  const started = runs.start(() => long.promise)
  t.mock.timers.tick(60_000)
  await started
  let hasStopped = false
  const stopping = runs.stop().then(() => {
    hasStopped = true
  })
  // Meanwhile, a stop that did not wait would end.
  await new Promise(setImmediate)
  assert.ok(!hasStopped, 'a node waits for its runs')
  // No call waits for this run any more: its refusal rejects nothing, not even the stop.
  long.reject(refuse('nothing_to_pay'))
  await stopping
})

test('a stop aborts what runs', async () => {
  const runs = background()
  const seen = Promise.withResolvers<AbortSignal>()
  const begun = runs.start(async (signal) => {
    seen.resolve(signal)
    await new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    )
  })
  const signal = await seen.promise
  await Promise.all([assert.rejects(begun, /shutting down/), runs.stop()])
  assert.ok(signal.aborted)
})
