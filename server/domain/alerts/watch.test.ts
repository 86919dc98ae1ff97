import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type pg from 'pg'
import { alerts, type Alert } from '#contract/dashboard/alerts.ts'
import { sendLater } from '#server/domain/mail/send-later.ts'
import { suppress } from '#server/domain/mail/suppressions.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { logLines } from '#server/testing/checks/log-lines.ts'
import type { WatchedDeployment } from './conditions.ts'
import { watchDeployment } from './watch.ts'

/** Such a node watches only the disk of DATA_DIR. */
const WITHOUT_BACKUPS = { backups: undefined }

async function setUp(t: TestContext) {
  const logged = logLines()
  const api = await testApi(t, { log: logged.log })
  const { deps, db, pool } = api
  const administrators = await createUsers(db, deps.campaign.id, 2, { role: 'admin' })
  const [participant] = await createUsers(db, deps.campaign.id, 1)
  const folder = await scratchFolder(t)
  const disk = { freeBytes: 100e9 } // Less than 2 GB is nearly full.
  const backups = { folder, everyHours: 24 }
  const watched = {
    dataDir: folder,
    backups,
    machine: 'node-1',
    freeBytes: async () => disk.freeBytes,
    uptimeSeconds: () => 3_600,
  }
  const watch = (changes: Partial<WatchedDeployment> = {}) =>
    watchDeployment(deps, { ...watched, ...changes })
  /** Removes the queued alert emails. @returns the beginning of each subject. */
  const takeSubjects = async () => {
    const subjects: string[] = []
    for (const { email } of administrators)
      subjects.push(...(await api.mailsTo(email)).map(({ subject }) => subject.split(':')[0] ?? ''))
    assert.deepEqual(await api.mailsTo(participant.email), [], 'only administrators are alerted')
    await pool.query(`delete from jobs where payload->>'template' like 'alert-%'`)
    return subjects
  }
  const listAlerts = async () =>
    (await api.call(alerts, { token: administrators[0]?.token })).body.data as Alert[]
  const queueMail = async (to: string, age: string, error: string | null) => {
    const mail = { template: 'claim-received', to, values: { username: 'al' } }
    const id = await inTransaction(db, (tx) => sendLater(tx, mail))
    await pool.query(
      `update jobs set created_at = now() - $2::interval, run_at = now() - $2::interval,
         attempts = case when $3::text is null then 0 else 3 end, last_error = $3 where id = $1`,
      [id, age, error],
    )
  }
  const ageAlerts = (interval: string) =>
    pool.query(
      `update alerts set mailed_at = mailed_at - $1::interval, seen_at = seen_at - $1::interval, since = since - $1::interval`,
      [interval],
    )
  return { ...api, logged, disk, watch, takeSubjects, listAlerts, queueMail, ageAlerts }
}

test('a disk that stops answering ends no alert, hides no other problem, and is asked once', async (t) => {
  const { disk, watch, takeSubjects, listAlerts, queueMail } = await setUp(t)
  disk.freeBytes = 1e9
  await watch()
  await takeSubjects()
  let asked = 0
  const freeBytes = () => {
    asked += 1
    return new Promise<number>(() => {})
  }
  await queueMail('al@mail.example', '20 minutes', null)
  for (let round = 0; round < 2; round += 1) await watch({ freeBytes, diskWaitMs: 1 })
  assert.equal(asked, 1)
  assert.deepEqual(await takeSubjects(), Array(2).fill('Emails are not being sent'), 'two administrators')
  const conditions = (await listAlerts()).map(({ condition }) => condition)
  assert.deepEqual(conditions, ['disk_low', 'disk_low', 'mail_stuck'], 'two folders on the disk')
})

