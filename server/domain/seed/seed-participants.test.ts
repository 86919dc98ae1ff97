import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { CampaignFile } from '#contract/campaign-file.ts'
import campaign from '#server/testing/campaign.ts'
import { grantedPoints } from '#contract/claims/granted-points.ts'
import { deleteAccount } from '../accounts/deletion/delete-account.ts'
import { readEmail } from '../accounts/validate-fields.ts'
import { readBoard } from '../leaderboard/read-board.ts'
import { validateProof } from '../claims/submission/validate-proof.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { runClaimChecks } from '#server/testing/builders/evidence.ts'
import { testNode } from '#server/testing/deps.ts'
import { assertLedgerJournaled, entriesOf } from '#server/testing/journal.ts'
import { campaignWith } from '#server/testing/database/races.ts'
import { fakePerson, walletOf } from './fake-people.ts'
import { countParticipants, removeSeeded, seedParticipants } from './seed-participants.ts'

test('a number always gives the same participant, and no two share an email, a handle or a wallet', () => {
  const people = Array.from({ length: 2_000 }, (_, number) => fakePerson(number))
  assert.deepEqual(fakePerson(1_234), people[1_234])
  for (const field of ['email', 'telegram', 'twitter'] as const)
    assert.equal(new Set(people.map((person) => person[field].toLowerCase())).size, 2_000, field)
  assert.equal(new Set(people.map((_, number) => walletOf(number))).size, 2_000)
  const statuses = new Set(people.map(({ claimStatus }) => claimStatus))
  assert.equal(statuses.size, 5, 'four statuses, and some have no claim')
})

test('made-up participants have valid names and proofs, up to the millionth', () => {
  // Handles end with the number in base 36.
  for (const number of [0, 1, 35, 36, 36 ** 3 - 1, 36 ** 3, 999_999]) {
    const { username, email, telegram, twitter } = fakePerson(number)
    const wallet = walletOf(number)
    assert.match(username, /^[A-Za-z0-9_.-]{3,20}$/)
    assert.equal(readEmail(email).key, email)
    const retweetLink = `https://x.com/${twitter}/status/2006000000000000001`
    assert.equal(validateProof({ wallet, telegram, twitter, retweetLink }, campaign).wallet, wallet)
  }
})

async function setUp(t: TestContext, changes: Partial<CampaignFile['airdrop']> = {}) {
  const { db, deps } = await testNode(t, campaignWith(changes))
  const seed = (count: number) =>
    seedParticipants({ db, campaign: deps.campaign, passwordHash: 'none', batchSize: 100 }, count)
  return { db, deps, seed }
}

test('ledger, journal and leaderboard agree after several runs, and referral rewards stay within their limit', async (t) => {
  const { db, deps, seed } = await setUp(t, { referralsPaid: 3 })
  await seed(120)
  await seed(20)
  assert.deepEqual(await countParticipants(db), { seeded: 140, real: 0 })
  await assertLedgerInvariants(deps)
  await assertLedgerJournaled(db)
  const counts = (await entriesOf(db, { action: 'participants.seeded' })).map(({ after }) => after)
  assert.deepEqual(counts, [{ participants: 100 }, { participants: 20 }, { participants: 20 }])
  const { data, pagination } = await readBoard(db, campaign.id, { page: 1, limit: 1 })
  assert.equal(pagination.totalItems, 140)
  const { pfPoints, plsPoints } = grantedPoints(campaign.airdrop)
  assert.equal(data[0]?.totalPoints, pfPoints + plsPoints + 3 * campaign.airdrop.referralReward)
})

test('the number of a deleted account is not used again, since its name stays taken', async (t) => {
  const { db, deps, seed } = await setUp(t)
  await seed(5)
  const newest = db.selectFrom('users').select('id').orderBy('id', 'desc')
  await deleteAccount(deps, { userId: (await newest.executeTakeFirstOrThrow()).id, by: null })
  await seed(5)
  assert.deepEqual(await countParticipants(db), { seeded: 9, real: 0 })
})

test('submitted claims are checked by the server like real ones', async (t) => {
  const { db, deps, seed } = await setUp(t)
  await seed(40)
  const submitted = () => db.selectFrom('claims').selectAll().where('status', '=', 'submitted').execute()
  assert.ok((await submitted()).length > 0)
  await runClaimChecks(deps)
  assert.equal((await submitted()).length, 0)
  const evidence = await db
    .selectFrom('evidence')
    .select('outcome')
    .where('check_name', 'in', ['post-time', 'wallet'])
    .execute()
  assert.deepEqual(new Set(evidence.map(({ outcome }) => outcome)), new Set(['confirmed']))
})

test('creates no more claims than slots, and reuses the slots that removed participants have freed', async (t) => {
  const { db, deps, seed } = await setUp(t, { slots: 3 })
  const slots = [{ number: 1 }, { number: 2 }, { number: 3 }]
  for (let run = 1; run <= 2; run += 1) await seed(10)
  const claimed = db.selectFrom('claims').select('slot as number').orderBy('slot')
  assert.deepEqual(await claimed.execute(), slots)
  const { slots_taken } = await db.selectFrom('campaigns').select('slots_taken').executeTakeFirstOrThrow()
  assert.equal(slots_taken, 3)

  await removeSeeded(deps)
  const taken = db.selectFrom('slots').select('number').where('state', '!=', 'free').orderBy('number')
  assert.deepEqual(await taken.execute(), [])
  await seed(10)
  assert.deepEqual(await taken.execute(), slots)
})
