import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testDatabase } from '#server/testing/database/database.ts'
import { inTransaction } from '../database/database.ts'
import { cancel, type Job, type Outcome, purgeJobs, enqueue, runDue, type Worker } from './jobs.ts'

const done: Worker = async () => ({ done: true })
const retry: Worker = async () => ({ retry: 'not now' })

async function setUp(t: TestContext) {
  const { db, pool } = await testDatabase(t)
  const add = (payload: Record<string, unknown> = {}, when: { runAt?: Date; usefulUntil?: Date } = {}) =>
    inTransaction(db, (tx) => enqueue(tx, { kind: 'k', payload, ...when }))
  const readRow = async (id: string) =>
    (
      await pool.query(
        `select attempts, last_error, done_at is not null as done, dead_at is not null as dead,
           leased_until is not null as leased,
           extract(epoch from run_at - now())::float8 as due_in,
           extract(epoch from run_at)::float8 as due_at, extract(epoch from now())::float8 as read_at
         from jobs where id = $1`,
        [id],
      )
    ).rows[0]
  /** Sets a time of all jobs earlier, as if these seconds had passed, or later if they are negative. */
  const shift = (column: 'run_at' | 'leased_until' | 'useful_until', seconds: number) =>
    pool.query(`update jobs set ${column} = ${column} - make_interval(secs => ${seconds})`)
  return { db, pool, add, readRow, shift }
}

test('runs each job of its kind once, with its payload', async (t) => {
  const { db, add } = await setUp(t)
  const id = await add({ to: 'me' })
  const seen: Job[] = []
  const worker: Worker = async (job) => {
    seen.push(job)
    return { done: true }
  }
  assert.equal(await runDue(db, 'another', worker), 0)
  assert.equal(await runDue(db, 'k', worker), 1)
  assert.equal(await runDue(db, 'k', worker), 0)
  assert.deepEqual(seen, [{ id, payload: { to: 'me' }, attempts: 1 }])
})

test('queues nothing when the transaction fails', async (t) => {
  const { db } = await setUp(t)
  const failing = inTransaction(db, async (tx) => {
    await enqueue(tx, { kind: 'k', payload: {} })
    throw new Error('no')
  })
  await assert.rejects(failing, /^Error: no$/)
  assert.equal(await runDue(db, 'k', done), 0)
})

test('does not run a job before its time', async (t) => {
  const { db, add, readRow, shift } = await setUp(t)
  const id = await add({}, { runAt: new Date(Date.now() + 60_000) })
  assert.equal(await runDue(db, 'k', done), 0)
  await shift('run_at', 61)
  assert.equal(await runDue(db, 'k', done), 1)
  assert.equal((await readRow(id)).done, true)
})

test('retries after 5 s, 30 s, 2 min, 10 min, then every hour, with 20 % jitter', async (t) => {
  const { db, add, readRow, pool } = await setUp(t)
  const id = await add()
  for (const seconds of [5, 30, 120, 600, 3600, 3600, 3600]) {
    const before = await readRow(id)
    assert.equal(await runDue(db, 'k', retry), 1)
    const { due_in, due_at, last_error, leased } = await readRow(id)
    // `due_in` is the delay less the time until the row was read, and `atMost` is the delay plus some time.
    const atMost = due_at - before.read_at
    assert.ok(atMost >= seconds * 0.8 && due_in <= seconds * 1.2, `${due_in} s instead of ${seconds} s`)
    assert.deepEqual({ last_error, leased }, { last_error: 'not now', leased: false })
    await pool.query('update jobs set run_at = now()')
  }
})

test('retries a job whose worker throws, even before it returns a promise', async (t) => {
  const { db, add, readRow } = await setUp(t)
  // PostgreSQL cannot store NUL.
  const fail = () => {
    throw new Error('No\0body')
  }
  for (const worker of [async () => fail(), fail]) {
    const id = await add()
    await runDue(db, 'k', worker)
    const failed = { done: false, dead: false, last_error: 'Error: Nobody', leased: false }
    assert.partialDeepStrictEqual(await readRow(id), failed)
  }
})