test('mails every administrator once per folder when a disk is nearly full, and again when it has room', async (t) => {
  const { disk, watch, takeSubjects, listAlerts, logged } = await setUp(t)
  await watch()
  assert.deepEqual(await takeSubjects(), [])
  assert.deepEqual(await listAlerts(), [])

  disk.freeBytes = 1.2e9
  await Promise.all([watch(), watch(), watch()])
  await watch()
  // Two administrators, each about DATA_DIR and BACKUP_DIR.
  assert.deepEqual(await takeSubjects(), Array(4).fill('The disk is nearly full'))
  const [first, ...others] = await listAlerts()
  assert.deepEqual(first?.facts, { folder: 'BACKUP_DIR', gigabytes: '1.2', machine: 'node-1' })
  assert.equal(others.length, 1)

  disk.freeBytes = 100e9
  await watch()
  await watch()
  assert.deepEqual(await takeSubjects(), Array(4).fill('Resolved'))
  assert.deepEqual(await listAlerts(), [])
  const events = logged.lines().filter(({ event }) => event === 'alert')
  const outcomes = events.map(({ outcome }) => outcome)
  assert.deepEqual(outcomes, ['raised', 'raised', 'cleared', 'cleared'])
})

test('a problem that comes and goes is mailed at most once an hour, unless the clock has been set back', async (t) => {
  const { disk, watch, takeSubjects, ageAlerts } = await setUp(t)
  const comeAndGo = async () => {
    disk.freeBytes = 1e9
    await watch(WITHOUT_BACKUPS)
    disk.freeBytes = 100e9
    await watch(WITHOUT_BACKUPS)
  }
  await comeAndGo()
  assert.equal((await takeSubjects()).length, 4, 'to two administrators, at the beginning and at the end')
  await comeAndGo()
  assert.deepEqual(await takeSubjects(), [])
  disk.freeBytes = 1e9
  await watch(WITHOUT_BACKUPS)
  assert.deepEqual(await takeSubjects(), [])
  await ageAlerts('61 minutes')
  await watch(WITHOUT_BACKUPS)
  assert.deepEqual(await takeSubjects(), Array(2).fill('The disk is nearly full'))

  disk.freeBytes = 100e9
  await watch(WITHOUT_BACKUPS)
  await takeSubjects()
  // Now the last email lies in the future.
  await ageAlerts('-1 hour')
  disk.freeBytes = 1e9
  await watch(WITHOUT_BACKUPS)
  assert.deepEqual(await takeSubjects(), Array(2).fill('The disk is nearly full'))
})

test('a machine ends alerts of its own disks only, and a lost machine’s alerts end after an hour', async (t) => {
  const { disk, watch, listAlerts, ageAlerts } = await setUp(t)
  disk.freeBytes = 1e9
  await watch()
  disk.freeBytes = 100e9
  await watch({ machine: 'node-2' })
  assert.equal((await listAlerts()).length, 2, 'about DATA_DIR and BACKUP_DIR of node-1')
  await ageAlerts('61 minutes')
  await watch({ machine: 'node-2' })
  assert.deepEqual(await listAlerts(), [])
})

test('stuck mail raises an alert only if an email got no answer or at least three domains refuse', async (t) => {
  const { watch, takeSubjects, listAlerts, queueMail, pool } = await setUp(t)
  // Emails are stuck after 15 minutes.
  await queueMail('a@one.example', '2 hours', '451 4.7.1 Try later')
  await queueMail('b@two.example', '10 minutes', 'ESOCKET connect ECONNREFUSED')
  await watch()
  assert.deepEqual(await listAlerts(), [])
  await queueMail('c@three.example', '16 minutes', null)
  await watch()
  const [alert] = await listAlerts()
  assert.partialDeepStrictEqual(alert, { condition: 'mail_stuck', facts: { waiting: 2 } })
  assert.deepEqual(await takeSubjects(), Array(2).fill('Emails are not being sent'))

  await pool.query(`update jobs set done_at = now() where payload->>'to' like 'c@%'`)
  await watch()
  assert.deepEqual(await listAlerts(), [])

  for (const domain of ['four', 'five']) await queueMail(`a@${domain}.example`, '1 hour', '451 4.3.0 Busy')
  await watch()
  assert.equal((await listAlerts())[0]?.condition, 'mail_stuck')
})

