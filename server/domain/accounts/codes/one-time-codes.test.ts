import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountApi, EMAIL, wrongCode } from '#server/testing/account-api.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { EXHAUSTED, INVALID, obtainCode, PURPOSES, outcomeOf } from '#server/testing/code-purposes.ts'

const NOT_STRINGS = [123456, 12345.6, ['123456'], { $ne: '' }, null, true]
const NOT_SIX_CHARACTERS = [
  '',
  '12345',
  '1234567',
  ' 123456',
  '123456 ',
  '123456\n',
  '123456.0',
  '12345\u0000',
]
const NOT_ASCII_DIGITS = ['１２３４５６', '١٢٣٤٥٦', '12345६', '1e5000', '+12345', '-12345', '0x1234']

for (const purpose of PURPOSES) {
  const { name, prepare, enter, accepted } = purpose

  test(`${name} is rejected after five wrong guesses`, async (t) => {
    const api = await prepare(t)
    const code = await obtainCode(purpose, api)
    for (let guess = 1; guess <= 5; guess += 1) {
      const wrong = await enter(api, wrongCode(code, guess))
      assert.deepEqual(outcomeOf(wrong), INVALID)
      assert.deepEqual(wrong.body.fields, { otp: wrong.body.message }, 'the message is also at the field')
    }
    const answer = await enter(api, code)
    assert.deepEqual(outcomeOf(answer), EXHAUSTED)
    assert.deepEqual(answer.body.fields, { otp: answer.body.message })
    const waitSeconds = Number(answer.headers['retry-after'])
    assert.ok(waitSeconds > 30 && waitSeconds <= 60, 'a new code may be requested within a minute')

    await api.passCooldown()
    const fresh = await obtainCode(purpose, api)
    if (fresh !== code) assert.deepEqual(outcomeOf(await enter(api, code)), INVALID)
    assert.equal((await enter(api, fresh)).status, 200)
  })

  test(`${name} is void once a newer one is mailed`, async (t) => {
    const api = await prepare(t)
    const older = await obtainCode(purpose, api)
    await api.passCooldown()
    const newer = await obtainCode(purpose, api)
    if (older !== newer) assert.deepEqual(outcomeOf(await enter(api, older)), INVALID)
    assert.equal((await enter(api, newer)).status, 200)
  })

  test(`${name} is valid for ten minutes by the database’s clock`, async (t) => {
    const api = await prepare(t)
    const late = await obtainCode(purpose, api)
    await api.backdateCodes('10 minutes 10 seconds')
    assert.deepEqual(outcomeOf(await enter(api, late)), INVALID)
    const early = await obtainCode(purpose, api)
    await api.backdateCodes('9 minutes 30 seconds')
    assert.equal((await enter(api, early)).status, 200)
  })

  test(`${name} is accepted once, even as the fifth guess`, async (t) => {
    const api = await prepare(t)
    const code = await obtainCode(purpose, api)
    for (let guess = 1; guess <= 4; guess += 1) await enter(api, wrongCode(code, guess))
    const fifth = await enter(api, code)
    assert.deepEqual([fifth.status, fifth.body.message], [200, accepted])
    assert.deepEqual(outcomeOf(await enter(api, code)), INVALID)
  })

  test(`${name} must be a string of six ASCII digits; anything else counts as no guess`, async (t) => {
    const api = await prepare(t)
    const code = await obtainCode(purpose, api)
    for (const otp of [...NOT_STRINGS, ...NOT_SIX_CHARACTERS, ...NOT_ASCII_DIGITS, Number(code), [code]]) {
      const refused = await enter(api, otp as string)
      assert.deepEqual(refusalOf(refused), [400, 'invalid_input'], JSON.stringify(otp))
      assert.deepEqual(Object.keys(refused.body.fields ?? {}), ['otp'], JSON.stringify(otp))
    }
    const { rows } = await api.pool.query<{ guesses: number }>(
      'select sum(attempts)::int as guesses from codes where closed_at is null',
    )
    assert.equal(rows[0]?.guesses, 0)
  })
}

test('rejects a code of the other purpose', async (t) => {
  const api = await accountApi(t)
  await api.register()
  const toVerify = await api.codeFor(EMAIL)
  assert.deepEqual(outcomeOf(await api.exchange(toVerify)), INVALID)
  assert.equal((await api.verify(toVerify)).status, 200)
  await api.passCooldown()
  await api.forgot()
  const toReset = await api.codeFor(EMAIL)
  await api.register({ username: 'again' })
  assert.deepEqual(outcomeOf(await api.verify(toReset)), INVALID)
  assert.equal((await api.exchange(toReset)).status, 200)
})

test('rejects a code of another email', async (t) => {
  const api = await accountApi(t)
  await api.register()
  await api.register({ username: 'bob', email: 'bob@mail.example' })
  const [alices, bobs] = [await api.codeFor(EMAIL), await api.codeFor('bob@mail.example')]
  if (alices !== bobs) assert.deepEqual(outcomeOf(await api.verify(alices, 'bob@mail.example')), INVALID)
  assert.equal((await api.verify(alices, EMAIL.toUpperCase())).status, 200)
})
