import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Database, sqlState } from '#server/platform/database/database.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freezeNow, PAID, payoutCampaign, payoutDeps } from '#server/testing/builders/payouts.ts'
import { assertSealed } from '#server/testing/journal.ts'
import { deleteAccount } from '../../accounts/deletion/delete-account.ts'
import { readPayout, readSharedWallets } from '../read-payout.ts'
import { thaw } from '../thaw.ts'

/** Amounts of the token (`pf`) and the coin (`pls`) in base units, which the database returns as texts. */
const inUnits = <Row extends { pf: string; pls: string }>({ pf, pls, ...row }: Row) => ({
  ...row,
  pf: BigInt(pf),
  pls: BigInt(pls),
})

const readRows = async (db: Database) => {
  const columns = ['position', 'wallet', 'pf', 'pls'] as const
  return (await db.selectFrom('payout_rows').select(columns).orderBy('position').execute()).map(inUnits)
}

const readLeftOut = async (db: Database) => {
  const columns = ['reason', 'wallet', 'user_id', 'pf', 'pls'] as const
  return (await db.selectFrom('payout_left_out').select(columns).orderBy('number').execute()).map(inUnits)
}

const UNUSED_ID = '00000000-0000-7000-8000-000000000001'

const byWallet = (one: { wallet: string }, other: { wallet: string }) =>
  one.wallet.toLowerCase() < other.wallet.toLowerCase() ? -1 : 1

test('freezes the points of approved claims at their rates, and records root and totals in the journal', async (t) => {
  const { deps, db, adm, claim, approveNewClaim } = await payoutDeps(t)
  const inviter = await approveNewClaim()
  const invited = await approveNewClaim({ referredBy: inviter.id })
  await claim()
  const live = await freezeNow(deps, { actor: adm.id, maxUndecided: 1 })
  const reward = BigInt(deps.campaign.airdrop.referralReward) * 10n ** 18n
  const { recipients, pf, pls } = live
  assert.deepEqual({ recipients, pf, pls }, { recipients: 2, pf: 2n * PAID.pf + reward, pls: 2n * PAID.pls })
  const paid = [
    { wallet: inviter.wallet, pf: PAID.pf + reward, pls: PAID.pls },
    { wallet: invited.wallet, ...PAID },
  ]
  const expected = paid.toSorted(byWallet).map((row, position) => ({ position, ...row }))
  assert.deepEqual(await readRows(db), expected)
  const entry = (await assertSealed(db)).find(({ action }) => action === 'payout.frozen')
  assert.equal(entry?.actor, adm.id)
  const totals = { root: live.root.slice(2), recipients, pf: String(pf), pls: String(pls), undecided: 1 }
  assert.partialDeepStrictEqual(entry.after, totals)
})

test('refuses a freeze without rates, recipients or decisions, with huge amounts, or after another', async (t) => {
  const { deps, db, claim, approveNewClaim } = await payoutDeps(t)
  const { payout: _, ...withoutRates } = deps.campaign
  await assert.rejects(freezeNow({ db, campaign: withoutRates }), { code: 'payout_not_set' })
  await assert.rejects(freezeNow(deps), { code: 'nothing_to_pay' })
  await approveNewClaim()
  await approveNewClaim()
  await claim()
  await assert.rejects(freezeNow(deps), { code: 'claims_undecided' })
  const freezeWith = (payout: Parameters<typeof payoutCampaign>[0], decimals = 18) => {
    const campaign = payoutCampaign(payout)
    const token = { ...campaign.token, decimals }
    return freezeNow({ db, campaign: { ...campaign, token } }, { maxUndecided: 1 })
  }
  const worthless = { perPoint: { pf: '0', pls: '0', referral: '0' } }
  await assert.rejects(freezeWith(worthless), { code: 'nothing_to_pay' })

  const tooLarge = { code: 'amounts_too_large' }
  // Each of the two wallets gets 20,000 tokens; the largest uint256 is about 1.15 × 10^77.
  await assert.rejects(freezeWith({}, 77), tooLarge)
  // At three times the rate, the tokens of either wallet fit, but not their sum.
  await assert.rejects(freezeWith({ perPoint: { pf: '3', pls: '1', referral: '1' } }, 72), tooLarge)
  const leavingAllOut = { minimum: { pf: '999999999', pls: '0' } }
  await assert.rejects(freezeWith(leavingAllOut, 77), tooLarge, 'even if nobody would be paid')

  assert.deepEqual(await readRows(db), [], 'a refusal leaves nothing behind')
  assert.equal((await freezeWith({}, 72)).recipients, 2)
  await assert.rejects(freezeNow(deps, { maxUndecided: 1 }), { code: 'payout_frozen' })
})

