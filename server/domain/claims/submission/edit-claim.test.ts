import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Task } from '#contract/entities.ts'
import { reviewClaim, type ReviewClaim } from '#contract/dashboard/review.ts'
import {
  MAX_EDITS_PER_HOUR,
  editClaim,
  ownClaim,
  type OwnClaim,
  submitProof,
} from '#contract/claims/claims.ts'
import { CHECK_JOB } from '#server/domain/evidence/start-checks.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'

test('limits edits per hour, not counting unchanged or refused ones', async (t) => {
  const { db, deps, call } = await testApi(t)
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  let proof = freshProof()
  const claimed = await call(submitProof, { token: ann.token, body: proof })
  const params = { taskId: (claimed.body.data as Task)._id }
  const edit = (body: unknown) => call(editClaim, { token: ann.token, params, body })
  assert.equal((await edit(proof)).status, 200)
  assert.equal((await edit({ ...proof, wallet: '0x' })).status, 400)
  for (let edits = 0; edits < MAX_EDITS_PER_HOUR; edits += 1) {
    proof = freshProof()
    assert.equal((await edit(proof)).status, 200)
  }
  const countChecks = async () =>
    (await db.selectFrom('jobs').select('id').where('kind', '=', CHECK_JOB).execute()).length
  const before = await countChecks()
  const refused = await edit(freshProof())
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
  const retryAfter = Number(refused.headers['retry-after'])
  assert.ok(retryAfter > 0 && retryAfter <= 3600, String(retryAfter))
  assert.equal((await edit(proof)).status, 200, 'an unchanged proof is no edit')
  assert.equal((await edit({ ...proof, wallet: '0x' })).status, 400)
  assert.equal(await countChecks(), before, 'none of these starts checks')
  await sql`update claim_events set at = at - interval '1 hour'`.execute(db)
  assert.equal((await edit(freshProof())).status, 200)
})

test('returns the newest hundred entries of a long timeline, oldest first, to participant and reviewer', async (t) => {
  const { db, deps, call } = await testApi(t)
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const claimed = await call(submitProof, { token: ann.token, body: freshProof() })
  const claimId = (claimed.body.data as Task)._id
  // All dated before the claim was received, which is therefore the newest entry.
  await sql`
    insert into claim_events (id, claim_id, what, at)
    select gen_random_uuid(), ${claimId}, 'edited', now() - make_interval(mins => number)
    from generate_series(1, 150) as number`.execute(db)
  const mine = (await call(ownClaim, { token: ann.token })).body.data as OwnClaim
  const card = (await call(reviewClaim, { token: adm.token, params: { claimId } })).body.data as ReviewClaim
  assert.deepEqual(card.timeline, mine.timeline)
  assert.equal(mine.timeline.length, 100)
  assert.equal(mine.timeline.at(-1)?.what, 'received', 'the newest comes last')
  const times = mine.timeline.map(({ at }) => at)
  assert.deepEqual(times, times.toSorted())
})
