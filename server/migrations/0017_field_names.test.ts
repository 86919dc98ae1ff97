import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../platform/database/ids.ts'
import { migrate } from '../platform/database/migrate.ts'
import { emptyDatabase } from '../testing/database.ts'
import { schemaBefore } from '../testing/older-schema.ts'

test('renamed columns keep their data, waiting jobs get their new kind, and the leaderboard keeps its counts', async (t) => {
  const pool = (await emptyDatabase(t))()
  await schemaBefore(pool, 'field_names')
  const id = newId()
  await pool.query(
    `insert into users (id, username, email, email_key, email_twin, password_hash, referral_code)
     values ($1, 'ann', 'a.n.n@gmail.com', 'a.n.n@gmail.com', 'ann@gmail.com', 'none', 'ANN')`,
    [id],
  )
  await pool.query(`insert into campaigns (id, slots_total) values ('moon', 5)`)
  await pool.query(`insert into standings (campaign_id, user_id) values ('moon', $1)`, [id])
  await pool.query(`insert into jobs (id, kind, payload) values ($1, 'weigh-claim', '{}')`, [newId()])
  await pool.query(
    `insert into registrations (id, username, email, email_key, password_hash, expires_at, asked_by)
     values ($1, 'ben', 'ben@mail.example', 'ben@mail.example', 'none', now() + interval '1 day', 'browser-1')`,
    [newId()],
  )

  await migrate(pool, () => {})
  await pool.query(`update standings set reached = nextval('standings_reached')`)
  const { rows } = await pool.query(
    `select canonical_email, browser, jobs.kind as job,
       (select json_agg(c) from (select bucket, upto from standings_counts where level = 1) c) as counts
     from users, registrations, jobs`,
  )
  const [row] = rows as { counts: unknown }[]
  assert.deepEqual(row, {
    canonical_email: 'ann@gmail.com',
    browser: 'browser-1',
    job: 'score-claim',
    counts: [{ bucket: 0, upto: [1] }],
  })
})
