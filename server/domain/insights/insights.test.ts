import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { INSIGHT_TABLES, insights, insightsFile, type Insights } from '#contract/dashboard/insights.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { enqueue, type Job, type Outcome, runDue } from '#server/platform/jobs/jobs.ts'
import { accountApi } from '#server/testing/account-api.ts'
import { claimant, markRejected } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { testApi } from '#server/testing/api.ts'
import { createAdministrator } from '../accounts/create-administrator.ts'
import { appeal } from '../claims/appeal.ts'
import { NOT_WANTED, STOPPED } from '../announcements/deliver-announcement.ts'
import { SUPPRESSED } from '../mail/deliver.ts'
import { ANNOUNCEMENT_JOB, MAIL_JOB } from '../mail/send-later.ts'
import { compactDailyCounts } from './counts.ts'
import { addDays, dayOf } from './range.ts'

/** Includes today, even when a test runs across midnight. */
const AROUND_NOW = { from: addDays(dayOf(new Date()), -3), to: addDays(dayOf(new Date()), 3) }

const sumsOf = <Column extends string>(rows: readonly Record<Column, unknown>[], ...columns: Column[]) =>
  Object.fromEntries(
    columns.map((column) => [column, rows.reduce((sum, row) => sum + Number(row[column]), 0)]),
  )

async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { db, deps } = api
  const [adm, boss] = await createUsers(db, deps.campaign.id, 2, { role: 'admin' })
  const read = async (query: Record<string, string> = AROUND_NOW): Promise<Insights> => {
    const { status, body } = await api.call(insights, { token: adm.token, query })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data as Insights
  }
  return { ...api, adm, boss, read, reviewer: reviewerOn(deps, adm), otherReviewer: reviewerOn(deps, boss) }
}

test('a campaign without activity has a row for every period, with zero counts and no decision times', async (t) => {
  const { read, deps } = await setUp(t)
  const data = await read({ from: '2026-03-01', to: '2026-03-07' })
  assert.equal(data.funnel.length, 7)
  const { day, ...counts } = data.funnel.at(-1) ?? assert.fail()
  assert.equal(day, '2026-03-07')
  const none = { views: 0, visits: 0, registered: 0, verified: 0, tasks: 0, submitted: 0, approved: 0 }
  assert.deepEqual(counts, none)
  for (const table of ['arrivals', 'inviters', 'reviewers', 'mailReasons'] as const)
    assert.deepEqual(data[table], [], table)
  assert.deepEqual(new Set(data.waiting.map(({ claims }) => claims)), new Set([0]))
  const noDecisions = { decisions: 0, p50: null, p90: null }
  const weeks = ['2026-02-23', '2026-03-02'].map((monday) => ({ day: monday, ...noDecisions }))
  assert.deepEqual(data.decisionTimes, weeks)

  const account = { email: 'new@mail.example', username: 'new-one', password: 'a lighthouse keeper’s lamp' }
  assert.deepEqual(await createAdministrator(deps, account), { isNew: true })
  const sums = sumsOf((await read()).funnel, 'registered', 'verified')
  assert.deepEqual(sums, { registered: 0, verified: 0 }, 'an operator’s account is no registration')
})

test('registrations and verified emails are counted by arrival (how the visit began)', async (t) => {
  const api = await accountApi(t)
  const [adm] = await createUsers(api.db, api.deps.campaign.id, 1, { role: 'admin' })
  await api.register({ username: 'fromx', email: 'fromx@mail.example', arrivedFrom: 't.co' })
  await api.verify(await api.codeFor('fromx@mail.example'), 'fromx@mail.example')
  await api.register({ username: 'odd', email: 'odd@mail.example', arrivedFrom: '<script>' })
  const { referralCode } = (await api.participant()).user
  const invited = { username: 'invited', email: 'invited@mail.example' }
  await api.register({ ...invited, referralCode, arrivedFrom: 't.co' })
  const { body } = await api.call(insights, { token: adm.token, query: AROUND_NOW })
  const { arrivals, funnel } = body.data as Insights
  const rows = arrivals.map(({ arrival, registered, verified }) => `${arrival} ${registered} ${verified}`)
  assert.deepEqual(rows.toSorted(), ['direct 2 1', 'invitation 1 0', 'x.com 1 1'])
  assert.deepEqual(sumsOf(funnel, 'registered', 'verified'), { registered: 4, verified: 2 })
})

