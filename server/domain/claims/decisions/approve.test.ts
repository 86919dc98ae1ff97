import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { EVIDENCE_CHECKS } from '#contract/claims/evidence.ts'
import type { Deps } from '#server/deps.ts'
import { newId } from '#server/platform/database/ids.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { markRejected } from '#server/testing/builders/claimants.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { setUpRace } from '#server/testing/builders/decision-races.ts'
import { runClaimChecks } from '#server/testing/builders/evidence.ts'
import { testNode } from '#server/testing/deps.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { ROUNDS, tally } from '#server/testing/races.ts'
import { approve } from './approve.ts'
import { submitProof } from '../submission/submit-proof.ts'

const GRANT = { pfPoints: 20_000, plsPoints: 20_000 }

const decide = (deps: Deps, claimId: string, { id: userId }: TestUser, amounts = GRANT) =>
  approve(deps, {
    claimId,
    amounts,
    reviewer: { userId, role: 'admin', tokenHash: Buffer.alloc(0) },
    network: '192.0.2.1',
  })

const written = async ({ db }: Deps) => ({
  ledger: await db
    .selectFrom('ledger')
    .select(['user_id', 'kind', 'amount', 'claim_id'])
    .orderBy('claim_id')
    .orderBy('kind')
    .execute(),
  journal: await entriesOf(db, { action: 'claim.approved' }),
})

test('credits both kinds of points, journals the decision, and leaves the rest of the claim alone', async (t) => {
  const { deps } = await testNode(t)
  const [ann] = await createUsers(deps.db, deps.campaign.id, 1)
  const [adm] = await createUsers(deps.db, deps.campaign.id, 1, { role: 'admin' })
  const before = await submitProof(deps, ann.id, freshProof())
  const task = await decide(deps, before._id, adm)
  assert.deepEqual(task, { ...before, ...GRANT, approved: true, underReview: false })
  const credit = { user_id: ann.id, amount: 20_000, claim_id: before._id }
  const expected = {
    ledger: [
      { ...credit, kind: 'pf' },
      { ...credit, kind: 'pls' },
    ],
    journal: [
      {
        actor: adm.id,
        action: 'claim.approved',
        subject: before._id,
        before: { status: 'submitted' },
        after: { status: 'approved', ...GRANT },
        content: { network: '192.0.2.1' },
      },
    ],
  }
  assert.deepEqual(await written(deps), expected)
  assert.deepEqual(await decide(deps, before._id, adm), task, 'a repeat gets the same answer')
  assert.deepEqual(await written(deps), expected, 'a repeat changes nothing')
  await assertLedgerInvariants(deps)
})

test('writes nothing when an approval is refused', async (t) => {
  const { deps } = await testNode(t)
  const [ann, ben] = await createUsers(deps.db, deps.campaign.id, 2)
  const [adm, boss] = await createUsers(deps.db, deps.campaign.id, 2, { role: 'admin' })
  const { _id } = await submitProof(deps, ann.id, freshProof())
  const rejected = await submitProof(deps, ben.id, freshProof())
  await markRejected(deps.db, rejected._id)
  for (const wrong of [0, 1, -20_000, 19_999, 20_000.5, 40_000, 1e9, Number.NaN, Infinity])
    for (const kind of ['pfPoints', 'plsPoints']) {
      const deciding = decide(deps, _id, adm, { ...GRANT, [kind]: wrong })
      await assert.rejects(deciding, { code: 'wrong_points' }, String(wrong))
    }
  await assert.rejects(decide(deps, newId(), adm), { code: 'claim_not_found' })
  await assert.rejects(decide(deps, rejected._id, adm), { code: 'claim_rejected' })
  const own = await submitProof(deps, adm.id, freshProof())
  await assert.rejects(decide(deps, own._id, adm), { code: 'own_claim' })
  assert.deepEqual(await written(deps), { ledger: [], journal: [] })

  // Another administrator may approve it: the points count, but administrators are not on the leaderboard.
  assert.deepEqual(await decide(deps, own._id, boss), { ...own, ...GRANT, approved: true })
  await assert.rejects(decide(deps, own._id, adm), { code: 'own_claim' })
  await assertLedgerInvariants(deps)
})

test('race: eight concurrent approvals by two administrators on two nodes credit and reward once', async (t) => {
  const { here, there, adm, boss, claim } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { id } = await claim()
    const calls = [adm, boss, adm, boss].flatMap((by) => [decide(here, id, by), decide(there, id, by)])
    assert.deepEqual(await tally(calls), { done: 8 }, `round ${round}`)
    for (const answer of await Promise.all(calls)) assert.equal(answer.pfPoints, 20_000)
    const { ledger, journal } = await written(here)
    assert.deepEqual([ledger.length, journal.length], [3 * round, round], `round ${round}`)
  }
  await assertLedgerInvariants(here)
})

test('race: a claim approved during its background check ends approved, with its evidence', async (t) => {
  const { here, there, adm, claim } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { id } = await claim()
    await Promise.all([runClaimChecks(there), decide(here, id, adm), decide(there, id, adm)])
    const { rows } = await sql`
      select status, (select count(*) from evidence where claim_id = c.id) as checks
      from claims c where id = ${id}`.execute(here.db)
    assert.deepEqual(rows, [{ status: 'approved', checks: EVIDENCE_CHECKS.length }], `round ${round}`)
  }
  await assertLedgerInvariants(here)
})

test('race: a referral chain is approved concurrently, in any order', async (t) => {
  const { here, there, adm } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const chain: TestUser[] = []
    for (let link = 0; link < 4; link += 1) {
      const last = chain.at(-1)
      chain.push(...(await createUsers(here.db, here.campaign.id, 1, last ? { referredBy: last.id } : {})))
    }
    const claims = await Promise.all(chain.map(({ id }) => submitProof(here, id, freshProof())))
    const calls = claims.map(({ _id }, index) => decide(index % 2 ? there : here, _id, adm))
    assert.deepEqual(await tally(calls), { done: 4 }, `round ${round}`)
  }
  const { ledger } = await written(here)
  assert.equal(ledger.filter((row) => row.kind === 'referral').length, 3 * ROUNDS)
  await assertLedgerInvariants(here)
})