test('keeps a dead job with its reason and never retries it', async (t) => {
  const { db, add, readRow, shift } = await setUp(t)
  const id = await add()
  await runDue(db, 'k', async () => ({ dead: '550 no such\0 person' }))
  await shift('run_at', 86_400)
  assert.equal(await runDue(db, 'k', done), 0)
  const dead = { done: false, dead: true, last_error: '550 no such person' }
  assert.partialDeepStrictEqual(await readRow(id), dead)
})

test('drops a job that is no longer useful', async (t) => {
  const { db, add, readRow, shift } = await setUp(t)
  const id = await add({}, { usefulUntil: new Date(Date.now() + 600_000) })
  await shift('useful_until', 601)
  assert.equal(await runDue(db, 'k', done), 0)
  assert.partialDeepStrictEqual(await readRow(id), { dead: true, last_error: 'No longer useful.' })
})

/** A worker that hangs until `end` is called. `started` resolves once it has the job. */
function hanging() {
  const started = Promise.withResolvers<Job>()
  const outcome = Promise.withResolvers<Outcome>()
  const worker: Worker = (job) => {
    started.resolve(job)
    return outcome.promise
  }
  return { worker, started: started.promise, end: outcome.resolve }
}

test('leases a running job to one worker until the lease expires', async (t) => {
  const { db, add, readRow, shift } = await setUp(t)
  const id = await add()
  const late = hanging()
  const lateRun = runDue(db, 'k', late.worker)
  await late.started
  await shift('leased_until', 20)
  assert.equal(await runDue(db, 'k', done), 0, 'the job was leased twice')

  // A minute in all, and the lease lasts 45 s.
  await shift('leased_until', 40)
  const successor = hanging()
  const successorRun = runDue(db, 'k', successor.worker)
  assert.equal((await successor.started).id, id, 'a retry has the same id, for idempotency')
  late.end({ dead: 'woke up too late' })
  await lateRun
  assert.equal((await readRow(id)).dead, false, 'the outcome of a worker that lost its lease was stored')
  successor.end({ done: true })
  await successorRun
  assert.partialDeepStrictEqual(await readRow(id), { done: true, dead: false })
})

test('leases a job again when its lease ends too far ahead, because the clock was set back', async (t) => {
  const { db, add, shift } = await setUp(t)
  await add()
  const crashed = hanging()
  const first = runDue(db, 'k', crashed.worker)
  await crashed.started
  await shift('leased_until', -20)
  assert.equal(await runDue(db, 'k', done), 0, 'a lease may end a little more than 45 s ahead')
  await shift('leased_until', -3_600)
  assert.equal(await runDue(db, 'k', done), 1)
  crashed.end({ done: true })
  await first
})

test('retries a job after the seconds that it asks for, plus jitter', async (t) => {
  const { db, add, readRow } = await setUp(t)
  const ids = await Promise.all(Array.from({ length: 20 }, () => add()))
  assert.equal(await runDue(db, 'k', async () => ({ retry: 'not now', afterSeconds: 1_000 })), 20)
  for (const id of ids) {
    const { due_in: dueIn } = await readRow(id)
    // On a busy machine, up to 100 s may pass before the row is read.
    assert.ok(dueIn > 900 && dueIn <= 1_200, `in ${dueIn} s`)
  }
})

test('never leases one job to two workers', async (t) => {
  const { db, add, pool } = await setUp(t)
  for (let round = 0; round < 4; round += 1) {
    await Promise.all(Array.from({ length: 12 }, () => add()))
    const seen: string[] = []
    const worker: Worker = async ({ id }) => {
      seen.push(id)
      return { done: true }
    }
    const tried = await Promise.all([1, 2, 3].map(() => runDue(db, 'k', worker)))
    const attempts = tried.reduce((sum, count) => sum + count, 0)
    assert.equal(attempts, 12)
    assert.equal(new Set(seen).size, 12)
  }
  const { rows } = await pool.query('select count(*) from jobs where attempts <> 1 or done_at is null')
  assert.deepEqual(rows, [{ count: 0 }])
})

