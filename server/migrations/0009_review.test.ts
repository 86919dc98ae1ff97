import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type pg from 'pg'
import { openDatabase } from '../platform/database/database.ts'
import { newId } from '../platform/database/ids.ts'
import { migrate } from '../platform/database/migrate.ts'
import { readOwnClaim } from '../domain/claims/own-claim.ts'
import { submitProof } from '../domain/claims/submission/submit-proof.ts'
import { assertLedgerInvariants } from '../testing/checks/ledger-invariants.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { testDeps } from '../testing/deps.ts'
import { assertSlotInvariants, reviewerOn } from '../testing/builders/reviewer.ts'
import { databaseBefore } from '../testing/database/database.ts'
import { freshProof } from '../testing/builders/proof.ts'

const TIME = '2026-06-01 12:00:00.123456+00'

/** Claims as the previous version stored them: each participant's attempts in order. */
const CLAIMS: [who: string, attempt: number, slot: number, status: string][] = [
  ['ann', 1, 1, 'approved'],
  ['ben', 1, 2, 'rejected'],
  ['cleo', 1, 3, 'under_review'],
  ['dan', 1, 4, 'rejected'],
  ['dan', 2, 5, 'submitted'],
  ['eve', 1, 6, 'rejected'],
  ['eve', 2, 7, 'rejected'],
  ['fay', 1, 8, 'submitted'],
]
/** Gus, who has no claim, has invited Ann. */
const NAMES = ['gus', ...new Set(CLAIMS.map(([who]) => who)), 'adm']

type Ids = Record<string, string>

/** A database with the previous schema and those claims, with their credits and evidence. */
async function olderDatabase(t: TestContext) {
  const pool = await databaseBefore(t, 'review')
  const ids = Object.fromEntries(NAMES.map((name, index) => [name, newId(Date.parse(TIME) + index)]))
  const claims = CLAIMS.map(([who, attempt, slot, status]) => ({ id: newId(), who, attempt, slot, status }))
  const { campaign } = await testDeps(openDatabase(pool))
  await fill(pool, campaign.id, ids, claims)
  return { pool, ids, claims }
}

type Claim = { id: string; who: string; attempt: number; slot: number; status: string }

async function fill(pool: pg.Pool, campaignId: string, ids: Ids, claims: readonly Claim[]): Promise<void> {
  for (const [name, id] of Object.entries(ids)) {
    await pool.query(
      `insert into users (id, username, email, email_key, email_twin, password_hash, referral_code, referred_by, role)
       values ($1, $2, $2 || '@mail.example', $2 || '@mail.example', $2 || '@mail.example', 'none', upper($2), $3, $4)`,
      [id, name, name === 'ann' ? ids['gus'] : null, name === 'adm' ? 'admin' : 'user'],
    )
    await pool.query(`insert into standings (campaign_id, user_id, listed) values ($1, $2, $3)`, [
      campaignId,
      id,
      name !== 'adm',
    ])
  }
  for (const { id, who, attempt, slot, status } of claims)
    await pool.query(
      `insert into claims (id, campaign_id, user_id, attempt, status, slot, wallet, telegram, twitter, post_id, retweet_link,
         reason, submitted_at, decided_at)
       values ($1, $2, $3, $4, $5, $6::integer, '0x' || $6::text, 'tele' || $6::text, 'x' || $6::text, $6::text, 'https://x.com/x/status/' || $6::text,
         case when $5 = 'rejected' then 'No post.' end, $7::timestamptz + make_interval(mins => $6),
         case when $5 in ('approved', 'rejected') then $7::timestamptz + interval '1 day' end)`,
      [id, campaignId, ids[who], attempt, status, slot, TIME],
    )
  await pool.query('update campaigns set slots_taken = 8, slots_total = 10')
  const paid = claims.filter(({ status }) => status === 'approved')
  for (const { id, who } of paid)
    for (const [kind, user, amount] of [
      ['pf', who, 20_000],
      ['pls', who, 20_000],
      ['referral', 'gus', 1000],
    ] as const)
      await pool.query(
        'insert into ledger (id, campaign_id, user_id, kind, amount, claim_id) values ($1, $2, $3, $4, $5, $6)',
        [newId(), campaignId, ids[user], kind, amount, id],
      )
  await pool.query(
    `insert into evidence (claim_id, check_name, outcome, detail, source)
     select id, 'wallet', 'confirmed', 'It is one.', 'the address itself' from claims`,
  )
}

