import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import type { TokenCheck } from '#contract/token-proofs/proof.ts'
import { runTokenCheck } from '../domain/token-proofs/run-token-check.ts'
import { createPublicAnswers } from '../platform/http/public-answers/public-answers.ts'
import { inTransaction, type PoolOptions } from '../platform/database/database.ts'
import { enqueue, runDue } from '../platform/jobs/jobs.ts'
import { createProbe } from '../platform/database/probe.ts'
import { bareApp } from '../testing/bare-app.ts'
import { claimant } from '../testing/builders/claimants.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { reviewerOn } from '../testing/builders/reviewer.ts'
import { LONG_TIMEOUT, testDatabase } from '../testing/database/database.ts'
import { testDeps } from '../testing/deps.ts'
import { checkAt, OWNED, REAL_TOKEN } from '../testing/builders/token-checks.ts'
import { addHealth } from './routes.ts'

const TOKEN = 'a token of the operator'

async function createNode(
  t: TestContext,
  { metricsToken, ...size }: { metricsToken?: string } & PoolOptions = {},
) {
  const app = bareApp(t)
  const { db, pool, url } = await testDatabase(t, size)
  const deps = await testDeps(db)
  const { security, publicReads, campaign } = deps
  const state = { isDraining: false }
  const probe = createProbe(url, LONG_TIMEOUT)
  t.after(() => probe.close())
  const publicAnswers = createPublicAnswers({ keepForMs: 0 })
  const isDraining = () => state.isDraining
  const campaignId = () => campaign.id
  addHealth(app, { pool, publicReads, probe, security, publicAnswers, campaignId, isDraining, metricsToken })
  app.get('/things/:id', () => ({}))
  const metrics = (options: InjectOptions = {}) =>
    app.inject({ url: '/metrics', remoteAddress: '127.0.0.1', ...options })
  return { app, db, deps, pool, probe, security, state, metrics }
}

test('is live without the database, ready only with it', async (t) => {
  const { app, probe } = await createNode(t)
  assert.equal((await app.inject('/healthz')).statusCode, 200)
  assert.equal((await app.inject('/readyz')).statusCode, 200)
  const answers = t.mock.method(probe, 'answers', async () => false)
  assert.equal((await app.inject('/healthz')).statusCode, 200)
  const lost = await app.inject('/readyz')
  assert.equal(lost.statusCode, 503)
  assert.equal(lost.headers['retry-after'], '1')
  assert.equal(lost.json<{ code: string }>().code, 'unavailable')
  answers.mock.restore()
  assert.equal((await app.inject('/readyz')).statusCode, 200)
})

test('is ready while every pool connection is in use', async (t) => {
  const { app, pool } = await createNode(t, { max: 2 })
  const held = [await pool.connect(), await pool.connect()]
  assert.equal((await app.inject('/readyz')).statusCode, 200)
  for (const client of held) client.release()
})

test('is not ready but live while draining', async (t) => {
  const { app, state } = await createNode(t)
  state.isDraining = true
  assert.equal((await app.inject('/readyz')).statusCode, 503)
  assert.equal((await app.inject('/healthz')).statusCode, 200)
})

