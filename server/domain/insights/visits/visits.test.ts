import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { VISITS_PATH, type View } from '#contract/visits.ts'
import type { Database } from '#server/platform/database/database.ts'
import { bareApp } from '#server/testing/bare-app.ts'
import { testDatabase } from '#server/testing/database/database.ts'
import { compactDailyCounts } from '../counts.ts'
import { createVisitCounter, hostOf, HOSTS_PER_DAY } from './counter.ts'
import { addVisits } from './routes.ts'

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Keeps the counted views in `counted`. The clock stands still. */
function setUpRoute(t: TestContext, limits: { viewsPerMinute?: number } = {}) {
  const app = bareApp(t, { trustProxy: ['loopback'] })
  const counted: View[] = []
  const clock = { now: 0 }
  t.mock.method(performance, 'now', () => clock.now)
  addVisits(app, { count: (view: View) => counted.push(view) }, limits)
  /** @returns how many views have been counted. */
  const send = async (payload: unknown, headers: Record<string, string> = {}) => {
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: VISITS_PATH,
      headers: { 'user-agent': PERSON, 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(payload),
    })
    assert.deepEqual([statusCode, body], [204, ''])
    return counted.length
  }
  return { send, counted, clock }
}

/** Today's counts, each as “measure part amount”. */
const readSums = async (db: Database) => {
  const { rows } = await sql<{ measure: string; part: string; amount: number }>`
    select measure, part, sum(amount)::int8 as amount from daily_counts
    where campaign_id = '' and day = utc_day(now()) group by 1, 2 order by 1, 2`.execute(db)
  return rows.map(({ measure, part, amount }) => `${measure} ${part} ${amount}`)
}

test('counts the views of visitors who have not opted out, and replies the same to everyone', async (t) => {
  const { send, counted } = setUpRoute(t)
  await send({ page: '/', arrival: 'x.com' })
  assert.deepEqual(counted, [{ page: '/', arrival: 'x.com' }])
  const programs = [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Twitterbot/1.0',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
    'curl/8.1',
    'python-requests/2.31',
    '',
  ].map((agent) => ({ 'user-agent': agent }))
  const ignored = [{ dnt: '1' }, { 'sec-gpc': '1' }, { 'sec-purpose': 'prefetch;prerender' }, ...programs]
  for (const headers of ignored) assert.equal(await send({ page: '/' }, headers), 1, JSON.stringify(headers))
  for (const body of [null, [], 'text', 7, {}, { page: 3 }])
    assert.equal(await send(body), 1, JSON.stringify(body))
  assert.equal(await send({ page: '/about', arrival: { length: 1 } }), 2)
  assert.deepEqual(counted[1], { page: '/about' })
})

test('limits the counted views of a network per minute', async (t) => {
  const { send, clock } = setUpRoute(t, { viewsPerMinute: 3 })
  const sendFrom = (ip: string) => send({ page: '/' }, { 'x-forwarded-for': ip })
  for (const count of [1, 2, 3, 3]) assert.equal(await sendFrom('203.0.113.5'), count)
  assert.equal(await sendFrom('203.0.113.6'), 4, 'another network has its own limit')
  clock.now = 60_000
  assert.equal(await sendFrom('203.0.113.5'), 5, 'the next minute begins')
})

test('setting the clock back does not prolong a network’s limit', async (t) => {
  const { send, clock } = setUpRoute(t, { viewsPerMinute: 1 })
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 2) })
  assert.equal(await send({ page: '/' }), 1)
  assert.equal(await send({ page: '/' }), 1)
  t.mock.timers.setTime(Date.UTC(2026, 0, 1))
  clock.now = 60_000
  assert.equal(await send({ page: '/' }), 2)
})

test('normalizes host names and drops texts that are not host names or too long', () => {
  for (const [text, host] of [
    ['www.Example.org', 'example.org'],
    ['t.co', 'x.com'],
    ['mobile.twitter.com', 'x.com'],
    ['m.com', 'm.com'],
    ['localhost', undefined],
    ['constructor', undefined],
    ['<b>.example', undefined],
    [`${'a'.repeat(60)}.example`, undefined],
  ] as const)
    assert.equal(hostOf(text), host, text)
})

test('the counts of two nodes add up even if both flush during a compaction', async (t) => {
  const { db } = await testDatabase(t)
  const nodes = [createVisitCounter(), createVisitCounter()]
  for (const round of [1, 2, 3]) {
    for (const node of nodes) {
      node.count({ page: '/', arrival: 'x.com' })
      node.count({ page: '/about' })
      node.count({ page: '/about' })
      node.count({ page: 'tasks-done' })
    }
    await Promise.all([...nodes.map((node) => node.flush(db)), compactDailyCounts(db)])
    assert.deepEqual(await readSums(db), [
      `tasks  ${2 * round}`,
      `views / ${2 * round}`,
      `views /about ${4 * round}`,
      `visits x.com ${2 * round}`,
    ])
  }
  await compactDailyCounts(db)
  const { rows } = await sql`select from daily_counts`.execute(db)
  assert.equal(rows.length, 4, 'one row for each count')
  for (const node of nodes) await node.flush(db)
  assert.equal((await readSums(db))[0], 'tasks  6', 'nothing is flushed twice')
})

test('counts the least frequent hosts beyond a day’s limit as other', async (t) => {
  const { db } = await testDatabase(t)
  const counter = createVisitCounter()
  for (let number = 0; number < HOSTS_PER_DAY + 5; number += 1)
    counter.count({ page: '/', arrival: `site${number}.example` })
  for (const arrival of ['last.example', 'last.example', 'not a host']) counter.count({ page: '/', arrival })
  await counter.flush(db)
  const afterFirst = await readSums(db)
  // last.example has two visits and so one of the places. Six sites share `other`.
  assert.equal(afterFirst.filter((sum) => sum.startsWith('visits site')).length, HOSTS_PER_DAY - 1)
  for (const sum of ['visits last.example 2', 'visits other 6', 'visits direct 1'])
    assert.ok(afterFirst.includes(sum), sum)

  for (const arrival of ['newer.example', 'last.example']) counter.count({ page: '/', arrival })
  await counter.flush(db)
  const afterSecond = await readSums(db)
  for (const sum of ['visits last.example 3', 'visits other 7']) assert.ok(afterSecond.includes(sum), sum)
})

test('views that could not be saved are saved by the next flush; those of unknown pages are not counted', async (t) => {
  const { db, pool } = await testDatabase(t)
  const counter = createVisitCounter()
  counter.count({ page: '/', arrival: 'direct' })
  for (const page of ['/wp-login.php', '/dashboard']) counter.count({ page })
  const connect = t.mock.method(pool, 'connect', () => Promise.reject(new Error('Connection refused')))
  await assert.rejects(counter.flush(db), /refused/)
  connect.mock.restore()
  counter.count({ page: '/' })
  await counter.flush(db)
  assert.deepEqual(await readSums(db), ['views / 2', 'visits direct 1'])
})
