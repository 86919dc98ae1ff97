import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Task, User } from '#contract/entities.ts'
import { approveClaim, listClaimants, submitProof } from '#contract/claims/claims.ts'
import { testApi } from '#server/testing/api.ts'
import { markRejected } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { assertInvalid, refusalOf } from '#server/testing/checks/refusals.ts'
import { submitProof as submit } from './submission/submit-proof.ts'

const TASK_FIELDS = '_id approved pfPoints plsPoints retweetLink telegram twitter underReview wallet'

test('POST /tasks: returns a reason for each invalid field, or exactly the specified fields of a task', async (t) => {
  const api = await testApi(t)
  const [ann] = await createUsers(api.db, api.deps.campaign.id, 1)
  const send = (body: unknown) => api.call(submitProof, { token: ann.token, body })
  const good = freshProof()
  const burn = `0x${'0'.repeat(36)}dEaD`
  await assertInvalid(send, [
    [{}, { wallet: 'required', telegram: 'required', twitter: 'required', retweetLink: 'required' }],
    [{ ...good, wallet: api.deps.campaign.token.contract }, { wallet: 'wallet_token' }],
    [
      { ...good, retweetLink: `${good.retweetLink}?${'x'.repeat(300)}` },
      { retweetLink: 'retweet_link_format' },
    ],
    [
      { ...good, wallet: burn, telegram: '@x', twitter: '' },
      { wallet: 'wallet_burn', telegram: 'telegram_format', twitter: 'twitter_format' },
    ],
    [{ ...good, wallet: 'x'.repeat(61) }, { wallet: 'wallet_format' }],
    [{ ...good, wallet: ['0x'] }, { wallet: 'wrong_type' }],
    [
      { ...good, approved: true, _id: 'x' },
      { approved: 'unknown_field', _id: 'unknown_field' },
    ],
  ])

  const { status, body } = await send(good)
  assert.equal(status, 201, 'refused calls changed nothing')
  const { data, ...others } = body
  assert.deepEqual(others, { message: 'Task submitted successfully!' })
  assert.deepEqual(Object.keys(data as Task).toSorted(), TASK_FIELDS.split(' '))
})

/** What a claim earns in the test campaign. */
const GRANT = { pfPoints: 20_000, plsPoints: 20_000 }

test("PUT /tasks/{id}/approve: accepts only the campaign's amounts, and answers a repeated call alike", async (t) => {
  const api = await testApi(t)
  const [ann] = await createUsers(api.db, api.deps.campaign.id, 1)
  const [adm] = await createUsers(api.db, api.deps.campaign.id, 1, { role: 'admin' })
  const claimed = await api.call(submitProof, { token: ann.token, body: freshProof() })
  const task = claimed.body.data as Task
  const approve = (taskId: string, body: unknown = GRANT) =>
    api.call(approveClaim, { token: adm.token, params: { taskId }, body })
  assert.deepEqual(refusalOf(await approve('1')), [404, 'not_found'])
  const wrongBodies: unknown[] = [
    ...[20_001, '20000', '', null, true, [20_000], { value: 20_000 }].flatMap((value) => [
      { ...GRANT, pfPoints: value },
      { ...GRANT, plsPoints: value },
    ]),
    {},
    { pfPoints: 20_000 },
    { plsPoints: 20_000 },
    { ...GRANT, totalPoints: 40_000 },
    { ...GRANT, userId: ann.id },
    [GRANT],
  ]
  for (const body of wrongBodies) {
    const { status } = await approve(task._id, body)
    assert.equal(status, 400, JSON.stringify(body))
  }
  for (const table of ['ledger', 'journal'] as const)
    assert.equal((await api.db.selectFrom(table).selectAll().execute()).length, 0, table)

  const first = await approve(task._id)
  assert.equal(first.status, 200)
  assert.deepEqual(first.body, {
    message: 'Task verified successfully!',
    data: { ...task, ...GRANT, approved: true, underReview: false },
  })
  assert.deepEqual((await approve(task._id)).body, first.body)
  assert.deepEqual((await approve(task._id.toUpperCase())).body, first.body, 'the id in capitals')
})

async function setUpList(t: TestContext) {
  const api = await testApi(t)
  const { db, deps, call } = api
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const list = async (query: { page?: number; limit?: number } = {}) => {
    const { status, body } = await call(listClaimants, { token: adm.token, query })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).toSorted(), ['data', 'pagination'])
    return { users: body.data as User[], pagination: body['pagination'] }
  }
  const createClaimants = async (count: number) => {
    const claimants: { id: string; claimId: string }[] = []
    for (const { id } of await createUsers(db, deps.campaign.id, count))
      claimants.push({ id, claimId: (await submit(deps, id, freshProof()))._id })
    return claimants
  }
  return { ...api, adm, list, createClaimants }
}

const idsOf = (users: readonly User[]) => users.map(({ _id }) => _id)

test('GET /users/: lists participants with a claim in pages of twenty, in the order of their claims', async (t) => {
  const { db, deps, list, createClaimants } = await setUpList(t)
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
  const { db, deps, adm, list, createClaimants, runClaimChecks } = await setUpList(t)
  const [rejected, approved, checked] = await createClaimants(3)
  assert.ok(rejected && approved && checked)
  await reviewerOn(deps, adm).approve(approved.claimId)
  await runClaimChecks()
  await markRejected(db, rejected.claimId)
  const corrected = await submit(deps, rejected.id, freshProof())

  const { users } = await list()
  assert.deepEqual(idsOf(users), [rejected.id, approved.id, checked.id])
  const [first, second, third] = users.map(({ taskId }) => taskId)
  assert.equal(first?._id, corrected._id)
  assert.equal(second?.approved, true)
  assert.equal(third?.underReview, true)
})

test('GET /users/: returns every field unmasked, and refuses invalid parameters', async (t) => {
  const { db, deps, adm, call } = await setUpList(t)
  const [ann] = await createUsers(db, deps.campaign.id, 1, { email: () => 'anna.long@mail.example' })
  const task = await submit(deps, ann.id, freshProof())
  const { body } = await call(listClaimants, { token: adm.token })
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
    const invalid = await call(listClaimants, { token: adm.token, query })
    assert.deepEqual([invalid.status, Object.keys(invalid.body.fields ?? {})], [400, Object.keys(query)])
  }
})