/** All rows in the columns that the previous version had. */
async function dataOf(pool: pg.Pool) {
  const { rows } = await pool.query(`
    select (select jsonb_agg(to_jsonb(c) order by id) from (
        select id, campaign_id, user_id, attempt, status, slot, wallet, telegram, twitter, post_id, retweet_link, reason,
          submitted_at, decided_at, decided_by from claims) c) as claims,
      (select jsonb_agg(to_jsonb(l) order by id) from (
        select id, campaign_id, user_id, kind, amount, claim_id, reverses, created_at from ledger) l) as ledger,
      (select jsonb_agg(to_jsonb(e) order by claim_id) from (
        select claim_id, check_name, outcome, detail, source, http_status, seen, seen_hash, checked_at from evidence) e) as evidence,
      (select jsonb_agg(to_jsonb(s) order by user_id) from standings s) as standings`)
  return rows[0] as Record<string, unknown>
}

test('claims of the previous version keep state, slots and points, and can be decided and corrected', async (t) => {
  const { pool, ids, claims } = await olderDatabase(t)
  const before = await dataOf(pool)
  const applied: string[] = []
  await migrate(pool, (line) => applied.push(line))
  assert.equal(applied[0], 'Applied 0009_review.sql')
  const db = openDatabase(pool)
  const deps = await testDeps(db)
  const userId = (name: string) => ids[name] ?? assert.fail(name)
  const assertConsistent = async () => {
    await assertSlotInvariants(deps)
    await assertLedgerInvariants(deps)
  }

  await t.test('no data is lost or changed', async () => {
    assert.deepEqual(await dataOf(pool), before)
    await assertConsistent()
  })

  await t.test('the last attempt of a participant keeps its slot, a rejected one for a day', async () => {
    const { rows } = await pool.query<{ slot: string }>(
      `select concat_ws(' ', number, username, state,
         case when until > now() + interval '23 hours' then 'for a day' else until::text end) as slot
       from slots join users u on u.id = user_id order by number`,
    )
    const slots = rows.map(({ slot }) => slot)
    assert.deepEqual(slots, [
      '1 ann claimed',
      '2 ben kept for a day',
      '3 cleo claimed',
      '5 dan claimed',
      '7 eve kept for a day',
      '8 fay claimed',
    ])
  })

  await t.test('timelines say what has happened, and why', async () => {
    const timelineOf = async (name: string) =>
      (await readOwnClaim(deps, userId(name))).timeline.map(({ what, reason }) =>
        reason ? `${what}: ${reason.text}` : what,
      )
    assert.deepEqual(await timelineOf('ann'), ['received', 'approved'])
    const ofEve = ['received', 'corrected', 'rejected: No post.', 'rejected: No post.']
    assert.deepEqual(await timelineOf('eve'), ofEve)
    assert.equal((await readOwnClaim(deps, userId('ben'))).claim?.rejection?.code, 'other')
  })

  await t.test('decisions can be undone and made', async () => {
    const reviewer = reviewerOn(deps, { id: userId('adm') })
    const idOf = (who: string, attempt = 1) =>
      claims.find((claim) => claim.who === who && claim.attempt === attempt)?.id ?? assert.fail(who)
    await reviewer.undo(idOf('ann'))
    await assertLedgerInvariants(deps)
    await reviewer.approve(idOf('ann'))
    await reviewer.approve(idOf('fay'))
    await assert.rejects(reviewer.undo(idOf('dan')), { code: 'claim_superseded' })
    await reviewer.undo(idOf('eve', 2))
    await assertConsistent()
  })

  await t.test('a kept slot is claimed again, and new claims get the next numbers', async () => {
    const [newcomer] = await createUsers(db, deps.campaign.id, 1)
    for (const id of [userId('ben'), userId('gus'), newcomer.id]) await submitProof(deps, id, freshProof())
    const slotsOf = async (id: string) => {
      const query = 'select attempt, slot from claims where user_id = $1 order by submitted_at'
      return (await pool.query(query, [id])).rows
    }
    assert.deepEqual(await slotsOf(userId('gus')), [{ attempt: 1, slot: 9 }])
    assert.deepEqual(await slotsOf(newcomer.id), [{ attempt: 1, slot: 10 }])
    assert.deepEqual(await slotsOf(userId('ben')), [
      { attempt: 1, slot: 2 },
      { attempt: 2, slot: 2 },
    ])
    await assertConsistent()
  })
})

test('a rejected claim whose slot number has been given to another claim keeps no slot', async (t) => {
  const { pool, claims } = await olderDatabase(t)
  const claimOfBen = claims.find(({ who }) => who === 'ben')?.id
  await pool.query(`update claims set slot = 3 where id = $1`, [claimOfBen])
  await migrate(pool)
  const { rows } = await pool.query<{ number: number; state: string }>(
    'select number, state from slots order by number',
  )
  const numbers = rows.map(({ number }) => number)
  assert.deepEqual(numbers, [1, 3, 5, 7, 8])
  assert.equal(rows.find(({ number }) => number === 3)?.state, 'claimed')
  await assertSlotInvariants(await testDeps(openDatabase(pool)))
})
