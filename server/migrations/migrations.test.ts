import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { lookalikeKey } from '../domain/accounts/validate-fields.ts'
import { readSignals, readCluster } from '../domain/signals/read-signals.ts'
import { openDatabase } from '../platform/database/database.ts'
import { newId } from '../platform/database/ids.ts'
import { migrate } from '../platform/database/migrate.ts'
import { assertClaimCountsFit, assertCountsFit, wholeBoard } from '../testing/checks/ledger-invariants.ts'
import { databaseBefore } from '../testing/database/database.ts'

/** A user with columns that most versions have; the name is email and referral code, too. */
const insertUser = (pool: pg.Pool, id: string, name: string, canonicalEmail = name) =>
  pool.query(
    `insert into users (id, username, email, email_key, canonical_email, password_hash, referral_code)
     values ($1, $2, $2, $2, $3, 'none', $2)`,
    [id, name, canonicalEmail],
  )

/** A slot of the campaign `moon`, taken by a claim. */
const insertSlot = (pool: pg.Pool, number: number, userId: string) =>
  pool.query(`insert into slots (campaign_id, number, user_id, state) values ('moon', $1, $2, 'claimed')`, [
    number,
    userId,
  ])

/** A claim of the campaign `moon`, with its participant's id and a proof that no other slot's claim has. */
function insertClaim(pool: pg.Pool, slot: number, userId: string, columns: Record<string, string> = {}) {
  const proof = Object.fromEntries(
    ['wallet', 'telegram', 'twitter', 'post_id'].map((name) => [name, `${slot}`]),
  )
  const ids = { id: userId, campaign_id: 'moon', user_id: userId, slot }
  const row = { ...ids, ...proof, retweet_link: `https://x.com/${slot}`, ...columns }
  const names = Object.keys(row)
  const places = names.map((_name, index) => `$${index + 1}`)
  return pool.query(`insert into claims (${names.join()}) values (${places.join()})`, Object.values(row))
}

/** Names of an earlier version, oldest first: a user's, an administrator's, or held. One has no letters. */
const NAMES: [name: string, owner: 'user' | 'admin' | 'held'][] = [
  ['alice', 'user'],
  ['Al.Ice', 'user'],
  ['a1ice', 'held'],
  ['b0ss', 'user'],
  ['Boss', 'admin'],
  ['...', 'user'],
  ['rnarvin', 'held'],
  ['vv-i-1-l-0-w', 'user'],
  ['carol', 'held'],
]

test('of look-alike names, an administrator’s, else the oldest, gets the look-alike key; others get one with `=`', async (t) => {
  const pool = await databaseBefore(t, 'names')
  for (const [name, owner] of NAMES) {
    const id = newId()
    if (owner !== 'held')
      await pool.query(
        `insert into users (id, username, email, email_key, email_twin, password_hash, referral_code, role, created_at)
         values ($1, $2, $2, $2, $2, 'none', $2, $3, clock_timestamp())`,
        [id, name, owner],
      )
    await pool.query(
      owner === 'held'
        ? `insert into usernames (key, held_for, held_until) values (lower($1), 'al@mail.example', now() + interval '1 day')`
        : `insert into usernames (key, user_id) values (lower($1), '${id}')`,
      [name],
    )
  }
  await migrate(pool)
  const { rows } = await pool.query<{ key: string; username: string | null }>(
    `select key, username from usernames left join users on id = user_id order by key collate "C"`,
  )
  const names = rows.map(({ key, username }) => [key, username])
  assert.deepEqual(
    names,
    [
      ['=...', '...'],
      ['=a1ice', null],
      ['=al.ice', 'Al.Ice'],
      ['=b0ss', 'b0ss'],
      [lookalikeKey('alice'), 'alice'],
      [lookalikeKey('boss'), 'Boss'],
      [lookalikeKey('carol'), null],
      [lookalikeKey('marvin'), null],
      [lookalikeKey('willow'), 'vv-i-1-l-0-w'],
    ].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  )
})

