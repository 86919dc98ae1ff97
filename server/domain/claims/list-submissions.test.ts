import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User } from '#contract/entities.ts'
import { listSubmissions as endpoint } from '#contract/claims/claims.ts'
import { testApi } from '#server/testing/api.ts'
import { markRejected } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { submitProof } from './submission/submit-proof.ts'

test('GET /users/: lists submitters by time of first submission, whatever the decision', async (t) => {
  const api = await testApi(t)
  const { deps } = api
  const people = await createUsers(api.db, deps.campaign.id, 25)
  const [adm] = await createUsers(api.db, deps.campaign.id, 1, { role: 'admin' })
  const list = async (query: { page?: number; limit?: number } = {}) => {
    const { status, body } = await api.call(endpoint, { token: adm.token, query })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).toSorted(), ['data', 'pagination'])
    return { data: body.data as User[], pagination: body['pagination'] }
  }
  assert.deepEqual(await list(), { data: [], pagination: { currentPage: 1, totalPages: 1, totalItems: 0 } })

  const claims: string[] = []
  for (const { id } of people.slice(0, 23)) claims.push((await submitProof(deps, id, freshProof()))._id)
  const pages = async () => [await list(), await list({ page: 2 }), await list({ page: 3 })]
  const idsOn = (...lists: { data: User[] }[]) => lists.flatMap(({ data }) => data.map((user) => user._id))
  const before = await pages()
  const lengths = before.map(({ data }) => data.length)
  assert.deepEqual(lengths, [20, 3, 0])
  assert.deepEqual(before[1]?.pagination, { currentPage: 2, totalPages: 2, totalItems: 23 })
  assert.deepEqual(before[2]?.pagination, { currentPage: 3, totalPages: 2, totalItems: 23 })
  const submitters = people.slice(0, 23).map((person) => person.id)
  assert.deepEqual(idsOn(...before), submitters)

  for (const index of [4, 21]) await reviewerOn(deps, adm).approve(claims[index] ?? '')
  await api.runClaimChecks()
  await markRejected(api.db, claims[7] ?? '')
  const corrected = await submitProof(deps, submitters[7] ?? '', freshProof())
  const after = await pages()
  assert.deepEqual(idsOn(...after), submitters, 'the order survives approval, rejection and correction')
  assert.equal(after[0]?.data[4]?.taskId?.approved, true)
  assert.equal(after[0]?.data[5]?.taskId?.underReview, true)
  assert.equal(after[0]?.data[7]?.taskId?._id, corrected._id, 'the newest claim is shown')
  assert.deepEqual(idsOn(await list({ limit: 5, page: 5 })), submitters.slice(20))
})

test('GET /users/: returns every field unmasked; validates page and limit', async (t) => {
  const api = await testApi(t)
  const [ann] = await createUsers(api.db, api.deps.campaign.id, 1, { email: () => 'anna.long@mail.example' })
  const [adm] = await createUsers(api.db, api.deps.campaign.id, 1, { role: 'admin' })
  const proof = freshProof()
  const task = await submitProof(api.deps, ann.id, proof)
  const { body } = await api.call(endpoint, { token: adm.token })
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
    const invalid = await api.call(endpoint, { token: adm.token, query })
    assert.deepEqual([invalid.status, Object.keys(invalid.body.fields ?? {})], [400, Object.keys(query)])
  }
})
