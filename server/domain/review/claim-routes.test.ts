import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import * as contract from '#contract/dashboard/review.ts'
import { errorMessages } from '#server/messages/errors.ts'
import { newId } from '#server/platform/database/ids.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertInvalid, refusalOf } from '#server/testing/checks/refusals.ts'
import { campaignWith, inCampaign } from '#server/testing/database/races.ts'

type CallOptions = { token?: string; claimId?: string; body?: unknown }

/** By default, `call` is about Ann's claim `id` and made by the administrator `adm`. `boss` is another. */
async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { deps, db } = api
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  const [adm, boss] = await createUsers(db, deps.campaign.id, 2, { role: 'admin' })
  const { _id: id } = await submitProof(deps, ann.id, freshProof())
  const call = (endpoint: Endpoint, { token = adm.token, claimId = id, body }: CallOptions = {}) =>
    api.call(endpoint, { token, params: { claimId }, body })
  const lock = (token = adm.token) => call(contract.lockClaim, { token })
  const unlock = (token = adm.token) => call(contract.unlockClaim, { token })
  const readLock = async (token = adm.token) =>
    ((await call(contract.reviewClaim, { token })).body.data as contract.ReviewClaim).lock
  /** The seconds from the start of the review to the end of each review lock. */
  const readExpiries = async () => {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from until - review_started_at)::float8 as seconds
      from review_locks join claims on id = claim_id`.execute(db)
    return rows.map(({ seconds }) => seconds)
  }
  return { ...api, id, ann, call, adm, boss, lock, unlock, readLock, readExpiries }
}

const REASON = { reason: 'post_missing' }
const CALLS: [name: string, endpoint: Endpoint, body?: unknown][] = [
  ['read', contract.reviewClaim],
  ['lock', contract.lockClaim],
  ['unlock', contract.unlockClaim],
  ['reject', contract.rejectClaim, REASON],
  ['undo', contract.undoDecision],
]

test('every claim endpoint refuses unknown claims and fields, and claims of the caller or another campaign', async (t) => {
  const { deps, db, id, ann, adm, call } = await setUp(t)
  const { _id: own } = await submitProof(deps, adm.id, freshProof())
  const [elsewhere] = await inCampaign([deps], campaignWith({}, 'elsewhere'))
  const { _id: foreign } = await submitProof(elsewhere, ann.id, freshProof())
  for (const [name, endpoint, body] of CALLS) {
    for (const claimId of ['1', `${id}0`, `${id}' or '1'='1`])
      assert.deepEqual(refusalOf(await call(endpoint, { claimId, body })), [404, 'not_found'], name)
    if (endpoint.method !== 'GET') {
      const answer = await call(endpoint, { body: { ...REASON, force: true } })
      assert.equal(answer.body.fields?.['force'], errorMessages.fields['unknown_field'], name)
    }
    // Unlocking refuses no claim. It does nothing if the caller has not locked the claim.
    if (name === 'unlock') continue
    for (const claimId of [newId(), foreign])
      assert.deepEqual(refusalOf(await call(endpoint, { claimId, body })), [404, 'claim_not_found'], name)
    if (name !== 'read')
      assert.deepEqual(refusalOf(await call(endpoint, { claimId: own, body })), [403, 'own_claim'], name)
  }
  const decided = await db.selectFrom('claims').select('id').where('decided_at', 'is not', null).execute()
  assert.deepEqual(decided, [])
  assert.deepEqual(await db.selectFrom('review_locks').selectAll().execute(), [])
})

test('a review lock keeps other administrators off for two minutes, and can be renewed', async (t) => {
  const { db, adm, boss, call, lock, readLock, readExpiries } = await setUp(t)
  const taken = await lock()
  assert.deepEqual([taken.status, taken.body.message], [200, 'This claim is locked for you for two minutes.'])
  assert.deepEqual(await readExpiries(), [contract.LOCK_SECONDS])
  assert.equal((await readLock(boss.token))?.by, adm.username)
  const rejection = await call(contract.rejectClaim, { token: boss.token, body: REASON })
  for (const refused of [await lock(boss.token), rejection]) {
    assert.deepEqual(refusalOf(refused), [409, 'claim_locked'])
    assert.equal(refused.body['by'], adm.username)
  }
  await sql`update review_locks set until = until - interval '100 seconds'`.execute(db)
  assert.equal((await lock()).status, 200)
  const [seconds = 0] = await readExpiries()
  assert.ok(seconds >= contract.LOCK_SECONDS, `the lock expires after ${seconds} seconds`)
})

test('an administrator can release their own review lock, even twice, but no one else’s', async (t) => {
  const { boss, lock, unlock, readExpiries } = await setUp(t)
  await lock()
  const before = await readExpiries()
  await unlock(boss.token)
  assert.deepEqual(await readExpiries(), before)
  await unlock()
  assert.equal((await lock(boss.token)).status, 200)
  for (const { status, body } of [await unlock(boss.token), await unlock(boss.token)])
    assert.deepEqual([status, body], [200, { message: 'This claim is unlocked.' }])
  assert.deepEqual(await readExpiries(), [])
  assert.equal((await lock()).status, 200)
})

test('a review lock is void once it has expired or the clock has been set back', async (t) => {
  const { db, boss, lock, readLock } = await setUp(t)
  await lock()
  await sql`update review_locks set until = now()`.execute(db)
  assert.equal((await lock(boss.token)).status, 200)
  assert.deepEqual(refusalOf(await lock()), [409, 'claim_locked'])
  await sql`update review_locks set until = until + interval '1 hour'`.execute(db)
  assert.equal(await readLock(), null)
  assert.equal((await lock()).status, 200)
})

test('a rejection and an undo reply with the claim, and are refused without anything to reject or undo', async (t) => {
  const { boss, id, call } = await setUp(t)
  const reject = (body: unknown = REASON) => call(contract.rejectClaim, { body })
  await assertInvalid(reject, [
    [{}, { reason: 'not_offered' }],
    [{ reason: 'other' }, { text: 'required' }],
    [{ ...REASON, text: 'x'.repeat(contract.MAX_REJECTION_TEXT_LENGTH + 1) }, { text: 'text_long' }],
    [{ ...REASON, text: 7 }, { text: 'wrong_type' }],
    [{ ...REASON, text: 'a\u202eb' }, { text: 'text_format' }],
  ])
  assert.deepEqual(refusalOf(await call(contract.undoDecision)), [409, 'nothing_to_undo'])
  const done = await reject()
  const task = { _id: id, status: 'rejected', reason: 'We couldn’t find your post.', approved: false }
  assert.deepEqual([done.status, done.body.message], [200, 'The claim has been rejected.'])
  assert.partialDeepStrictEqual(done.body.data, task)
  assert.deepEqual(refusalOf(await reject()), [409, 'claim_rejected'])
  const undone = await call(contract.undoDecision, { token: boss.token })
  assert.deepEqual([undone.status, undone.body.message], [200, 'The decision has been undone.'])
  assert.partialDeepStrictEqual(undone.body.data, { _id: id, approved: false, underReview: true })
})
