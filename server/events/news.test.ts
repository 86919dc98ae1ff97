import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { openPool } from '../platform/database.ts'
import { testDatabase } from '../testing/database.ts'
import { announce } from './announce.ts'
import { createNews } from './news.ts'

test('reports the loss of its connection once, comes back, and says that something may have been missed', async (t) => {
  const { db, pool, url } = await testDatabase(t)
  const ours = openPool(url, () => {})
  const warnings: string[] = []
  const warn = (_cause: unknown, line: string) => warnings.push(line)
  const news = createNews(ours, Object.assign(pino({ level: 'silent' }), { warn }), { retryAfter: 10 })
  const heard: (string | undefined)[] = []
  let onNews = () => {}
  const nextNews = () => new Promise<void>((resolve) => (onNews = resolve))
  const connected = nextNews()
  const unfollow = news.follow((topic) => {
    heard.push(topic)
    onNews()
  })
  await connected
  const back = nextNews()
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await back
  const told = nextNews()
  await announce(db, 'slots')
  await told
  assert.deepEqual(heard, [undefined, undefined, 'slots'])
  assert.equal(warnings.length, 1)
  unfollow()
  await ours.end()
})

test('holds a connection only while somebody follows', async (t) => {
  const { url } = await testDatabase(t)
  const ours = openPool(url, () => {})
  const news = createNews(ours, pino({ level: 'silent' }))
  const connected = Promise.withResolvers<void>()
  const unfollow = news.follow(() => connected.resolve())
  const unfollowToo = news.follow(() => {})
  await connected.promise
  assert.equal(ours.totalCount, 1)
  unfollow()
  unfollowToo()
  // Ends only when the connection was given back.
  await ours.end()
})
