import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Deps } from '#server/deps.ts'
import { createAdministrator } from '../accounts/create-administrator.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { approve } from '../claims/decisions/approve.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { assertLedgerInvariants } from '#server/testing/ledger-invariants.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { runClaimChecks } from '#server/testing/evidence.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertLedgerJournaled } from '#server/testing/journal.ts'
import { campaignWith, twoNodes } from '#server/testing/races.ts'
import { seededRandom } from '#server/testing/random.ts'
import { compactBoardCounts, leaveBoard } from './board.ts'

const SLOTS = 45

type World = { nodes: readonly Deps[]; people: TestUser[]; admins: TestUser[]; random: () => number }

async function world(t: TestContext, seed: number): Promise<World> {
  const nodes = await twoNodes(t, campaignWith({ slots: SLOTS, referralsPaid: 4 }))
  const { db, campaign } = nodes[0]
  const people = await createUsers(db, campaign.id, 6)
  for (const ref of people.slice(0, 3))
    people.push(...(await createUsers(db, campaign.id, 12, { referredBy: ref.id })))
  const admins = await createUsers(db, campaign.id, 2, { role: 'admin' })
  return { nodes, people, admins, random: seededRandom(seed) }
}

/** A random operation; refusals are part of the test. */
async function randomOperation({ nodes, people, admins, random }: World): Promise<void> {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] ?? assert.fail()
  const node = one(nodes)
  const dice = random()
  if (dice < 0.4) await submitProof(node, one(people).id, freshProof())
  else if (dice < 0.75) await approveOne(node, one(admins), random())
  else if (dice < 0.85) await runClaimChecks(node)
  else if (dice < 0.92) await compactBoardCounts(node.db)
  else if (dice < 0.96) await suspend(node, one(people))
  else await promote(node, one(people))
}

async function approveOne(node: Deps, reviewer: TestUser, which: number): Promise<void> {
  const claims = await node.db.selectFrom('claims').select('id').orderBy('id').execute()
  const claim = claims[Math.floor(which * claims.length)]
  if (!claim) return
  await approve(node, {
    claimId: claim.id,
    amounts: { pfPoints: 20_000, plsPoints: 20_000 },
    reviewer: { userId: reviewer.id, role: 'admin', tokenHash: Buffer.alloc(0) },
    network: '192.0.2.1',
  })
}

function suspend({ db }: Deps, { id }: TestUser): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx.updateTable('users').set({ banned_at: new Date() }).where('id', '=', id).execute()
    await leaveBoard(tx, id)
  })
}

function promote({ db, campaign, hasher }: Deps, { email, username }: TestUser): Promise<unknown> {
  const quick = { ...hasher, hash: async () => 'none' }
  return createAdministrator(
    { db, campaign, hasher: quick },
    { email, username, password: 'a long passphrase' },
  )
}

const unlessRefused = (error: unknown) => {
  if (!(error instanceof Refusal)) throw error
}

for (const seed of [1, 369, 20_000]) {
  test(`ledger, profiles and leaderboard agree after random operations (seed ${seed})`, async (t) => {
    const all = await world(t, seed)
    const { db, campaign } = all.nodes[0] ?? assert.fail()
    for (let step = 1; step <= 20; step += 1) {
      await Promise.all(Array.from({ length: 12 }, () => randomOperation(all).catch(unlessRefused)))
      if (step % 5 === 0) await assertLedgerInvariants({ db, campaign })
    }
    await compactBoardCounts(db)
    await assertLedgerInvariants({ db, campaign })
    await assertLedgerJournaled(db)

    const claims = await db.selectFrom('claims').select(['id', 'status', 'slot']).orderBy('slot').execute()
    assert.deepEqual(
      claims.map((claim) => claim.slot),
      claims.map((_, index) => index + 1),
    )
    const { slots_taken } = await db.selectFrom('campaigns').select('slots_taken').executeTakeFirstOrThrow()
    assert.equal(slots_taken, claims.length)
    assert.ok(claims.length > 15 && claims.length <= SLOTS, `${claims.length} claims`)
    const approved = claims.filter((claim) => claim.status === 'approved').map((claim) => claim.id)
    assert.ok(approved.length > 10, `${approved.length} approved`)
    const count = async (action: string) =>
      (await db.selectFrom('journal').select('id').where('action', '=', action).execute()).length
    assert.equal(await count('claim.approved'), approved.length, 'one journal entry each')
    const credits = await db
      .selectFrom('ledger')
      .select(['claim_id', 'kind', 'user_id'])
      .where('kind', '!=', 'referral')
      .execute()
    assert.deepEqual(
      credits.map((credit) => credit.claim_id).toSorted(),
      [...approved, ...approved].toSorted(),
      'both credits for each approved claim and for no other',
    )
    const rewards = await db.selectFrom('ledger').select('user_id').where('kind', '=', 'referral').execute()
    const perPerson = Object.values(Object.groupBy(rewards, (reward) => reward.user_id)).map(
      (paid) => paid?.length,
    )
    assert.ok(rewards.length > 0 && perPerson.every((paid) => (paid ?? 0) <= 4), String(perPerson))
  })
}
