import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../platform/database/ids.ts'
import { migrate } from '../platform/database/migrate.ts'
import { emptyDatabase } from '../testing/database.ts'
import { schemaBefore } from '../testing/older-schema.ts'

test('counts what is already stored on the days it happened, and further changes as they come', async (t) => {
  const pool = (await emptyDatabase(t))()
  await schemaBefore(pool, 'insights')
  await pool.query(`insert into campaigns (id, slots_total, slots_taken) values ('moon', 9, 3)`)
  const ids = [newId(), newId(), newId()]
  const claim = async (number: number, columns: string, values: string) => {
    const id = ids[number] ?? assert.fail()
    await pool.query(
      `insert into users (id, username, email, email_key, canonical_email, password_hash, referral_code, referred_by,
        created_at) values ($1, $2, $2, $2, $2, 'none', $2, $3, '2026-03-01')`,
      [id, `person${number}`, number === 1 ? ids[0] : null],
    )
    await pool.query(
      `insert into slots (campaign_id, number, user_id, state) values ('moon', $2::int + 1, $1, 'claimed')`,
      [id, number],
    )
    await pool.query(
      `insert into claims (id, campaign_id, user_id, slot, wallet, telegram, twitter, post_id, retweet_link, risk,
        submitted_at, ${columns}) values ($1, 'moon', $1, $2::int + 1, $2, $2, $2, $2, 'https://x.com/' || $2, 30,
        '2026-03-02T10:00:00Z', ${values})`,
      [id, number],
    )
  }
  await claim(0, 'status', `'under_review'`)
  await claim(1, 'status, decided_at, decided_by', `'approved', '2026-03-03T10:00:00Z', '${ids[0]}'`)
  await migrate(pool, () => {})
  const sums = async () => {
    const { rows } = await pool.query<{ line: string }>(
      `select concat_ws(' ', measure, to_char(day, 'MM-DD'), replace(part, $1, 'reviewer'), sum(amount)) as line
       from daily_counts where measure <> 'slots' group by measure, day, part having sum(amount) <> 0
       order by measure, day, part`,
      [ids[0]],
    )
    return rows.map(({ line }) => line)
  }
  const before = await sums()
  assert.deepEqual(before, [
    'approved 03-03 invitation 1',
    'claims 03-02 under_review 1',
    'claims 03-03 approved 1',
    'decided 03-03 reviewer approved 1',
    // 24 hours are 1,440 minutes, and 83 whole eighths of a doubling.
    'decided_after 03-03 83 1',
    'decided_at_risk 03-03 30 approved 1',
    'registered 03-01 direct 1',
    'registered 03-01 invitation 1',
    'submitted 03-02 direct 1',
    'submitted 03-02 invitation 1',
    'verified 03-01 direct 1',
    'verified 03-01 invitation 1',
    'verified_approved 03-01 invitation 1',
    'verified_submitted 03-01 direct 1',
    'verified_submitted 03-01 invitation 1',
  ])
  await claim(2, 'status', `'submitted'`)
  const added = (await sums()).filter((line) => !before.includes(line))
  assert.deepEqual(added, [
    'claims 03-02 submitted 1',
    'submitted 03-02 direct 2',
    'verified 03-01 direct 2',
    'verified_submitted 03-01 direct 2',
  ])
})
