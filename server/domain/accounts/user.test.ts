import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { profile } from '#contract/accounts/accounts.ts'
import type { Task, User } from '#contract/entities.ts'
import { approveClaim, submitProof } from '#contract/claims/claims.ts'
import { newId } from '#server/platform/database/ids.ts'
import { testApi } from '#server/testing/api.ts'
import { createAdmin, createUsers } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { submitProof as submit } from '../claims/submission/submit-proof.ts'
import { readClaimants, readUser } from './user.ts'

/** For four tasks of 5,000 points of each kind. */
const GRANT = { pfPoints: 20_000, plsPoints: 20_000 }

test('reads the profile in each state: not submitted, submitted, under review, approved', async (t) => {
  const api = await testApi(t)
  const [referrer] = await createUsers(api.db, api.deps.campaign.id, 1)
  const [ann] = await createUsers(api.db, api.deps.campaign.id, 1, { referredBy: referrer.id })
  const adm = await createAdmin(api)
  const read = async ({ token }: { token: string }) => (await api.call(profile, { token })).body.data as User
  const fresh = await read(ann)
  const points = { pfPoints: 0, plsPoints: 0, totalPoints: 0, referralCount: 0, referralReward: 0 }
  const { token, id: _id, ...account } = ann
  const unclaimed = { isTaskCompleted: false, taskId: null, ...points, rank: 2 } // The referrer came first.
  assert.deepEqual(fresh, { _id, ...account, role: 'user', ...unclaimed })
  const withUserId = await api.call(profile, { token, query: { userId: referrer.id } })
  assert.equal(withUserId.status, 400, 'no parameter leads to another’s profile')

  const { body } = await api.call(submitProof, { token, body: freshProof() })
  // In the API, `taskId` holds the whole task.
  const task = body.data as Task
  assert.deepEqual(await read(ann), { ...fresh, isTaskCompleted: true, taskId: task })
  assert.equal(task.underReview, false)

  await api.runClaimChecks()
  const inReview = { isTaskCompleted: true, taskId: { ...task, underReview: true } }
  assert.deepEqual(await read(ann), { ...fresh, ...inReview })
  assert.equal((await read(referrer)).referralCount, 0)

  await api.call(approveClaim, { token: adm.token, params: { taskId: task._id }, body: GRANT })
  const paid = { ...GRANT, totalPoints: 40_000 }
  const approved = { ...task, ...GRANT, approved: true }
  assert.deepEqual(await read(ann), { ...fresh, ...paid, rank: 1, isTaskCompleted: true, taskId: approved })
  const rewarded = { referralCount: 1, referralReward: 1000, totalPoints: 1000 }
  assert.partialDeepStrictEqual(await read(referrer), rewarded)
})

test('shows the task of a rejected claim as not completed until a corrected one replaces it, and none in other campaigns', async (t) => {
  const { deps } = await testNode(t)
  const [ann] = await createUsers(deps.db, deps.campaign.id, 1)
  const first = await submit(deps, ann.id, freshProof())
  await sql`update claims set status = 'rejected', reason_code = 'other', decided_at = now()`.execute(deps.db)
  const rejected = await readUser(deps.db, deps.campaign.id, ann.id)
  assert.partialDeepStrictEqual(rejected, { isTaskCompleted: false, taskId: { _id: first._id } })
  const second = await submit(deps, ann.id, freshProof())
  const corrected = await readUser(deps.db, deps.campaign.id, ann.id)
  assert.partialDeepStrictEqual(corrected, { isTaskCompleted: true, taskId: { _id: second._id } })

  await deps.db.updateTable('standings').set({ pf: 7 }).execute()
  const elsewhere = await readUser(deps.db, 'next-airdrop', ann.id)
  assert.partialDeepStrictEqual(elsewhere, { isTaskCompleted: false, taskId: null, totalPoints: 0 })
})

test('reads the known users in the given order, and throws if asked for a single unknown user', async (t) => {
  const { db, campaign } = (await testNode(t)).deps
  const people = await createUsers(db, campaign.id, 4)
  const ids = [people[3].id, people[0].id, people[2].id]
  const users = await readClaimants(db, campaign.id, [...ids, newId()])
  const readIds = users.map(({ user }) => user._id)
  assert.deepEqual(readIds, ids)
  assert.deepEqual(await readClaimants(db, campaign.id, []), [])
  await assert.rejects(readUser(db, campaign.id, newId()), /no user/)
})
