import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { record } from '../journal/record.ts'
import {
  inTransaction,
  openDatabase,
  openPool,
  sqlState,
  violatedUnique,
} from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { LONG_TIMEOUT, testDatabase } from '#server/testing/database.ts'
import { testDeps } from '#server/testing/deps.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { ROUNDS, tally } from '#server/testing/races.ts'
import { type Credit, credit } from './credit.ts'

/** A participant with a claim, and the credit for it in PF. */
async function setUp(t: TestContext): Promise<{ deps: Deps; pf: Credit; ownerUrl: string }> {
  const { db, ownerUrl } = await testDatabase(t)
  const deps = await testDeps(db)
  const campaignId = deps.campaign.id
  const [ann] = await createUsers(deps.db, campaignId, 1)
  const { _id: claimId } = await submitProof(deps, ann.id, freshProof())
  return { deps, ownerUrl, pf: { campaignId, userId: ann.id, kind: 'pf', amount: 20_000, claimId } }
}

const pay = ({ db }: Deps, ...credits: Credit[]) =>
  inTransaction(db, (tx) => credit(tx, credits, { actor: null }))

const standingOf = ({ db }: Deps, { userId }: Credit) =>
  db
    .selectFrom('standings')
    .select(['pf', 'pls', 'referral', 'total'])
    .where('user_id', '=', userId)
    .executeTakeFirst()

test('updates the standing at once; writes no credit of zero', async (t) => {
  const { deps, pf } = await setUp(t)
  await pay(deps, pf, { ...pf, kind: 'pls', amount: 7 }, { ...pf, kind: 'referral', amount: 0 })
  assert.deepEqual(await standingOf(deps, pf), { pf: 20_000, pls: 7, referral: 0, total: 20_007 })
  assert.equal((await deps.db.selectFrom('ledger').selectAll().execute()).length, 2)
  await pay(deps)
  await assertLedgerInvariants(deps)
})

test('creates a missing standing with the credit, unlisted for administrators', async (t) => {
  const { deps, pf } = await setUp(t)
  const [boss] = await createUsers(deps.db, pf.campaignId, 1, { role: 'admin' })
  await deps.db.deleteFrom('standings').execute()
  await pay(deps, pf, { ...pf, userId: boss.id, kind: 'referral', amount: 3 })
  const all = await deps.db.selectFrom('standings').select(['user_id', 'total', 'listed']).execute()
  assert.deepEqual(
    new Map(all.map(({ user_id, total, listed }) => [user_id, [total, listed]])),
    new Map([
      [pf.userId, [20_000, true]],
      [boss.id, [3, false]],
    ]),
  )
})

test('journals each credit with its actor, and nothing for a rejected one', async (t) => {
  const { deps, pf } = await setUp(t)
  const by = { actor: pf.userId, network: '192.0.2.7' }
  const given = [
    pf,
    { ...pf, kind: 'pls', amount: 7 } as const,
    { ...pf, kind: 'referral', amount: 0 } as const,
  ]
  await inTransaction(deps.db, (tx) => credit(tx, given, by))
  await assert.rejects(inTransaction(deps.db, (tx) => credit(tx, [pf], by)))
  const ledger = await deps.db.selectFrom('ledger').select(['id', 'kind', 'amount']).orderBy('id').execute()
  const entries = await deps.db
    .selectFrom('journal as j')
    .innerJoin('journal_details as d', 'd.entry', 'j.id')
    .select(['j.actor', 'j.action', 'j.subject', 'j.after', 'd.content'])
    .orderBy('j.id')
    .execute()
  assert.deepEqual(
    entries,
    ledger.map(({ id, kind, amount }) => ({
      actor: by.actor,
      action: 'points.credited',
      subject: pf.userId,
      after: { ledger: id, claim: pf.claimId, kind, amount },
      content: { network: by.network },
    })),
  )
})

test('race: credits each kind of a claim to each user once', async (t) => {
  const { deps, pf } = await setUp(t)
  const others = await createUsers(deps.db, deps.campaign.id, ROUNDS)
  for (const { id: userId } of others) {
    const calls = Array.from({ length: 10 }, () => pay(deps, { ...pf, userId }))
    const counts = await tally(calls)
    assert.equal(counts['done'], 1)
    for (const result of await Promise.allSettled(calls))
      if (result.status === 'rejected') assert.equal(violatedUnique(result.reason), 'ledger_one_credit')
  }
  await assertLedgerInvariants(deps)
})

test('writes a credit and all that depends on it, or nothing', async (t) => {
  const { deps, pf } = await setUp(t)
  await pay(deps, pf)
  await assert.rejects(pay(deps, { ...pf, kind: 'pls' }, pf))
  const { campaignId: campaign_id, userId: user_id, claimId: claim_id } = pf
  const withoutStanding = { id: newId(), campaign_id, user_id, claim_id, kind: 'pls', amount: 1 }
  await assert.rejects(pay(deps, { ...pf, kind: 'pls', amount: -1 }), 'only a reversal may be negative')
  await assert.rejects(pay(deps, { ...pf, kind: 'pls', claimId: newId() }), 'a credit needs a claim')
  await deps.db.deleteFrom('standings').execute()
  await assert.rejects(deps.db.insertInto('ledger').values(withoutStanding).execute(), /no standing/)
  assert.equal((await deps.db.selectFrom('ledger').selectAll().execute()).length, 1)
})

test('a reversal is negative, and reverses a row that no other has reversed', async (t) => {
  const { deps, pf } = await setUp(t)
  await pay(deps, pf)
  const { id: reverses } = await deps.db.selectFrom('ledger').select('id').executeTakeFirstOrThrow()
  const reverse = (amount: number) =>
    deps.db
      .insertInto('ledger')
      .values({
        id: newId(),
        campaign_id: pf.campaignId,
        user_id: pf.userId,
        kind: 'pf',
        amount,
        claim_id: pf.claimId,
        reverses,
      })
      .execute()
  await assert.rejects(reverse(20_000), 'a reversal must be negative')
  await reverse(-20_000)
  assert.equal((await standingOf(deps, pf))?.total, 0)
  await assert.rejects(reverse(-20_000), 'twice')
  await assertLedgerInvariants(deps)
})

test('ledger and journal are append-only, even for the role that owns the tables', async (t) => {
  const { deps, pf, ownerUrl } = await setUp(t)
  const { db } = deps
  const pool = openPool(ownerUrl, () => {}, LONG_TIMEOUT)
  t.after(() => pool.end())
  const owner = openDatabase(pool)
  await pay(deps, pf)
  await inTransaction(db, (tx) => record(tx, { actor: null, action: 'role.changed', subject: pf.userId }))
  const rows = async () => [
    await db.selectFrom('ledger').selectAll().execute(),
    await db.selectFrom('journal').selectAll().execute(),
  ]
  const before = await rows()
  for (const statement of [
    'update ledger set amount = 1',
    'update ledger set amount = amount where false',
    'delete from ledger',
    'truncate ledger',
    'truncate ledger cascade',
    'truncate claims cascade',
    `insert into ledger select * from ledger on conflict (id) do update set amount = 1`,
    `update journal set actor = null`,
    'delete from journal',
    'truncate journal cascade',
    'truncate users cascade',
    `merge into ledger using (select 1) one on true when matched then delete`,
  ]) {
    const refused = (error: unknown) => sqlState(error) === '42501' && /append-only/.test(String(error))
    await assert.rejects(sql.raw(statement).execute(owner), refused, statement)
  }
  assert.deepEqual(await rows(), before)
})
