import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { User } from '#contract/entities.ts'
import { listSubmissions as endpoint } from '#contract/claims/claims.ts'
import { testApi } from '#server/testing/api.ts'
import { markRejected } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { submitProof } from './submission/submit-proof.ts'

async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { db, deps, call } = api
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const list = async (query: { page?: number; limit?: number } = {}) => {
    const { status, body } = await call(endpoint, { token: adm.token, query })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).toSorted(), ['data', 'pagination'])
    return { users: body.data as User[], pagination: body['pagination'] }
  }
  /** Creates participants with a claim each. */
  const createClaimants = async (count: number) => {
    const claimants: { id: string; claimId: string }[] = []
    for (const { id } of await createUsers(db, deps.campaign.id, count))
      claimants.push({ id, claimId: (await submitProof(deps, id, freshProof()))._id })
    return claimants
  }
  return { ...api, adm, list, createClaimants }
}

const idsOf = (users: readonly User[]) => users.map(({ _id }) => _id)

test('GET /users/: lists participants with a claim in pages of twenty, in the order of their claims', async (t) => {
  const { db, deps, list, createClaimants } = await setUp(t)
  const noItems = { currentPage: 1, totalPages: 1, totalItems: 0 }
  assert.deepEqual(await list(), { users: [], pagination: noItems })

  const ids = (await createClaimants(23)).map(({ id }) => id)
  await createUsers(db, deps.campaign.id, 2)
  const total = { totalPages: 2, totalItems: 23 }
  for (const [page, expected] of [
    [1, ids.slice(0, 20)],
    [2, ids.slice(20)],
    [3, []],
  ] as const) {
    const { users, pagination } = await list({ page })
    assert.deepEqual(idsOf(users), expected)
    assert.deepEqual(pagination, { currentPage: page, ...total })
  }
  assert.deepEqual(idsOf((await list({ limit: 5, page: 5 })).users), ids.slice(20))
})

test('GET /users/: keeps the order after approvals, rejections and corrections, and shows the newest claim', async (t) => {
  const { db, deps, adm, list, createClaimants, runClaimChecks } = await setUp(t)
  const [rejected, approved, checked] = await createClaimants(3)
  assert.ok(rejected && approved && checked)
  await reviewerOn(deps, adm).approve(approved.claimId)
  await runClaimChecks()
  await markRejected(db, rejected.claimId)
  const corrected = await submitProof(deps, rejected.id, freshProof())

  const { users } = await list()
  assert.deepEqual(idsOf(users), [rejected.id, approved.id, checked.id])
  const [first, second, third] = users.map(({ taskId }) => taskId)
  assert.equal(first?._id, corrected._id)
  assert.equal(second?.approved, true)
  assert.equal(third?.underReview, true)
})

test('GET /users/: returns every field unmasked, and refuses invalid parameters', async (t) => {
  const { db, deps, adm, call } = await setUp(t)
  const [ann] = await createUsers(db, deps.campaign.id, 1, { email: () => 'anna.long@mail.example' })
  const task = await submitProof(deps, ann.id, freshProof())
  const { body } = await call(endpoint, { token: adm.token })
  assert.deepEqual(body.data, [
    {
      _id: ann.id,
      username: ann.username,
      email: 'anna.long@mail.example',
      referralCode: ann.referralCode,
      role: 'user',
      isTaskCompleted: true,
      referralCount: 0,
      referralReward: 0,
      pfPoints: 0,
      plsPoints: 0,
      totalPoints: 0,
      taskId: { ...task, revision: '1' },
    },
  ])
  for (const query of [{ page: 0 }, { limit: 0 }, { limit: 101 }, { page: 'x' }, { role: 'admin' }]) {
    const invalid = await call(endpoint, { token: adm.token, query })
    assert.deepEqual([invalid.status, Object.keys(invalid.body.fields ?? {})], [400, Object.keys(query)])
  }
})
