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
import { assertSlotsFit, reviewerOn } from '../testing/builders/reviewer.ts'
import { databaseBefore } from '../testing/older-schema.ts'
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
/** Gus invited Ann. */
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

/** The data of the previous version, in its columns. */
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
  assert.deepEqual(await dataOf(pool), before, 'nothing was lost or changed')

  const { rows: slots } = await pool.query(
    `select number, username, state, until > now() + interval '23 hours' as kept from slots join users u on u.id = user_id order by number`,
  )
  const shown = slots.map(({ number, username, state, kept }) => [number, username, state, kept])
  assert.deepEqual(shown, [
    [1, 'ann', 'claimed', null],
    [2, 'ben', 'kept', true],
    [3, 'cleo', 'claimed', null],
    // Of several attempts, the last one has the slot.
    [5, 'dan', 'claimed', null],
    [7, 'eve', 'kept', true],
    [8, 'fay', 'claimed', null],
  ])
  const db = openDatabase(pool)
  const deps = await testDeps(db)
  await assertSlotsFit(deps)
  await assertLedgerInvariants(deps)
  const timelineOf = async (who: string) =>
    (await readOwnClaim(deps, ids[who] ?? '')).timeline.map(({ what, reason }) =>
      [what, reason?.text ?? null].filter(Boolean),
    )
  assert.deepEqual(await timelineOf('ann'), [['received'], ['approved']])
  assert.deepEqual(await timelineOf('eve'), [
    ['received'],
    ['corrected'],
    ['rejected', 'No post.'],
    ['rejected', 'No post.'],
  ])
  assert.equal((await readOwnClaim(deps, ids['ben'] ?? '')).claim?.rejection?.code, 'other')

  // Decisions can be undone, kept slots claimed again, and a new claim gets the next number.
  const reviewer = reviewerOn(deps, { id: ids['adm'] ?? '' })
  const idOf = (who: string, attempt = 1) =>
    claims.find((claim) => claim.who === who && claim.attempt === attempt)?.id ?? assert.fail()
  await reviewer.undo(idOf('ann'))
  await assertLedgerInvariants(deps)
  await reviewer.approve(idOf('ann'))
  await reviewer.approve(idOf('fay'))
  await assert.rejects(reviewer.undo(idOf('dan')), { code: 'claim_superseded' })
  await reviewer.undo(idOf('eve', 2))
  await submitProof(deps, ids['ben'] ?? '', freshProof())
  const gus = ids['gus'] ?? ''
  const [{ id: next }] = await createUsers(db, deps.campaign.id, 1)
  await submitProof(deps, gus, freshProof())
  await submitProof(deps, next, freshProof())
  const { rows } = await pool.query(
    `select attempt, slot from claims where user_id = any ($1) order by user_id = $2, submitted_at`,
    [[ids['ben'], gus, next], ids['ben']],
  )
  const numbers = rows.map(({ attempt, slot }) => [attempt, slot])
  assert.deepEqual(numbers, [
    [1, 9],
    [1, 10],
    [1, 2],
    [2, 2],
  ])
  await assertSlotsFit(deps)
  await assertLedgerInvariants(deps)
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
  assert.equal(rows[1]?.state, 'claimed')
  await assertSlotsFit(await testDeps(openDatabase(pool)))
})
