import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type RecurringJob, runSchedule } from './run-schedule.ts'

/** A schedule with one job and a mocked clock. The job's runs end on demand. */
function startClockwork(t: TestContext, intervalMs: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const runs: { end: () => void; fail: (error: Error) => void; stop: AbortSignal }[] = []
  const failures: string[] = []
  const job: RecurringJob = {
    name: 'work',
    intervalMs,
    run: (stop) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      runs.push({ end: resolve, fail: reject, stop })
      return promise
    },
  }
  const schedule = runSchedule([job], (name, error) => failures.push(`${name} ${String(error)}`))
  const pass = async (milliseconds: number) => {
    t.mock.timers.tick(milliseconds)
    await nextTurn()
  }
  const end = async (run: number) => {
    runs[run]?.end()
    await nextTurn()
  }
  return { schedule, runs, failures, pass, end }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('runs a job at once, and then again an interval after each run has ended', async (t) => {
  const { runs, pass, end } = startClockwork(t, 1_000)
  await pass(0)
  assert.equal(runs.length, 1)
  await pass(10_000)
  assert.equal(runs.length, 1, 'the first run has not ended')
  await end(0)
  await pass(999)
  assert.equal(runs.length, 1)
  await pass(1)
  assert.equal(runs.length, 2)
})

test('runSoon starts an idle job at once, and ignores a name that no job has', async (t) => {
  const { schedule, runs, pass, end } = startClockwork(t, 60_000)
  await pass(0)
  await end(0)
  schedule.runSoon('work')
  await pass(0)
  assert.equal(runs.length, 2)
  await end(1)
  schedule.runSoon('a name that is not on the list')
  await pass(0)
  assert.equal(runs.length, 2)
})

test('runSoon during a run starts one more run, however often it is called', async (t) => {
  const { schedule, runs, pass, end } = startClockwork(t, 60_000)
  await pass(0)
  schedule.runSoon('work')
  schedule.runSoon('work')
  await pass(0)
  assert.equal(runs.length, 1, 'runs do not overlap')
  await end(0)
  await pass(0)
  assert.equal(runs.length, 2)
  await end(1)
  await pass(59_999)
  assert.equal(runs.length, 2, 'two calls start one run')
})

test('reports a failed run and repeats it, at most every two seconds', async (t) => {
  const { runs, failures, pass } = startClockwork(t, 100)
  await pass(0)
  runs[0]?.fail(new Error('away'))
  await nextTurn()
  assert.deepEqual(failures, ['work Error: away'])
  await pass(1_999)
  assert.equal(runs.length, 1)
  await pass(1)
  assert.equal(runs.length, 2)
})

test('a failed run during which runSoon was called is repeated after two seconds, not after the interval', async (t) => {
  const { schedule, runs, pass } = startClockwork(t, 60_000)
  await pass(0)
  schedule.runSoon('work')
  runs[0]?.fail(new Error('away'))
  await nextTurn()
  await pass(1_999)
  assert.equal(runs.length, 1)
  await pass(1)
  assert.equal(runs.length, 2)
})

test('repeats a run that throws before it returns a promise', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const failures: string[] = []
  const run = () => {
    throw new Error('broken')
  }
  const schedule = runSchedule([{ name: 'work', intervalMs: 100, run }], (name) => failures.push(name))
  for (const delay of [0, 2_000]) {
    t.mock.timers.tick(delay)
    await nextTurn()
  }
  assert.deepEqual(failures, ['work', 'work'])
  await schedule.stop()
})

test('aborts the run in progress when stopped, waits for it, and starts no more', async (t) => {
  const { schedule, runs, pass } = startClockwork(t, 1_000)
  await pass(0)
  let hasStopped = false
  const stopping = schedule.stop().then(() => void (hasStopped = true))
  await nextTurn()
  assert.equal(runs[0]?.stop.aborted, true)
  assert.equal(hasStopped, false)
  runs[0].end()
  await stopping
  schedule.runSoon('work')
  await pass(60_000)
  assert.equal(runs.length, 1)
})
