import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { reviewClaim, type ReviewClaim } from '#contract/dashboard/review.ts'
import { MAX_EDITS, editClaim, ownClaim, type OwnClaim } from '#contract/claims/claims.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { CHECK_JOB } from '#server/domain/evidence/start-checks.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { submitProof } from './submit-proof.ts'

/** Ann has a claim whose review has not started. */
async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { db, deps, call } = api
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const proof = freshProof()
  const { _id: claimId } = await submitProof(deps, ann.id, proof)
  const edit = (body: unknown) => call(editClaim, { token: ann.token, params: { taskId: claimId }, body })
  const readOwn = async () => ((await call(ownClaim, { token: ann.token })).body.data as OwnClaim).claim
  return { ...api, ann, adm, claimId, proof, edit, readOwn }
}

test('limits edits, and so what a claim reserves, not counting unchanged and invalid proofs', async (t) => {
  const { db, proof, edit, readOwn } = await setUp(t)
  const assertNoEdit = async (saved: Proof) => {
    assert.equal((await edit(saved)).status, 200)
    assert.equal((await edit({ ...saved, wallet: '0x' })).status, 400)
  }
  await assertNoEdit(proof)
  let last = proof
  for (let edits = 0; edits < MAX_EDITS; edits += 1) {
    last = freshProof()
    assert.equal((await readOwn())?.isEditable, true)
    assert.equal((await edit(last)).status, 200)
  }
  const checks = db.selectFrom('jobs').select('id').where('kind', '=', CHECK_JOB)
  const before = await checks.execute()
  // However much later.
  await sql`update claim_events set at = at - interval '30 days'`.execute(db)
  const { status, body } = await edit(freshProof())
  assert.deepEqual([status, body.code], [409, 'edits_over'])
  assert.equal(body.message, 'You’ve changed this claim 10 times, which is the limit.')
  assert.equal((await readOwn())?.isEditable, false)
  await assertNoEdit(last)
  assert.deepEqual(await checks.execute(), before, 'no checks were started')
  const reserved = await db.selectFrom('claim_identifiers').select('value').execute()
  assert.equal(reserved.length, 4 * (1 + MAX_EDITS))
})

test('participant and reviewer get the newest hundred entries of a long timeline, oldest first', async (t) => {
  const { db, call, ann, adm, claimId } = await setUp(t)
  // All dated before the claim was received, which is therefore the newest entry.
  await sql`
    insert into claim_events (id, claim_id, what, at)
    select gen_random_uuid(), ${claimId}, 'edited', now() - make_interval(mins => number)
    from generate_series(1, 150) as number`.execute(db)
  const { timeline } = (await call(ownClaim, { token: ann.token })).body.data as OwnClaim
  const card = (await call(reviewClaim, { token: adm.token, params: { claimId } })).body.data as ReviewClaim
  assert.deepEqual(card.timeline, timeline)
  assert.equal(timeline.length, 100)
  assert.equal(timeline.at(-1)?.what, 'received', 'the newest comes last')
  const times = timeline.map(({ at }) => at)
  assert.deepEqual(times, times.toSorted())
})