test('runs jobs that are queued while another hangs', async (t) => {
  const { db, add } = await setUp(t)
  const slow = await add()
  const stuck = hanging()
  const second = Promise.withResolvers<string>()
  const worker: Worker = (job, signal) => {
    if (job.id === slow) return stuck.worker(job, signal)
    second.resolve(job.id)
    return done(job, signal)
  }
  const running = runDue(db, 'k', worker, { pollMs: 1 })
  await stuck.started
  const later = await add()
  assert.equal(await second.promise, later)
  stuck.end({ done: true })
  assert.equal(await running, 2)
})

test('runs only two jobs at once while the node is busy', async (t) => {
  const { db, add } = await setUp(t)
  const maxAtOnce = async ({ isBusy }: { isBusy: boolean }) => {
    for (let count = 0; count < 9; count += 1) await add()
    let [running, max] = [0, 0]
    const worker: Worker = async () => {
      running += 1
      max = Math.max(max, running)
      await new Promise(setImmediate)
      running -= 1
      return { done: true }
    }
    assert.equal(await runDue(db, 'k', worker, { isBusy: () => isBusy }), 9)
    return max
  }
  assert.equal(await maxAtOnce({ isBusy: true }), 2)
  assert.equal(await maxAtOnce({ isBusy: false }), 4, 'at most four at once by default')
})

test('finishes running jobs when stopped, and leases no more', async (t) => {
  const { db, add, readRow } = await setUp(t)
  const ids = [await add(), await add()]
  const stuck = hanging()
  const stop = new AbortController()
  const running = runDue(db, 'k', stuck.worker, { atOnce: 1, stop: stop.signal })
  const { id: runningId } = await stuck.started
  stop.abort()
  stuck.end({ done: true })
  assert.equal(await running, 1, 'the other job was not attempted')
  assert.equal((await readRow(runningId)).done, true)
  const other = ids.find((id) => id !== runningId) ?? ''
  assert.partialDeepStrictEqual(await readRow(other), { attempts: 0, leased: false })
})

test('frees the place of a job that outlasts its lease, and retries it after the back-off', async (t) => {
  const { db, add, readRow } = await setUp(t)
  const slow = await add()
  const quick = await add()
  const before = await readRow(slow)
  const aborted: string[] = []
  const worker: Worker = (job, signal) => {
    if (job.id !== slow) return done(job, signal)
    signal.addEventListener('abort', () => aborted.push(job.id))
    return new Promise(() => {})
  }
  assert.equal(await runDue(db, 'k', worker, { atOnce: 1, leaseSeconds: 0.05 }), 2)
  assert.equal((await readRow(quick)).done, true)
  assert.deepEqual(aborted, [slow])
  const after = await readRow(slow)
  const expected = { attempts: 1, leased: false, last_error: 'It took longer than its lease.' }
  assert.partialDeepStrictEqual(after, expected)
  assert.ok(after.due_at - before.read_at >= 5 * 0.8, 'the first back-off, less its jitter')
})

test('a job can be canceled until it is done', async (t) => {
  const { db, add, readRow } = await setUp(t)
  const finished = await add()
  await runDue(db, 'k', done)
  const waiting = await add()
  await inTransaction(db, (tx) => cancel(tx, [finished, waiting]))
  assert.equal(await readRow(waiting), undefined)
  assert.equal((await readRow(finished)).done, true)
  await inTransaction(db, (tx) => cancel(tx, [])) // An empty list is fine.
})

test('deletes finished and dead jobs after a week and keeps pending ones', async (t) => {
  const { db, add, readRow, pool } = await setUp(t)
  const [old, recent] = [await add(), await add()]
  await runDue(db, 'k', done)
  const dead = await add()
  await runDue(db, 'k', async () => ({ dead: 'no such person' }))
  const waiting = await add({}, { runAt: new Date(Date.now() + 60_000) })
  await pool.query(`update jobs set created_at = now() - interval '99 days'`)
  await pool.query(`update jobs set done_at = now() - interval '8 days' where id = $1`, [old])
  await purgeJobs(db)
  assert.equal(await readRow(old), undefined)
  assert.ok(await readRow(recent))
  assert.ok(await readRow(dead))
  await pool.query(`update jobs set dead_at = now() - interval '8 days' where id = $1`, [dead])
  await purgeJobs(db)
  assert.equal(await readRow(dead), undefined)
  assert.ok(await readRow(waiting))
})
