import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Task } from '#contract/entities.ts'
import { approveClaim, submitProof } from '#contract/claims/claims.ts'
import { newId } from '#server/platform/database/ids.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertInvalid } from '#server/testing/checks/refusals.ts'
import { campaignWith } from '#server/testing/races.ts'

const TASK_FIELDS = '_id approved pfPoints plsPoints retweetLink telegram twitter underReview wallet'.split(
  ' ',
)

const keys = (value: unknown) => Object.keys(value as object).toSorted()

test("POST /tasks: refuses no session, malformed JSON, other content types, large bodies and prototype pollution; replies with exactly the contract's fields", async (t) => {
  const api = await testApi(t)
  const [ann] = await createUsers(api.db, api.deps.campaign.id, 1)
  const stranger = await api.call(submitProof, { body: freshProof() })
  assert.deepEqual([stranger.status, stranger.body.message], [401, 'Please log in.'])
  const good = JSON.stringify(freshProof())
  const bodies: [sent: string, type: string, expected: number][] = [
    [good.replace('{', '{"__proto__":{"role":"admin"},'), 'application/json', 400],
    [good.replace('{', '{"constructor":{"prototype":{"role":"admin"}},'), 'application/json', 400],
    [good.slice(1), 'application/json', 400],
    [good, 'text/plain', 415],
    ['wallet=0x', 'application/x-www-form-urlencoded', 415],
    [`{"wallet":"${'0'.repeat(20_000)}"}`, 'application/json', 413],
  ]
  for (const [sent, type, expected] of bodies) {
    const input = { token: ann.token, body: sent, headers: { 'content-type': type } }
    const { status: refused } = await api.call(submitProof, input)
    assert.equal(refused, expected, sent.slice(0, 60))
  }
  assert.equal((await api.db.selectFrom('claims').selectAll().execute()).length, 0)

  const { status, body, headers } = await api.call(submitProof, { token: ann.token, body: freshProof() })
  assert.equal(status, 201)
  assert.deepEqual(keys(body), ['data', 'message'])
  assert.equal(body.message, 'Task submitted successfully!')
  assert.deepEqual(keys(body.data), TASK_FIELDS)
  assert.equal(headers['cache-control'], 'no-store')
})

