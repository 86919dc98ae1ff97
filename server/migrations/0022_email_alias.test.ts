import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCluster } from '../domain/signals/read-cluster.ts'
import { readSignals } from '../domain/signals/read-signals.ts'
import { openDatabase } from '../platform/database/database.ts'
import { newId } from '../platform/database/ids.ts'
import { migrate } from '../platform/database/migrate.ts'
import { emptyDatabase } from '../testing/database.ts'
import { schemaBefore } from '../testing/older-schema.ts'

test('signals and links found under the old name of email aliases stay readable', async (t) => {
  const pool = (await emptyDatabase(t))()
  await schemaBefore(pool, 'email_alias')
  const [ann, alias] = [newId(), newId()]
  await pool.query(`insert into campaigns (id, slots_total) values ('moon', 5)`)
  for (const [index, id] of [ann, alias].entries()) {
    await pool.query(
      `insert into users (id, username, email, email_key, canonical_email, password_hash, referral_code)
       values ($1, $2, $2, $2, 'ann@gmail.com', 'none', $2)`,
      [id, `ann${index}`],
    )
    await pool.query(
      `insert into slots (campaign_id, number, user_id, state) values ('moon', $2, $1, 'claimed')`,
      [id, index + 1],
    )
    await pool.query(
      `insert into claims (id, campaign_id, user_id, slot, wallet, telegram, twitter, post_id, retweet_link)
       values ($1, 'moon', $1, $2::int, $2, $2, $2, $2, 'https://x.com/x/status/' || $2)`,
      [id, String(index + 1)],
    )
    await pool.query(`insert into clusters (campaign_id, user_id, cluster_id) values ('moon', $1, $2)`, [
      id,
      ann,
    ])
  }
  await pool.query(
    `insert into signals (claim_id, kind, weight, facts) values ($1, 'email-twin', 60, '{"others": 1}')`,
    [alias],
  )
  await pool.query(
    `insert into account_links (campaign_id, older, newer, kind) values ('moon', $1, $2, 'email-twin')`,
    [ann, alias],
  )

  await migrate(pool)
  const db = openDatabase(pool)
  assert.deepEqual(await readSignals(db, alias), [
    {
      kind: 'email-alias',
      weight: 60,
      reason: 'The email address is a variant of the one used by another account.',
    },
  ])
  assert.deepEqual((await readCluster(db, alias))?.reasons, [
    { kind: 'email-alias', accounts: 2, reason: 'Their email addresses are variants of the same one.' },
  ])
})