test('claims, decisions, undos and an appeal are counted', async (t) => {
  const { deps, db, read, adm, boss, reviewer, otherReviewer } = await setUp(t)
  const [inviter, undone, appealing] = [await claimant(deps), await claimant(deps), await claimant(deps)]
  await claimant(deps)
  const invited = await claimant(deps, { referredBy: inviter.id })
  for (const { claimId } of [inviter, undone, invited]) await reviewer.approve(claimId)
  await reviewer.reject(appealing.claimId)
  await otherReviewer.undo(undone.claimId)
  await appeal(deps, { userId: appealing.id, claimId: appealing.claimId, text: 'A mistake.' })
  await otherReviewer.undo(appealing.claimId)
  await otherReviewer.approve(appealing.claimId)
  const figures = await read()

  await t.test('claims by step, arrival and inviter, with the slots they use', () => {
    assert.deepEqual(sumsOf(figures.funnel, 'submitted', 'approved'), { submitted: 5, approved: 3 })
    const submitters = figures.arrivals.map(({ visits: _visits, registered: _registered, ...row }) => row)
    assert.deepEqual(submitters, [
      { arrival: 'direct', verified: 4, submitted: 4, approved: 2 },
      { arrival: 'invitation', verified: 1, submitted: 1, approved: 1 },
    ])
    const invitations = figures.inviters.map(({ username: _username, ...counts }) => counts)
    assert.deepEqual(invitations, [{ verified: 1, submitted: 1, approved: 1 }])
    assert.deepEqual(figures.waiting[0], { age: '1h', claims: 2 })
    assert.deepEqual(sumsOf(figures.slots, 'taken'), { taken: 5 })
    assert.equal(figures.slots.at(-1)?.held, 5)
    assert.equal(figures.claimsTotal, 5)
  })

  await t.test('decisions, undos and appeals by reviewer, risk and week', () => {
    // `undone` counts a reviewer's own decisions, whoever undid them.
    assert.deepEqual(figures.reviewers, [
      { reviewer: adm.username, approved: 3, rejected: 1, undone: 2 },
      { reviewer: boss.username, approved: 1, rejected: 0, undone: 0 },
    ])
    assert.deepEqual(figures.appeals, [
      { decision: 'approved', appeals: 1 },
      { decision: 'rejected', appeals: 0 },
    ])
    assert.deepEqual(figures.agreement[0], { risk: 'none', approved: 4, rejected: 1 })
    assert.deepEqual(sumsOf(figures.decisionTimes, 'decisions'), { decisions: 5 })
  })

  await t.test('claims by status, as many as there are', async () => {
    const { rows } = await sql<{ status: string; claims: number; counted: number }>`
      select status, count(*) as claims, (select sum(amount)::int8 from daily_counts
        where campaign_id = ${deps.campaign.id} and measure = 'claims' and part = status) as counted
      from claims group by status order by status`.execute(db)
    const statuses = rows.map(({ status }) => status)
    assert.deepEqual(statuses, ['approved', 'submitted', 'under_review'])
    for (const { status, claims, counted } of rows) assert.equal(counted, claims, status)
  })

  await t.test('the same figures after a compaction of daily counts', async () => {
    await compactDailyCounts(db)
    assert.deepEqual(await read(), figures)
  })
})

test('a revoked approval is no longer counted on its day', async (t) => {
  const { db, deps, pool, read, reviewer } = await setUp(t)
  const { claimId } = await claimant(deps)
  await reviewer.approve(claimId)
  await pool.query(`update claims set decided_at = '2026-03-03T10:00:00Z'`)
  await pool.query(`update daily_counts set day = '2026-03-03' where measure = 'approved'`)
  await markRejected(db, claimId)
  for (const range of [AROUND_NOW, { from: '2026-03-01', to: '2026-03-05' }])
    assert.deepEqual(sumsOf((await read(range)).funnel, 'approved'), { approved: 0 }, range.from)
})

test('each week has quantiles of the time from submission to decision', async (t) => {
  const { deps, db, pool, read, reviewer } = await setUp(t)
  for (const hours of [1, 2, 3, 100]) {
    const { claimId } = await claimant(deps)
    const submittedAt = sql<Date>`now() - make_interval(hours => ${hours})`
    await db.updateTable('claims').set({ submitted_at: submittedAt }).where('id', '=', claimId).execute()
    await reviewer.approve(claimId)
  }
  // Moves today's decisions into a known week.
  await pool.query(`update daily_counts set day = '2026-03-04' where measure = 'decided_after'`)
  const [week] = (await read({ from: '2026-03-02', to: '2026-03-08' })).decisionTimes
  const { decisions, p50, p90 } = week ?? assert.fail()
  assert.equal(decisions, 4)
  // A histogram keeps the waits, so quantiles are not exact.
  assert.ok(p50 !== null && p50 >= 1.8 && p50 <= 2.6, String(p50))
  assert.ok(p90 !== null && p90 >= 85 && p90 <= 115, String(p90))
})