test('measures durations by route pattern', async (t) => {
  const { app, metrics } = await createNode(t)
  for (const url of ['/things/42', '/things/43', '/nothing/here']) await app.inject(url)
  const { body, headers } = await metrics()
  assert.match(String(headers['content-type']), /^text\/plain/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(
    body,
    /^http_request_duration_seconds_count\{method="GET",route="\/things\/:id",status="200"\} 2$/m,
  )
  assert.doesNotMatch(body, /nothing|things\/42/)
})

test('measures jobs, connections, reads and the process', async (t) => {
  const { db, metrics } = await createNode(t)
  await inTransaction(db, (tx) => enqueue(tx, { kind: 'mail', payload: {} }))
  const dead = await inTransaction(db, (tx) => enqueue(tx, { kind: 'mail', payload: {} }))
  await db.updateTable('jobs').set({ dead_at: new Date() }).where('id', '=', dead).execute()
  const { body } = await metrics()
  assert.match(body, /^jobs\{kind="mail",state="waiting"\} 1$/m)
  assert.match(body, /^jobs\{kind="mail",state="dead"\} 1$/m)
  assert.match(body, /^database_connections\{state="open"\} [1-9]/m)
  assert.match(body, /^public_reads_total\{server="replica"\} 0$/m)
  assert.match(body, /^process_cpu_seconds_total /m)
})

test('measures the campaign: participants, claims, slots, the leaderboard and emails', async (t) => {
  const { db, deps, metrics } = await createNode(t)
  const { claimId } = await claimant(deps)
  await claimant(deps)
  // An administrator does not count as a participant.
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  await reviewerOn(deps, adm).approve(claimId)
  const mails = await runDue(db, 'mail', async () => ({ done: true }))
  assert.ok(mails > 0)
  const { body } = await metrics()
  const slots = deps.campaign.airdrop.slots
  for (const line of [
    'participants{state="verified"} 2',
    'claims{state="approved"} 1',
    'claims{state="submitted"} 1',
    `slots{state="total"} ${slots}`,
    'slots{state="taken"} 2',
    'leaderboard{state="listed"} 2',
    `mail_attempts{state="accepted"} ${mails}`,
  ])
    assert.ok(
      body.split('\n').includes(line),
      `${line} is missing from ${body.match(/^(participants|claims|slots|mail|leader).*$/gm)?.join(', ')}`,
    )
})

test('measures the waiting list, and alerts with zeros for the conditions that do not hold', async (t) => {
  const { db, deps, metrics } = await createNode(t)
  const { id } = deps.campaign
  await sql`
    insert into daily_counts values
      (${id}, 'waiting_list', '2026-01-02', 'joined', 4), (${id}, 'waiting_list', '2026-01-03', 'left', 1),
      ('another', 'waiting_list', '2026-01-02', 'joined', 7)`.execute(db)
  await sql`
    insert into alerts (condition, place, facts, cleared_at)
    values ('disk_low', '/one', '{}', null), ('disk_low', '/two', '{}', null),
      ('disk_low', '/three', '{}', now()), ('jobs_dead', '', '{}', now())`.execute(db)
  const { body } = await metrics()
  assert.match(body, /^waiting_list\{state="waiting"\} 3$/m)
  const alerts = body.match(/^alerts\{.*$/gm)?.toSorted()
  assert.deepEqual(alerts, [
    'alerts{condition="backup_failed"} 0',
    'alerts{condition="disk_low"} 2',
    'alerts{condition="jobs_dead"} 0',
    'alerts{condition="mail_stuck"} 0',
  ])
})

test('measures the age of proofs about the campaign’s token, not about a former one', async (t) => {
  const { db, metrics } = await createNode(t)
  const recordCheck = async (campaign: typeof REAL_TOKEN, check: TokenCheck) =>
    runTokenCheck(await testDeps(db, campaign), async () => check)
  const former = { ...REAL_TOKEN, token: { ...REAL_TOKEN.token, contract: `0x${'5'.repeat(40)}` } }
  await recordCheck(former, checkAt(1))
  await sql`update token_checks set asked_at = asked_at - interval '1 minute'`.execute(db)
  await recordCheck(REAL_TOKEN, checkAt(1, { ownership: OWNED }))
  const { body } = await metrics()
  assert.match(body, /^token_proof_age_seconds\{claim="ownership",verdict="not_so"\} [0-9.e-]+$/m)
  assert.equal(body.match(/^token_proof_age_seconds\{/gm)?.length, 5, 'one of each token claim')
})

test('counts security events, including those at zero', async (t) => {
  const { security, metrics } = await createNode(t)
  for (let times = 0; times < 2; times += 1)
    security.record({ event: 'login', outcome: 'failed', email: 'al@mail.example' })
  const { body } = await metrics()
  assert.match(body, /^security_events_total\{event="login",outcome="failed"\} 2$/m)
  assert.match(body, /^security_events_total\{event="code",outcome="exhausted"\} 0$/m)
  const { body: again } = await metrics()
  assert.match(again, /^security_events_total\{event="login",outcome="failed"\} 2$/m, 'counted once')
})

test('serves metrics without the database, and measures no streams', async (t) => {
  const { app, pool, metrics } = await createNode(t)
  app.get('/stream', (_request, reply) => reply.type('text/event-stream').send(''))
  await app.inject('/stream')
  t.mock.method(pool, 'query', () => Promise.reject(new Error('Connection terminated')))
  const { statusCode, body } = await metrics()
  assert.equal(statusCode, 200)
  assert.match(body, /^process_cpu_seconds_total /m)
  assert.doesNotMatch(body, /^(jobs|alerts)\{|\/stream/m)
})

test('without a token, only direct loopback clients can read the metrics', async (t) => {
  const { metrics } = await createNode(t)
  for (const remoteAddress of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
    assert.equal((await metrics({ remoteAddress })).statusCode, 200, remoteAddress)
  const assertHidden = async (options: InjectOptions) => {
    const reply = await metrics(options)
    assert.equal(reply.statusCode, 404, JSON.stringify(options))
    assert.equal(reply.json<{ code: string }>().code, 'not_found')
  }
  for (const remoteAddress of ['10.0.0.7', '203.0.113.9', '::ffff:10.0.0.7', '2001:db8::1'])
    await assertHidden({ remoteAddress })
  const headers = [
    'x-forwarded-for',
    'forwarded',
    'x-real-ip',
    'x-forwarded-host',
    'x-forwarded-proto',
    'via',
    'x-client-ip',
    'true-client-ip',
    'cf-connecting-ip',
  ]
  for (const name of headers) await assertHidden({ headers: { [name]: '127.0.0.1' } })
})

test('with a token, only its bearer can read the metrics, from anywhere', async (t) => {
  const { metrics } = await createNode(t, { metricsToken: TOKEN })
  const withHeader = (authorization: string) =>
    metrics({ remoteAddress: '203.0.113.9', headers: { authorization } })
  assert.equal((await withHeader(`Bearer ${TOKEN}`)).statusCode, 200)
  for (const header of ['', 'Bearer ', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN])
    assert.equal((await withHeader(header)).statusCode, 404, header)
  assert.equal((await metrics()).statusCode, 404)
})