test('renamed columns keep their data, waiting jobs get their new kind, and the leaderboard keeps its counts', async (t) => {
  const pool = await databaseBefore(t, 'field_names')
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

  await migrate(pool)
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

test('leaderboard counts include existing standings, and follow their later changes', async (t) => {
  const pool = await databaseBefore(t, 'board_counts')
  await pool.query(`insert into campaigns (id, slots_total) values ('moon', 5), ('older', 5)`)
  for (let number = 1; number <= 200; number += 1) await insertUser(pool, newId(), `person${number}`)
  await pool.query(
    `insert into standings (campaign_id, user_id, pf, reached, listed)
     select c.id, u.id, length(u.username) % 2 * 10, 5000 * row_number() over (order by u.id), u.username <> 'person7'
     from users u, campaigns c`,
  )

  await migrate(pool)
  const db = openDatabase(pool)
  assert.equal((await wholeBoard(db, 'moon')).length, 199)
  await pool.query(
    `update standings set pls = 3, listed = username <> 'person8' from users where id = user_id`,
  )
  await pool.query(`delete from standings using users where id = user_id and username = 'person9'`)
  assert.equal((await wholeBoard(db, 'moon')).length, 198)
  for (const campaign of ['moon', 'older']) await assertCountsFit(db, campaign)
})

test('claim counts include existing claims, and further ones as they come', async (t) => {
  const pool = await databaseBefore(t, 'claim_counts')
  await pool.query(`insert into campaigns (id, slots_total, slots_taken) values ('moon', 9, 6)`)
  const claim = async (number: number) => {
    const id = newId()
    await insertUser(pool, id, `person${number}`)
    await insertSlot(pool, number, id)
    await insertClaim(pool, number, id, { risk: String(number % 3) })
  }
  for (const number of [1, 2, 3, 4, 5]) await claim(number)
  await pool.query(`update claims set status = 'approved', decided_at = now() where slot > 3`)

  await migrate(pool)
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

test('signals and links found under the old name of email aliases stay readable', async (t) => {
  const pool = await databaseBefore(t, 'email_alias')
  const [ann, alias] = [newId(), newId()]
  await pool.query(`insert into campaigns (id, slots_total) values ('moon', 5)`)
  for (const [index, id] of [ann, alias].entries()) {
    await insertUser(pool, id, `ann${index}`, 'ann@gmail.com')
    await insertSlot(pool, index + 1, id)
    await insertClaim(pool, index + 1, id)
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

test('daily counts include what is already stored, on its day, and further changes as they come', async (t) => {
  const pool = await databaseBefore(t, 'insights')
  await pool.query(`insert into campaigns (id, slots_total, slots_taken) values ('moon', 9, 2)`)
  const ids = [newId(), newId(), newId()]
  const claim = async (number: number, columns: Record<string, string>) => {
    const id = ids[number] ?? assert.fail()
    await pool.query(
      `insert into users (id, username, email, email_key, canonical_email, password_hash, referral_code, referred_by,
        created_at) values ($1, $2, $2, $2, $2, 'none', $2, $3, '2026-03-01')`,
      [id, `person${number}`, number === 1 ? ids[0] : null],
    )
    await insertSlot(pool, number + 1, id)
    const submitted = { risk: '30', submitted_at: '2026-03-02T10:00:00Z' }
    await insertClaim(pool, number + 1, id, { ...submitted, ...columns })
  }
  await claim(0, { status: 'under_review' })
  await claim(1, { status: 'approved', decided_at: '2026-03-03T10:00:00Z', decided_by: ids[0] ?? '' })
  await migrate(pool)
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
    // 24 hours: the base-2 logarithm of 1,440 minutes has 83 whole eighths.
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
  await claim(2, { status: 'submitted' })
  const added = (await sums()).filter((line) => !before.includes(line))
  assert.deepEqual(added, [
    'claims 03-02 submitted 1',
    'submitted 03-02 direct 2',
    'verified 03-01 direct 2',
    'verified_submitted 03-01 direct 2',
  ])
})

test('a slot that is kept for an appeal gets the time until which it would be kept without the appeal', async (t) => {
  const pool = await databaseBefore(t, 'pauses_during_appeals')
  await pool.query(`insert into campaigns (id, slots_total, slots_taken) values ('moon', 9, 2)`)
  const reject = async (number: number, until: string) => {
    const id = newId()
    await insertUser(pool, id, `person${number}`)
    await pool.query(
      `insert into slots (campaign_id, number, user_id, state, until) values ('moon', $2, $1, 'kept', $3)`,
      [id, number, until],
    )
    const rejected = { status: 'rejected', reason_code: 'other', decided_at: '2027-03-01T12:00Z' }
    await insertClaim(pool, number, id, rejected)
    return id
  }
  const appealed = await reject(1, 'infinity')
  await pool.query(`insert into appeals (claim_id, campaign_id, text) values ($1, 'moon', 'Look again.')`, [
    appealed,
  ])
  await reject(2, '2027-03-02T12:00Z')
  await migrate(pool)
  const { rows } = await pool.query(
    `select number, until_without_appeal at time zone 'UTC' = '2027-03-02T12:00' as "isRight" from slots order by number`,
  )
  assert.deepEqual(rows, [
    { number: 1, isRight: true },
    { number: 2, isRight: null },
  ])
})