test('POST /tasks: reports every invalid field with its cataloged message', async (t) => {
  const api = await testApi(t)
  const [ann] = await createUsers(api.db, api.deps.campaign.id, 1)
  const json = { 'content-type': 'application/json' }
  const send = (body: unknown) => api.call(submitProof, { token: ann.token, body, headers: json })
  const good = freshProof()
  const burn = `0x${'0'.repeat(36)}dEaD`
  await assertInvalid(send, [
    [{}, { wallet: 'required', telegram: 'required', twitter: 'required', retweetLink: 'required' }],
    [{ ...good, wallet: '0x12' }, { wallet: 'wallet_format' }],
    [{ ...good, wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1beAed' }, { wallet: 'wallet_checksum' }],
    [{ ...good, wallet: burn }, { wallet: 'wallet_burn' }],
    [{ ...good, wallet: api.deps.campaign.token.contract }, { wallet: 'wallet_token' }],
    [{ ...good, telegram: '@x' }, { telegram: 'telegram_format' }],
    [{ ...good, twitter: 'two words' }, { twitter: 'twitter_format' }],
    [{ ...good, retweetLink: 'javascript:alert(1)' }, { retweetLink: 'retweet_link_format' }],
    [
      { ...good, retweetLink: `${good.retweetLink}?${'x'.repeat(300)}` },
      { retweetLink: 'retweet_link_format' },
    ],
    [{ ...good, twitter: 'stranger' }, { retweetLink: 'retweet_link_handle' }],
    [
      { ...good, wallet: burn, twitter: '' },
      { wallet: 'wallet_burn', twitter: 'twitter_format' },
    ],
    [{ ...good, wallet: 'x'.repeat(61) }, { wallet: 'wallet_format' }],
    [
      { ...good, wallet: 7, telegram: null },
      { wallet: 'wrong_type', telegram: 'wrong_type' },
    ],
    [
      { ...good, wallet: ['0x'], twitter: {} },
      { wallet: 'wrong_type', twitter: 'wrong_type' },
    ],
    [{ ...good, approved: true }, { approved: 'unknown_field' }],
    [
      { ...good, pfPoints: 9, _id: 'x' },
      { pfPoints: 'unknown_field', _id: 'unknown_field' },
    ],
    [[], { body: 'wrong_type' }],
    ['"text"', { body: 'wrong_type' }],
  ])
  assert.equal((await send(good)).status, 201, 'refused calls changed nothing')
})

test('POST /tasks: replies to each conflict with its code and message', async (t) => {
  const api = await testApi(t, { campaign: campaignWith({ slots: 2 }) })
  const [ann, ben, cleo, dan] = await createUsers(api.db, api.deps.campaign.id, 4)
  const claim = async ({ token }: TestUser, body: unknown) => {
    const answer = await api.call(submitProof, { token, body })
    return [answer.status, answer.body.code, answer.body.message]
  }
  const first = freshProof()
  assert.equal((await claim(ann, first))[0], 201)
  const already = [409, 'already_claimed', 'You have already claimed the airdrop!']
  assert.deepEqual(await claim(ann, first), already)
  assert.deepEqual(await claim(ann, freshProof()), already)
  const taken = (what: string) => [409, `${what}_taken`, `This ${what} has already been used for a claim.`]
  assert.deepEqual(await claim(ben, { ...freshProof(), wallet: first.wallet }), taken('wallet'))
  assert.deepEqual(await claim(ben, { ...freshProof(), telegram: first.telegram }), taken('handle'))
  const other = freshProof()
  const samePost = first.retweetLink.replace(first.twitter.slice(1), other.twitter.slice(1))
  assert.deepEqual(await claim(ben, { ...other, retweetLink: samePost }), taken('post'))
  assert.equal((await claim(cleo, freshProof()))[0], 201)
  assert.deepEqual(await claim(dan, freshProof()), [409, 'slots_gone', 'All slots are taken.'])
})

test('POST /tasks: refuses claims before opening and after closing', async (t) => {
  const dates = [
    [{ opensAt: '2999-01-01T00:00:00Z' }, 'campaign_not_open', 'The airdrop has not opened yet.'],
    [
      { opensAt: '2020-01-01T00:00:00Z', closesAt: '2020-02-01T00:00:00Z' },
      'campaign_closed',
      'The airdrop is closed.',
    ],
  ] as const
  for (const [airdrop, code, message] of dates) {
    const api = await testApi(t, { campaign: campaignWith(airdrop) })
    const [ann] = await createUsers(api.db, api.deps.campaign.id, 1)
    const { status, body } = await api.call(submitProof, { token: ann.token, body: freshProof() })
    assert.deepEqual([status, body.code, body.message], [409, code, message])
  }
})

const GRANT = { pfPoints: 20_000, plsPoints: 20_000 }

test('PUT /tasks/{id}/approve: requires an administrator who is not the participant', async (t) => {
  const api = await testApi(t)
  const [ann, ben] = await createUsers(api.db, api.deps.campaign.id, 2)
  const [adm] = await createUsers(api.db, api.deps.campaign.id, 1, { role: 'admin' })
  const claim = async (token: string | undefined) =>
    ((await api.call(submitProof, { token, body: freshProof() })).body.data as Task)._id
  const [taskId, own] = [await claim(ann.token), await claim(adm.token)]
  const refused = async (token: string | undefined, id: string) => {
    const { status, body } = await api.call(approveClaim, { token, params: { taskId: id }, body: GRANT })
    return [status, body.code]
  }
  assert.deepEqual(await refused(undefined, taskId), [401, 'unauthenticated'])
  assert.deepEqual(await refused(ann.token, taskId), [403, 'forbidden'], "the caller's own claim")
  assert.deepEqual(await refused(ben.token, taskId), [403, 'forbidden'], "another's")
  assert.deepEqual(await refused(ben.token, newId()), [403, 'forbidden'], 'an unknown claim is refused alike')
  assert.deepEqual(await refused(adm.token, own), [403, 'own_claim'])
  assert.deepEqual(await refused(adm.token, newId()), [404, 'claim_not_found'])
  for (const id of ['1', 'undefined', `${taskId}0`, `${taskId}' or '1'='1`, '%00'])
    assert.deepEqual(await refused(adm.token, id), [400, 'invalid_input'], id)
  assert.equal((await api.db.selectFrom('ledger').selectAll().execute()).length, 0)
})

test("PUT /tasks/{id}/approve: accepts only the campaign's amounts; a repeat gets the same reply", async (t) => {
  const api = await testApi(t)
  const [ann] = await createUsers(api.db, api.deps.campaign.id, 1)
  const [adm] = await createUsers(api.db, api.deps.campaign.id, 1, { role: 'admin' })
  const claimed = await api.call(submitProof, { token: ann.token, body: freshProof() })
  const task = claimed.body.data as Task
  const params = { taskId: task._id }
  const numbers = [0, -20_000, 19_999, 20_001, 20_000.5, 1e9, 1e308]
  const others = ['20000', '', null, true, [20_000], { value: 20_000 }]
  const bodies: unknown[] = [
    ...[...numbers, ...others].flatMap((value) => [
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
  for (const body of bodies) {
    const { status } = await api.call(approveClaim, { token: adm.token, params, body })
    assert.equal(status, 400, JSON.stringify(body))
  }
  for (const table of ['ledger', 'journal'] as const)
    assert.equal((await api.db.selectFrom(table).selectAll().execute()).length, 0, table)

  const approve = (taskId: string) =>
    api.call(approveClaim, { token: adm.token, params: { taskId }, body: GRANT })
  const first = await approve(task._id)
  assert.equal(first.status, 200)
  assert.deepEqual(first.body, {
    message: 'Task verified successfully!',
    data: { ...task, ...GRANT, approved: true, underReview: false },
  })
  assert.deepEqual((await approve(task._id)).body, first.body)
  assert.deepEqual((await approve(task._id.toUpperCase())).body, first.body)
})
