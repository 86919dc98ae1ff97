import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../platform/database/database.ts'
import { newId } from '../platform/database/ids.ts'
import { migrate } from '../platform/database/migrate.ts'
import { emptyDatabase } from '../testing/database.ts'
import { assertCountsFit, wholeBoard } from '../testing/checks/ledger-invariants.ts'
import { schemaBefore } from '../testing/older-schema.ts'

test('counts the existing leaderboard, whose standings then change as usual', async (t) => {
  const pool = (await emptyDatabase(t))()
  await schemaBefore(pool, 'board_counts')
  await pool.query(`insert into campaigns (id, slots_total) values ('moon', 5), ('older', 5)`)
  for (let number = 1; number <= 200; number += 1)
    await pool.query(
      `insert into users (id, username, email, email_key, canonical_email, password_hash, referral_code)
       values ($1, $2, $2, $2, $2, 'none', $2)`,
      [newId(), `person${number}`],
    )
  await pool.query(
    `insert into standings (campaign_id, user_id, pf, reached, listed)
     select c.id, u.id, length(u.username) % 2 * 10, 5000 * row_number() over (order by u.id), u.username <> 'person7'
     from users u, campaigns c`,
  )

  await migrate(pool, () => {})
  const db = openDatabase(pool)
  assert.equal((await wholeBoard(db, 'moon')).length, 199)
  await pool.query(
    `update standings set pls = 3, listed = username <> 'person8' from users where id = user_id`,
  )
  await pool.query(`delete from standings using users where id = user_id and username = 'person9'`)
  assert.equal((await wholeBoard(db, 'moon')).length, 198)
  for (const campaign of ['moon', 'older']) await assertCountsFit(db, campaign)
})
