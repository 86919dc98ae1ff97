import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Deps } from '#server/deps.ts'
import { runDue } from '#server/platform/jobs/jobs.ts'
import { NOW } from '#server/platform/database/times.ts'
import { claimant } from '#server/testing/builders/claimants.ts'
import { testNode } from '#server/testing/deps.ts'
import { runClaimChecks } from '#server/testing/builders/evidence.ts'
import { ROUNDS, twoNodes } from '#server/testing/database/races.ts'
import { SCORE_JOB, scoreDueClaim } from './score-claim.ts'

const HOSTEL = '203.0.113.7'

const scoreAll = (deps: Deps) => runDue(deps.db, SCORE_JOB, (job) => scoreDueClaim(deps, job))

async function setUp(t: TestContext) {
  const { db, deps } = await testNode(t)
  const claims = db.selectFrom('claims').select(['status', 'risk', 'held_for'])
  const claimOf = (claimId: string) => claims.where('id', '=', claimId).executeTakeFirstOrThrow()
  const submitUnscored = (person: Parameters<typeof claimant>[1]) =>
    claimant(deps, { ...person, isScored: false })
  return { deps, claimOf, submitUnscored }
}

test('holds a claim whose risk reaches the threshold, once it is checked and scored', async (t) => {
  const { deps, claimOf, submitUnscored } = await setUp(t)
  const ann = await submitUnscored({ email: 'ann@mail.example' })
  const twin = await submitUnscored({ email: 'ann+2@mail.example', joinedMinutesAgo: 1 })
  await runClaimChecks(deps)
  assert.equal((await claimOf(twin.claimId)).status, 'under_review')
  await scoreAll(deps)
  assert.deepEqual(await claimOf(ann.claimId), {
    status: 'held',
    risk: 60,
    held_for: ['The email address is a variant of the one used by another account.'],
  })
  const { held_for: reasons, ...claim } = await claimOf(twin.claimId)
  // 60 for the variant of an email, and 15 for the quick proof.
  assert.deepEqual(claim, { status: 'held', risk: 75 })
  assert.equal(reasons?.length, 2)
  assert.match(reasons[1] ?? '', /^The proof was submitted only [0-9]+ seconds? after/)
})

test('does not hold the claims of quick guests of one hostel who were invited by one of them', async (t) => {
  const { deps, claimOf, submitUnscored } = await setUp(t)
  const host = await submitUnscored({ network: HOSTEL, joinedMinutesAgo: 1 })
  const guests = []
  for (let guest = 0; guest < 7; guest += 1)
    guests.push(await submitUnscored({ network: HOSTEL, joinedMinutesAgo: 1, referredBy: host.id }))
  await runClaimChecks(deps)
  await scoreAll(deps)
  // 15 each for the shared network, the ring of referrals and the quick proof, and 10 for the star.
  for (const { claimId } of guests)
    assert.partialDeepStrictEqual(await claimOf(claimId), { status: 'under_review', risk: 55 })
})

test('a later claim raises the risk of an approved one that it links to, but does not hold it', async (t) => {
  const { deps, claimOf, submitUnscored } = await setUp(t)
  const ann = await submitUnscored({ email: 'ann@mail.example' })
  await runClaimChecks(deps)
  await scoreAll(deps)
  await deps.db.updateTable('claims').set({ status: 'approved', decided_at: NOW }).execute()
  await submitUnscored({ email: 'ann+2@mail.example' })
  await runClaimChecks(deps)
  await scoreAll(deps)
  assert.deepEqual(await claimOf(ann.claimId), { status: 'approved', risk: 60, held_for: null })
})

test('race: holds both of two claims with variants of one email, submitted on two nodes at once', async (t) => {
  const nodes = await twoNodes(t)
  const [one] = nodes
  for (let round = 0; round < ROUNDS; round += 1) {
    const twins = await Promise.all(
      nodes.map((node, index) =>
        claimant(node, { email: `r${round}+${index}@mail.example`, isScored: false }),
      ),
    )
    await Promise.all(
      nodes.map(async (node) => {
        await runClaimChecks(node)
        await scoreAll(node)
      }),
    )
    for (const { claimId } of twins) {
      const claims = one.db.selectFrom('claims').select('status').where('id', '=', claimId)
      assert.deepEqual(await claims.execute(), [{ status: 'held' }], `round ${round}`)
    }
  }
})
