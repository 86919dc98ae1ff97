import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Task } from '#contract/entities.ts'
import { approveClaim, submitProof } from '#contract/claims/claims.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertInvalid } from '#server/testing/checks/refusals.ts'

const TASK_FIELDS = '_id approved pfPoints plsPoints retweetLink telegram twitter underReview wallet'

test('POST /tasks: returns the reason for each invalid field, and exactly the specified fields for a valid proof', async (t) => {
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

const GRANT = { pfPoints: 20_000, plsPoints: 20_000 }

test("PUT /tasks/{id}/approve: accepts only the campaign's amounts, and repeats the reply to a repeated call", async (t) => {
  const api = await testApi(t)
  const [ann] = await createUsers(api.db, api.deps.campaign.id, 1)
  const [adm] = await createUsers(api.db, api.deps.campaign.id, 1, { role: 'admin' })
  const claimed = await api.call(submitProof, { token: ann.token, body: freshProof() })
  const task = claimed.body.data as Task
  const approve = (taskId: string, body: unknown = GRANT) =>
    api.call(approveClaim, { token: adm.token, params: { taskId }, body })
  assert.equal((await approve('1')).body.code, 'invalid_input')
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
  assert.deepEqual((await approve(task._id.toUpperCase())).body, first.body)
})
