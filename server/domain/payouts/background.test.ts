import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse } from '#server/platform/refusal.ts'
import { logLines } from '#server/testing/checks/log-lines.ts'
import { createBackground } from './background.ts'

test('a call gets the refusal of a short run, but does not wait for a long one, whose failure is logged; a stop waits for all runs', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { log, lines } = logLines()
  const runs = createBackground({ log })
  const short = runs.start(() => Promise.reject(refuse('payout_frozen')))
  await assert.rejects(short, { code: 'payout_frozen' })
  const [refused, broken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const started = [refused, broken].map(({ promise }) => runs.start(() => promise))
  t.mock.timers.tick(60_000)
  await Promise.all(started)
  let hasStopped = false
  const stopping = runs.stop().then(() => {
    hasStopped = true
  })
  // Meanwhile, a stop that did not wait would end.
  await new Promise(setImmediate)
  assert.ok(!hasStopped, 'a node waits for its runs')
  // No call waits for these runs any more, so their errors reject nothing, not even the stop.
  refused.reject(refuse('nothing_to_pay'))
  broken.reject(new Error('The disk is full.'))
  await stopping
  const [line, ...others] = lines()
  assert.deepEqual([line?.msg, others], ['a run of the payout failed', []])
})

test('a stop aborts the runs', async () => {
  const runs = createBackground(logLines())
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
