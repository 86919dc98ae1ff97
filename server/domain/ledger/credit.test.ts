import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { record } from '../journal/record.ts'
import { inTransaction, openDatabase, sqlState } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { claimant } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { ownerPool } from '#server/testing/database/database.ts'
import { testNode } from '#server/testing/deps.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { type Credit, credit } from './credit.ts'

/** A participant with a claim, and the credit for it in PF. */
async function setUp(t: TestContext): Promise<{ deps: Deps; pf: Credit; ownerUrl: string }> {
  const { deps, ownerUrl } = await testNode(t)
  const { id: userId, claimId } = await claimant(deps)
  const campaignId = deps.campaign.id
  return { deps, ownerUrl, pf: { campaignId, userId, kind: 'pf', amount: 20_000, claimId } }
}

const writeCredits = ({ db }: Deps, ...credits: Credit[]) =>
  inTransaction(db, (tx) => credit(tx, credits, { actor: null }))

const readStanding = ({ db }: Deps, { userId }: Credit) =>
  db
    .selectFrom('standings')
    .select(['pf', 'pls', 'referral', 'total'])
    .where('user_id', '=', userId)
    .executeTakeFirst()

test('a credit creates missing balances (a standing), which are not listed if they are an administrator’s', async (t) => {
  const { deps, pf } = await setUp(t)
  const [boss] = await createUsers(deps.db, pf.campaignId, 1, { role: 'admin' })
  await deps.db.deleteFrom('standings').execute()
  await writeCredits(deps, pf, { ...pf, userId: boss.id, kind: 'referral', amount: 3 })
  const standings = deps.db.selectFrom('standings').select(['user_id', 'total', 'listed'])
  assert.deepEqual(await standings.orderBy('total', 'desc').execute(), [
    { user_id: pf.userId, total: 20_000, listed: true },
    { user_id: boss.id, total: 3, listed: false },
  ])
})

test('writes nonzero credits to ledger, standing and journal, and journals no rejected credit', async (t) => {
  const { deps, pf } = await setUp(t)
  const by = { actor: pf.userId, network: '192.0.2.7' }
  const credits: Credit[] = [pf, { ...pf, kind: 'pls', amount: 7 }, { ...pf, kind: 'referral', amount: 0 }]
  await inTransaction(deps.db, (tx) => credit(tx, credits, by))
  await inTransaction(deps.db, (tx) => credit(tx, [], by)) // writes nothing
  await assert.rejects(writeCredits(deps, pf), /ledger_one_credit/)
  assert.deepEqual(await readStanding(deps, pf), { pf: 20_000, pls: 7, referral: 0, total: 20_007 })
  const ledger = await deps.db.selectFrom('ledger').select(['id', 'kind', 'amount']).orderBy('id').execute()
  assert.equal(ledger.length, 2, 'a credit of zero is not written')
  const expected = ledger.map(({ id, kind, amount }) => ({
    actor: by.actor,
    action: 'points.credited',
    subject: pf.userId,
    before: null,
    after: { ledger: id, claim: pf.claimId, kind, amount },
    content: { network: by.network },
  }))
  assert.deepEqual(await entriesOf(deps.db, { subject: pf.userId }), expected)
  await assertLedgerInvariants(deps)
})

test('the database rejects a credit that is repeated or negative, or lacks its claim or standing', async (t) => {
  const { deps, pf } = await setUp(t)
  await writeCredits(deps, pf)
  const pls = { ...pf, kind: 'pls' } as const
  await assert.rejects(writeCredits(deps, pls, pf), /ledger_one_credit/)
  await assert.rejects(writeCredits(deps, { ...pls, amount: -1 }), /ledger_check/)
  await assert.rejects(writeCredits(deps, { ...pls, claimId: newId() }), /ledger_claim_id_fkey/)
  await deps.db.deleteFrom('standings').execute()
  const { campaignId: campaign_id, userId: user_id, claimId: claim_id, kind, amount } = pls
  const credited = { id: newId(), campaign_id, user_id, claim_id, kind, amount }
  await assert.rejects(deps.db.insertInto('ledger').values(credited).execute(), /no standing/)
  const kept = await deps.db.selectFrom('ledger').select('kind').execute()
  assert.deepEqual(kept, [{ kind: 'pf' }], 'nothing of a call with a rejected credit is kept')
})

test('the database accepts one reversal for each credit, of the opposite amount', async (t) => {
  const { deps, pf } = await setUp(t)
  await writeCredits(deps, pf)
  const { id: reverses } = await deps.db.selectFrom('ledger').select('id').executeTakeFirstOrThrow()
  const { campaignId: campaign_id, userId: user_id, claimId: claim_id, kind } = pf
  const reverse = (amount: number) => {
    const reversal = { id: newId(), campaign_id, user_id, kind, amount, claim_id, reverses }
    return deps.db.insertInto('ledger').values(reversal).execute()
  }
  for (const amount of [20_000, -1]) await assert.rejects(reverse(amount), /is the opposite of the credit/)
  await reverse(-20_000)
  assert.equal((await readStanding(deps, pf))?.total, 0)
  await assert.rejects(reverse(-20_000), /ledger_reverses_key/)
  await assertLedgerInvariants(deps)
})

test('ledger and journal are append-only, even for the role that owns the tables', async (t) => {
  const { deps, pf, ownerUrl } = await setUp(t)
  const { db } = deps
  const owner = openDatabase(ownerPool(t, { ownerUrl }))
  // The triggers raise insufficient_privilege.
  const isRefused = (error: unknown) => sqlState(error) === '42501' && /append-only/.test(String(error))
  await writeCredits(deps, pf)
  await inTransaction(db, (tx) => record(tx, { actor: null, action: 'role.changed', subject: pf.userId }))
  const readRows = async () => ({
    ledger: await db.selectFrom('ledger').selectAll().execute(),
    journal: await db.selectFrom('journal').selectAll().execute(),
  })
  const before = await readRows()
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
    await assert.rejects(sql.raw(statement).execute(owner), isRefused, statement)
  }
  assert.deepEqual(await readRows(), before)
})