test('attempts to send emails are counted by outcome, and failures also by template and reason', async (t) => {
  const { db, read } = await setUp(t)
  const outcomes: Record<string, Outcome> = {
    good: { done: true },
    busy: { retry: '451 4.7.1 Greylisted, come back at https://spam.example' },
    lost: { retry: 'connect ECONNREFUSED' },
    gone: { dead: '550 5.1.1 No such user' },
    known: { dead: SUPPRESSED },
    // Its announcement was stopped, so it was not attempted.
    uncounted: { retry: STOPPED, afterSeconds: 300 },
    left: { dead: NOT_WANTED },
    news: { done: true },
  }
  const queue = (kind: string, ...templates: string[]) =>
    inTransaction(db, async (tx) => {
      for (const template of templates) await enqueue(tx, { kind, payload: { template } })
    })
  const send = async ({ payload }: Job) =>
    outcomes[(payload as { template: string }).template] ?? assert.fail()
  await queue(MAIL_JOB, 'good', 'busy', 'lost', 'gone', 'known')
  await queue(ANNOUNCEMENT_JOB, 'news', 'uncounted', 'left')
  await runDue(db, ANNOUNCEMENT_JOB, send)
  await runDue(db, MAIL_JOB, send)
  const expireBusy = sql`
    update jobs set useful_until = now() - interval '1 second' where payload->>'template' = 'busy'`
  await expireBusy.execute(db)
  await runDue(db, MAIL_JOB, async () => assert.fail('no email is due'))
  const otherKind = 'other'
  await queue(otherKind, 'good')
  await runDue(db, otherKind, send)

  const { mail, mailReasons } = await read()
  const attempts = { accepted: 2, deferred: 2, failed: 4 }
  assert.deepEqual(sumsOf(mail, 'accepted', 'deferred', 'failed'), attempts)
  const reasons = mailReasons.map((row) => [row.template, row.outcome, row.reason, row.attempts].join(' '))
  assert.deepEqual(reasons, [
    'busy deferred 451 1',
    'busy failed late 1',
    'gone failed 550 1',
    'known failed suppressed 1',
    'left failed unwanted 1',
    'lost deferred unreachable 1',
  ])
})

test('slots in use and people waiting include changes from before the range', async (t) => {
  const { db, deps, read } = await setUp(t)
  const { id } = deps.campaign
  await sql`
    insert into daily_counts values
      (${id}, 'slots', '2026-01-01', 'taken', 10), (${id}, 'slots', '2026-01-02', 'freed', 3),
      (${id}, 'waiting_list', '2026-01-02', 'joined', 4), (${id}, 'slots', '2026-03-04', 'taken', 2),
      (${id}, 'waiting_list', '2026-03-05', 'left', 1)`.execute(db)
  const { slots } = await read({ from: '2026-03-03', to: '2026-03-05' })
  assert.deepEqual(slots, [
    { day: '2026-03-03', taken: 0, freed: 0, held: 7, waiting: 4 },
    { day: '2026-03-04', taken: 2, freed: 0, held: 9, waiting: 4 },
    { day: '2026-03-05', taken: 0, freed: 0, held: 9, waiting: 3 },
  ])
})

test('clusters of at least two linked accounts are counted by size, with the claims of the accounts', async (t) => {
  const { db, deps, read } = await setUp(t)
  const withClaim = [await claimant(deps), await claimant(deps), await claimant(deps)]
  const withoutClaim = await createUsers(db, deps.campaign.id, 6)
  const createCluster = async (people: readonly { id: string }[]) => {
    const ids = people.map(({ id }) => id)
    await sql`
      insert into clusters select ${deps.campaign.id}, unnest(${ids}::uuid[]), ${ids[0]}::uuid`.execute(db)
  }
  await createCluster(withClaim.slice(0, 2))
  await createCluster([...withoutClaim.slice(0, 5), ...withClaim.slice(2)])
  await createCluster(withoutClaim.slice(5))
  const { clusters, claimsTotal } = await read()
  const present = clusters.filter((row) => row.clusters > 0)
  assert.deepEqual(present, [
    { size: '2', clusters: 1, participants: 2, claims: 2 },
    { size: '6-10', clusters: 1, participants: 6, claims: 1 },
  ])
  assert.equal(claimsTotal, 3)
})

test('exports each known table as CSV with the contract’s columns and without formulas in cells', async (t) => {
  const { adm, deps, db, call } = await setUp(t)
  const [inviter] = await createUsers(db, deps.campaign.id, 1, { username: () => '-formula' })
  await claimant(deps, { referredBy: inviter.id })
  for (const table of Object.keys(INSIGHT_TABLES) as (keyof typeof INSIGHT_TABLES)[]) {
    const request = { token: adm.token, params: { table }, query: AROUND_NOW }
    const { status, headers, text } = await call(insightsFile, request)
    assert.equal(status, 200, table)
    assert.match(String(headers['content-type']), /^text\/csv/)
    assert.equal(text.split('\r\n')[0], Object.keys(INSIGHT_TABLES[table].shape).join(','))
    if (table === 'inviters') assert.equal(text.split('\r\n')[1], "'-formula,1,1,0")
  }
  const unknownTable = { token: adm.token, params: { table: 'users' } }
  assert.equal((await call(insightsFile, unknownTable)).status, 404)
})