test('an alert says that the mail server refuses the emails to three domains, until it accepts one', async (t) => {
  const { deps, watch, takeSubjects, listAlerts, queueMail, pool } = await setUp(t)
  const refuse = async (to: string, answer: string) => {
    await queueMail(to, '1 minute', answer)
    await pool.query(`update jobs set dead_at = now() where payload->>'to' = $1`, [to])
  }
  await refuse('a@one.example', '554 5.7.1 The account is suspended')
  await refuse('b@two.example', '554 5.7.1 The account is suspended')
  // Neither an address that does not exist nor an email that waited too long counts.
  await refuse('c@three.example', '550 5.1.1 User unknown')
  await suppress(deps.db, 'c@three.example', '550 5.1.1 User unknown')
  await refuse('d@four.example', 'No longer useful.')
  await watch()
  assert.deepEqual(await listAlerts(), [])
  await refuse('e@five.example', '554 5.7.1 The account is suspended')
  await watch()
  const facts = { refused: 3, answer: '554 5.7.1 The account is suspended' }
  assert.partialDeepStrictEqual(await listAlerts(), [{ condition: 'mail_stuck', facts }])
  assert.deepEqual(await takeSubjects(), Array(2).fill('Emails are not being sent'))

  await queueMail('f@six.example', '1 minute', null)
  await pool.query(`update jobs set done_at = now() where payload->>'to' = 'f@six.example'`)
  await watch()
  assert.deepEqual(await listAlerts(), [])
})

test('emails about alerts that cannot be delivered raise no alert about stuck mail', async (t) => {
  const { watch, disk, listAlerts, pool } = await setUp(t)
  disk.freeBytes = 1e9
  await watch()
  disk.freeBytes = 100e9
  await pool.query(`update jobs set created_at = now() - interval '2 hours', run_at = now() - interval '2 hours',
    attempts = 5, last_error = 'ESOCKET' where payload->>'template' = 'alert-raised'`)
  await watch()
  assert.deepEqual(await listAlerts(), [])
})

/** @param age an SQL interval. @param error null if the backup succeeded. */
const recordBackup = (pool: pg.Pool, age: string, error: string | null) =>
  pool.query(
    `insert into backup_runs (id, kind, file, taken_at, started_at, finished_at, error)
     values (gen_random_uuid(), 'scheduled', 'f', now() - $1::interval, now() - $1::interval, now() - $1::interval, $2)`,
    [age, error],
  )

test('a failed or overdue backup raises an alert', async (t) => {
  const { watch, listAlerts, pool } = await setUp(t)
  await recordBackup(pool, '30 hours', null)
  await watch()
  assert.deepEqual(await listAlerts(), [], 'a backup is overdue after two intervals of 24 hours')

  await recordBackup(pool, '1 hour', 'No space left on device.')
  await watch()
  assert.deepEqual((await listAlerts())[0]?.facts, { hours: 30, error: 'No space left on device.' })
  await pool.query('delete from backup_runs where error is not null')
  await watch()
  assert.deepEqual(await listAlerts(), [])

  await pool.query(`update backup_runs set taken_at = taken_at - interval '20 hours'`)
  await watch()
  assert.deepEqual((await listAlerts())[0]?.facts, { hours: 50, error: '' })
})

test('only nodes that back up, and had time for an overdue backup, raise and renew an alert about backups', async (t) => {
  const { watch, listAlerts, ageAlerts, pool } = await setUp(t)
  const readConditions = async () => (await listAlerts()).map(({ condition }) => condition)
  await recordBackup(pool, '50 hours', null)
  // After a start, a node first makes a backup that is overdue.
  const justStarted = { uptimeSeconds: () => 10 }
  await watch(justStarted)
  assert.deepEqual(await readConditions(), [])
  await watch()
  for (const changes of [justStarted, WITHOUT_BACKUPS]) {
    await watch(changes)
    assert.deepEqual(await readConditions(), ['backup_failed'])
  }
  await ageAlerts('2 hours')
  await watch(WITHOUT_BACKUPS)
  assert.deepEqual(await readConditions(), [])
})

test('dead jobs raise an alert, except emails and webhooks', async (t) => {
  const { watch, listAlerts, pool, db } = await setUp(t)
  for (const kind of ['score-claim', 'mail', 'announcement', 'webhook'])
    await inTransaction(db, (tx) => enqueue(tx, { kind, payload: {} }))
  await pool.query(`update jobs set dead_at = now(), last_error = 'It broke.'`)
  await watch(WITHOUT_BACKUPS)
  const [alert, ...others] = await listAlerts()
  assert.deepEqual(alert?.facts, { jobs: 1, kinds: 'score-claim', error: 'It broke.' })
  assert.deepEqual(others, [])
})
