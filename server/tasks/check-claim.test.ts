import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '../platform/ids.ts'
import { runDue } from '../platform/jobs.ts'
import { crowd } from '../testing/crowd.ts'
import { testDatabase } from '../testing/database.ts'
import { testDeps } from '../testing/deps.ts'
import { freshProof } from '../testing/proof.ts'
import { CHECK_JOB, checkClaim, gather } from './check-claim.ts'
import { submitProof } from './submit-proof.ts'

const OPENS = new Date('2026-01-01T00:00:00Z')
const SUBMITTED = new Date('2026-03-01T12:00:00Z')
const MINUTE = 60_000

const postAt = (time: number) => String(BigInt(time - 1_288_834_974_657) << 22n)

/** Check and outcome of each piece of evidence, for a claim that is right but for `changes`. */
function outcomes(changes: { link?: string; twitter?: string; madeAt?: number; wallet?: string }) {
  const postId = postAt(changes.madeAt ?? SUBMITTED.getTime() - MINUTE)
  const claim = {
    retweet_link: changes.link ?? `https://x.com/MoonBoy/status/${postId}`,
    twitter: changes.twitter ?? 'moonboy',
    post_id: postId,
    wallet: changes.wallet ?? '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  }
  const evidence = gather(claim, { opensAt: OPENS, submittedAt: SUBMITTED })
  return Object.fromEntries(evidence.map(({ check, outcome }) => [check, outcome]))
}

const RIGHT = { 'post-author': 'confirmed', 'post-time': 'confirmed', wallet: 'confirmed' }

test('handle, time of the post and wallet are judged by themselves', () => {
  assert.deepEqual(outcomes({}), RIGHT)
  assert.deepEqual(outcomes({ twitter: 'somebody' }), { ...RIGHT, 'post-author': 'contradicted' })
  assert.deepEqual(outcomes({ link: 'https://x.com/nobody' }), { ...RIGHT, 'post-author': 'contradicted' })
  assert.deepEqual(outcomes({ wallet: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }), {
    ...RIGHT,
    wallet: 'contradicted',
  })
})

test('the post was made between the opening and the claim, give or take the clocks', () => {
  const late = { ...RIGHT, 'post-time': 'contradicted' }
  assert.deepEqual(outcomes({ madeAt: OPENS.getTime() }), RIGHT)
  assert.deepEqual(outcomes({ madeAt: OPENS.getTime() - 1 }), late)
  assert.deepEqual(outcomes({ madeAt: SUBMITTED.getTime() + 5 * MINUTE }), RIGHT)
  assert.deepEqual(outcomes({ madeAt: SUBMITTED.getTime() + 5 * MINUTE + 1 }), late)
})

test('every piece of evidence says what it saw and where', () => {
  const claim = { retweet_link: 'https://x.com/a/status/1', twitter: 'b', post_id: '1', wallet: '0x1' }
  for (const { detail, source } of gather(claim, { opensAt: OPENS, submittedAt: SUBMITTED }))
    assert.ok(detail.length > 10 && source.length > 3)
})

test('the check moves a submitted claim to under review; done again it writes the same', async (t) => {
  const deps = await testDeps((await testDatabase(t)).db)
  const [ann] = await crowd(deps.db, deps.campaign.id, 1)
  assert.ok(ann)
  const { _id } = await submitProof(deps, ann.id, freshProof())
  const kept = async () => ({
    status: (await deps.db.selectFrom('claims').select('status').executeTakeFirstOrThrow()).status,
    evidence: await deps.db
      .selectFrom('evidence')
      .select(['claim_id', 'check_name', 'outcome', 'detail', 'source'])
      .orderBy('check_name')
      .execute(),
  })
  assert.deepEqual(await kept(), { status: 'submitted', evidence: [] })
  assert.equal(await runDue(deps.db, CHECK_JOB, (job) => checkClaim(deps, job)), 1)
  const checked = await kept()
  assert.equal(checked.status, 'under_review')
  assert.deepEqual(
    checked.evidence.map(({ claim_id, check_name }) => [claim_id, check_name]),
    ['post-author', 'post-time', 'wallet'].map((check) => [_id, check]),
  )
  assert.equal(await runDue(deps.db, CHECK_JOB, (job) => checkClaim(deps, job)), 0, 'it is done')
  await checkClaim(deps, { id: newId(), payload: { claimId: _id }, attempts: 2 })
  assert.deepEqual(await kept(), checked)
})

test('a claim that was decided meanwhile keeps its decision; one that is gone ends the job', async (t) => {
  const deps = await testDeps((await testDatabase(t)).db)
  const [ann] = await crowd(deps.db, deps.campaign.id, 1)
  assert.ok(ann)
  const { _id: claimId } = await submitProof(deps, ann.id, freshProof())
  await deps.db
    .updateTable('claims')
    .set({ status: 'rejected', decided_at: sql`now()` })
    .execute()
  const job = { id: newId(), payload: { claimId }, attempts: 1 }
  assert.deepEqual(await checkClaim(deps, job), { done: true })
  assert.equal((await deps.db.selectFrom('claims').select('status').executeTakeFirst())?.status, 'rejected')
  await deps.db.deleteFrom('claims').execute()
  assert.ok('dead' in (await checkClaim(deps, job)))
})
