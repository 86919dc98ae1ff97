import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../platform/database/database.ts'
import { newId } from '../platform/database/ids.ts'
import { migrate } from '../platform/database/migrate.ts'
import { emptyDatabase } from '../testing/database.ts'
import { assertClaimCountsFit } from '../testing/checks/ledger-invariants.ts'
import { schemaBefore } from '../testing/older-schema.ts'

test('counts existing claims, and further ones as they come', async (t) => {
  const pool = (await emptyDatabase(t))()
  await schemaBefore(pool, 'claim_counts')
  await pool.query(`insert into campaigns (id, slots_total, slots_taken) values ('moon', 9, 6)`)
  const claim = async (number: number) => {
    const id = newId()
    await pool.query(
      `insert into users (id, username, email, email_key, canonical_email, password_hash, referral_code)
       values ($1, $2, $2, $2, $2, 'none', $2)`,
      [id, `person${number}`],
    )
    await pool.query(
      `insert into slots (campaign_id, number, user_id, state) values ('moon', $2, $1, 'claimed')`,
      [id, number],
    )
    await pool.query(
      `insert into claims (id, campaign_id, user_id, slot, wallet, telegram, twitter, post_id, retweet_link, risk)
       values ($1, 'moon', $1, $2::int, $2, $2, $2, $2, 'https://x.com/' || $2, $2::int % 3)`,
      [id, number],
    )
  }
  for (const number of [1, 2, 3, 4, 5]) await claim(number)
  await pool.query(`update claims set status = 'approved', decided_at = now() where slot > 3`)

  await migrate(pool, () => {})
  const db = openDatabase(pool)
  await assertClaimCountsFit(db)
  await claim(6)
  await pool.query(`update claims set risk = 40 where slot in (2, 3)`)
  await pool.query(`update claims set status = 'under_review', decided_at = null where slot = 4`)
  await pool.query(`delete from claims where slot = 5`)
  await assertClaimCountsFit(db)
  const { rows } = await pool.query(
    `select sum(claims) as claims from claim_counts where is_first and not is_decided`,
  )
  assert.deepEqual(rows, [{ claims: 5 }])
})
