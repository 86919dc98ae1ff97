import assert from 'node:assert/strict'
import { test } from 'node:test'
import campaign from '#server/testing/campaign.ts'
import { grantedPoints } from '#contract/claims/granted-points.ts'
import { deleteAccount } from '../accounts/deletion/delete-account.ts'
import { readEmail } from '../accounts/validate-fields.ts'
import { readBoard } from '../leaderboard/read-board.ts'
import { validateProof } from '../claims/submission/validate-proof.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { testDatabase } from '#server/testing/database.ts'
import { runClaimChecks } from '#server/testing/builders/evidence.ts'
import { testDeps, testNode } from '#server/testing/deps.ts'
import { assertLedgerJournaled, entriesOf } from '#server/testing/journal.ts'
import { fakePerson, walletOf } from './fake-people.ts'
import { removeSeeded } from './remove-seeded.ts'
import { countParticipants, seedParticipants } from './seed-participants.ts'

test('a number always gives the same participant, and no two are equal', () => {
  const people = Array.from({ length: 2_000 }, (_, number) => fakePerson(number))
  assert.deepEqual(fakePerson(1_234), people[1_234])
  for (const field of ['email', 'telegram', 'twitter'] as const) {
    assert.equal(new Set(people.map((person) => person[field].toLowerCase())).size, 2_000, field)
  }
  assert.equal(new Set(people.map((_, number) => walletOf(number))).size, 2_000)
  assert.equal(new Set(people.map((person) => person.claim)).size, 5)
})

test('seeded input passes validation, up to the millionth participant', () => {
  for (const number of [0, 1, 35, 36, 46_655, 46_656, 999_999]) {
    const { username, email, telegram, twitter } = fakePerson(number)
    const wallet = walletOf(number)
    assert.match(username, /^[A-Za-z0-9_.-]{3,20}$/)
    assert.equal(readEmail(email).key, email)
    const retweetLink = `https://x.com/${twitter}/status/2006000000000000001`
    assert.equal(validateProof({ wallet, telegram, twitter, retweetLink }, campaign).wallet, wallet)
  }
})

test('ledger invariants hold, and referral rewards stay within their limit', async (t) => {
  const { db } = await testDatabase(t)
  const few = { ...campaign, airdrop: { ...campaign.airdrop, referralsPaid: 3 } }
  const deps = await testDeps(db, few)
  await seedParticipants({ db, campaign: few, passwordHash: 'none' }, 1_020)
  await seedParticipants({ db, campaign: few, passwordHash: 'none' }, 20)
  assert.deepEqual(await countParticipants(db), { seeded: 1_040, real: 0 })
  await assertLedgerInvariants(deps)
  await assertLedgerJournaled(db)
  const seeded = await entriesOf(db, { action: 'participants.seeded' })
  const counts = seeded.map(({ after }) => after)
  assert.deepEqual(counts, [{ participants: 1_000 }, { participants: 20 }, { participants: 20 }])
  const { data, pagination } = await readBoard(db, few.id, { page: 1, limit: 1 })
  assert.equal(pagination.totalItems, 1_040)
  const { pfPoints, plsPoints } = grantedPoints(few.airdrop)
  const pointsOfOne = pfPoints + plsPoints
  assert.equal(data[0]?.totalPoints, pointsOfOne + 3 * few.airdrop.referralReward)
})

test('numbers are not used again after an account was deleted, since its name is held', async (t) => {
  const { db, deps } = await testNode(t)
  const seed = () => seedParticipants({ db, campaign, passwordHash: 'none' }, 5)
  await seed()
  const { id: userId } = await db
    .selectFrom('users')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await deleteAccount(deps, { userId, by: null })
  await seed()
  assert.deepEqual(await countParticipants(db), { seeded: 9, real: 0 })
})

test('submitted claims are checked by the server like real ones', async (t) => {
  const { db, deps } = await testNode(t)
  await seedParticipants({ db, campaign, passwordHash: 'none' }, 80)
  const submitted = () => db.selectFrom('claims').selectAll().where('status', '=', 'submitted').execute()
  assert.ok((await submitted()).length > 0)
  await runClaimChecks(deps)
  assert.equal((await submitted()).length, 0)
  const evidence = await db
    .selectFrom('evidence')
    .select('outcome')
    .where('check_name', 'in', ['post-time', 'wallet'])
    .execute()
  assert.deepEqual(new Set(evidence.map((seen) => seen.outcome)), new Set(['confirmed']))
})

test('creates no more claims than slots', async (t) => {
  const { db } = await testDatabase(t)
  const small = { ...campaign, airdrop: { ...campaign.airdrop, slots: 30 } }
  await testDeps(db, small)
  await seedParticipants({ db, campaign: small, passwordHash: 'none' }, 100)
  await seedParticipants({ db, campaign: small, passwordHash: 'none' }, 10)
  const claims = await db.selectFrom('claims').select('slot').orderBy('slot').execute()
  const numbers = claims.map((claim) => claim.slot)
  assert.deepEqual(
    numbers,
    Array.from({ length: 30 }, (_, index) => index + 1),
  )
  const { slots_taken } = await db.selectFrom('campaigns').select('slots_taken').executeTakeFirstOrThrow()
  assert.equal(slots_taken, 30)
})

test('claims take the slots that removed participants have freed', async (t) => {
  const small = { ...campaign, airdrop: { ...campaign.airdrop, slots: 3 } }
  const { db, deps } = await testNode(t, small)
  const seed = () => seedParticipants({ db, campaign: small, passwordHash: 'none' }, 10)
  await seed()
  await removeSeeded(deps)
  await seed()
  const slots = await db.selectFrom('slots').select('number').where('state', '!=', 'free').execute()
  assert.deepEqual(new Set(slots.map(({ number }) => number)), new Set([1, 2, 3]))
})