test('leaves out the token’s address and amounts below their minimum, and counts contracts', async (t) => {
  // Each wallet is due exactly the minimum of PF, and one base unit less than the minimum of PLS.
  const minimum = { pf: '20000', pls: '10000.000000000000000001' }
  const { deps, db, approveNewClaim } = await payoutDeps(t, payoutCampaign({ minimum }))
  const ofToken = await approveNewClaim()
  const { claimId: claim_id, wallet } = await approveNewClaim()
  // A check has found that this wallet is a contract.
  await db
    .insertInto('evidence')
    .values({ claim_id, check_name: 'wallet-kind', outcome: 'contradicted', detail: '', source: 'chain' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const campaign = { ...deps.campaign, token: { ...deps.campaign.token, contract: ofToken.wallet } }
  const live = await freezeNow({ db, campaign })
  assert.partialDeepStrictEqual(live, { recipients: 1, contracts: 1, pf: PAID.pf, pls: 0n })
  const leftOut = (await readLeftOut(db)).toSorted((one, other) => (one.reason < other.reason ? -1 : 1))
  assert.deepEqual(leftOut, [
    { reason: 'below_minimum', wallet, user_id: null, pf: 0n, pls: PAID.pls },
    { reason: 'unusable_wallet', wallet: ofToken.wallet, user_id: null, ...PAID },
  ])
  assert.deepEqual(
    live.leftOut.find(({ reason }) => reason === 'below_minimum'),
    { reason: 'below_minimum', count: 1, amounts: { pf: '0', pls: String(PAID.pls) } },
  )
})

test('leaves out a wallet whose points are worth nothing', async (t) => {
  const campaign = payoutCampaign({ perPoint: { pf: '0', pls: '0', referral: '1' } })
  const { deps, db, approveNewClaim } = await payoutDeps(t, campaign)
  const inviter = await approveNewClaim()
  const { wallet } = await approveNewClaim({ referredBy: inviter.id })
  assert.equal((await freezeNow(deps)).recipients, 1)
  assert.deepEqual(await readLeftOut(db), [{ reason: 'nothing_due', wallet, user_id: null, pf: 0n, pls: 0n }])
})

test('freezes nothing when the ledger has points of someone whom the freeze has not found', async (t) => {
  const { deps, db, approveNewClaim } = await payoutDeps(t)
  await approveNewClaim()
  const [onlyInvites] = await createUsers(db, deps.campaign.id, 1)
  await approveNewClaim({ referredBy: onlyInvites.id })
  // A freeze finds a participant without an approved claim only by this row of the leaderboard.
  await db.deleteFrom('standings').where('user_id', '=', onlyInvites.id).execute()
  await assert.rejects(freezeNow(deps), { code: 'ledger_differs' })
  assert.deepEqual(await readRows(db), [])
})

test('participants who share a wallet are paid together, unless the campaign file refuses that; a banned one does not count', async (t) => {
  const { deps, db, approveNewClaim, banPerson, shareWallets } = await payoutDeps(t)
  const [one, other] = [await approveNewClaim(), await approveNewClaim()]
  const { wallet } = one
  await shareWallets()
  const strict = payoutCampaign({ duplicateWallets: 'refuse' })
  assert.deepEqual(await readSharedWallets(db, strict.id), [wallet.toLowerCase()])
  await assert.rejects(freezeNow({ db, campaign: strict }), { code: 'wallets_shared' })
  const live = await freezeNow(deps)
  assert.partialDeepStrictEqual(live, { recipients: 1, sharing: 1 }, 'one wallet is shared')
  assert.deepEqual(await readRows(db), [{ position: 0, wallet, pf: 2n * PAID.pf, pls: 2n * PAID.pls }])
  // Ids sort in the order in which the accounts were created.
  const shares = db.selectFrom('payout_shares').select(['user_id', 'position']).orderBy('user_id')
  assert.deepEqual(await shares.execute(), [
    { user_id: one.id, position: 0 },
    { user_id: other.id, position: 0 },
  ])

  await thaw(deps, { actor: null, reason: 'A test.' })
  await banPerson(other)
  assert.deepEqual(await readSharedWallets(db, strict.id), [])
  assert.equal((await freezeNow({ db, campaign: strict })).sharing, 0)
})

test('a thaw keeps the rows of its freeze and lets another freeze follow, with the next number', async (t) => {
  // The journal, which refuses texts that could be personal, has to accept an id that begins with a digit.
  const campaign = { ...payoutCampaign(), id: '2027-airdrop' }
  const { deps, db, adm, approveNewClaim } = await payoutDeps(t, campaign)
  await approveNewClaim()
  await assert.rejects(thaw(deps, { actor: adm.id, reason: 'no' }), { code: 'payout_not_frozen' })
  const first = await freezeNow(deps)
  await thaw(deps, { actor: adm.id, reason: 'A claim was forgotten.' })
  await assert.rejects(thaw(deps, { actor: adm.id, reason: 'again' }), { code: 'payout_not_frozen' })
  await approveNewClaim()
  const second = await freezeNow(deps)
  assert.equal(first.number, 1)
  assert.partialDeepStrictEqual(second, { number: 2, recipients: 2 })
  const keptRows = db.selectFrom('payout_rows').select('freeze_id').where('freeze_id', '=', first.id)
  assert.equal((await keptRows.execute()).length, 1)
  const entry = (await assertSealed(db)).find(({ action }) => action === 'payout.thawed')
  assert.partialDeepStrictEqual(entry, { actor: adm.id, subject: first.id })
  assert.deepEqual(entry?.details?.content, { reason: 'A claim was forgotten.' })
})

test('a stored freeze can neither grow nor be deleted, and none is stored whose totals differ from its rows', async (t) => {
  const { deps, db, approveNewClaim } = await payoutDeps(t)
  await approveNewClaim()
  const { id } = await freezeNow(deps)
  const wallet = `0x${'ab'.repeat(20)}`
  const added = [
    sql`insert into payout_rows values (${id}, 1, ${wallet}, 1, 1, false)`,
    sql`insert into payout_shares select ${id}, id, null, null, 1, 1, 1 from users where role = 'admin'`,
    sql`insert into payout_left_out values (${id}, 0, 'nothing_due', ${wallet}, null, 0, 0)`,
    sql`insert into payout_chunks values (${id}, 'nodes', 9, decode('00', 'hex'))`,
  ]
  const isDenied = (error: unknown) => sqlState(error) === '42501'
  const isGrowthDenied = (error: unknown) => isDenied(error) && /cannot grow/.test(String(error))
  for (const statement of added) await assert.rejects(statement.execute(db), isGrowthDenied)
  for (const table of ['rows', 'shares', 'left_out', 'chunks', 'freezes'])
    await assert.rejects(sql`delete from ${sql.table(`payout_${table}`)}`.execute(db), isDenied, table)

  // After a thaw, another freeze may be stored. Its rows are those of the first.
  const copyOfRows = sql`
    with thawed as (insert into payout_thaws values (${deps.campaign.id}, 1, 'x') returning 1),
    copied as (insert into payout_rows select ${UNUSED_ID}, position, wallet, pf, pls, is_contract from payout_rows returning 1)
    select from thawed, copied`
  await copyOfRows.execute(db)
  const storeFreeze = (pf: string) => sql`
    insert into payout_freezes (id, campaign_id, number, root, recipients, pf_recipients, pls_recipients, pf, pls, contracts,
      sharing, left_out, terms, undecided)
    select ${UNUSED_ID}, campaign_id, 2, root, recipients, pf_recipients, pls_recipients, ${pf}::numeric, pls, contracts, sharing,
      left_out, terms, undecided from payout_freezes`
  // The rows of its one wallet add up to another amount.
  await assert.rejects(storeFreeze('1').execute(db), /add up to 1 wallets/)
  await storeFreeze(String(PAID.pf)).execute(db)
})

test('leaves out banned accounts, deleted accounts and those without an approved claim', async (t) => {
  const { deps, db, adm, claim, approveNewClaim, banPerson } = await payoutDeps(t)
  const [onlyInvites] = await createUsers(db, deps.campaign.id, 1)
  const paid = await approveNewClaim({ referredBy: onlyInvites.id })
  const [banned, deleted] = [await approveNewClaim(), await approveNewClaim()]
  await claim()
  await banPerson(banned)
  await deleteAccount(deps, { userId: deleted.id, by: adm.id })
  assert.equal((await readPayout(deps)).plan?.approved, 1)
  const live = await freezeNow(deps, { maxUndecided: 1 })
  assert.deepEqual(await readRows(db), [{ position: 0, wallet: paid.wallet, ...PAID }])
  assert.equal(live.pf, PAID.pf)
  const reward = BigInt(deps.campaign.airdrop.referralReward) * 10n ** 18n
  assert.deepEqual(await readLeftOut(db), [
    { reason: 'no_approved_claim', wallet: null, user_id: onlyInvites.id, pf: reward, pls: 0n },
    { reason: 'account_banned', wallet: null, user_id: banned.id, ...PAID },
    { reason: 'account_deleted', wallet: null, user_id: deleted.id, ...PAID },
  ])
})
