import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#contract/accounts/accounts.ts'
import { accountApi, EMAIL, wrongCode } from '#server/testing/account-api.ts'
import { comparable } from '#server/testing/checks/comparable.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import {
  EXHAUSTED,
  INVALID,
  obtainCode,
  outcomeOf,
  PURPOSES,
  UNKNOWN_EMAIL,
  UNTIL_NEXT_CODE,
  VERIFICATION,
} from '#server/testing/code-purposes.ts'
import { ROUNDS } from '#server/testing/database/races.ts'

const NOT_STRINGS = [123456, 12345.6, ['123456'], { $ne: '' }, null, true]
const NOT_SIX_CHARACTERS = ['', '12345', '1234567', ' 123456', '123456 ', '123456\n', '123456.0']
const OTHER_SCRIPTS = ['１２３４５６', '١٢٣٤٥٦', '12345६']
const NOT_ASCII_DIGITS = [...OTHER_SCRIPTS, '1e5000', '+12345', '-12345', '0x1234', '12345\u0000']

for (const purpose of PURPOSES) {
  const { name, prepare, requestCode, enter, accepted } = purpose

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

  test(`${name} is valid for ten minutes by the database’s clock, unless a newer one voids it`, async (t) => {
    const api = await prepare(t)
    const expired = await obtainCode(purpose, api)
    await api.backdateCodes('10 minutes 10 seconds')
    assert.deepEqual(outcomeOf(await enter(api, expired)), INVALID)
    const older = await obtainCode(purpose, api)
    await api.passCooldown()
    const mailsBefore = (await api.mailsTo(EMAIL)).length
    const newer = await obtainCode(purpose, api)
    assert.equal((await api.mailsTo(EMAIL)).length, mailsBefore, 'replaces the unsent email')
    if (older !== newer) assert.deepEqual(outcomeOf(await enter(api, older)), INVALID)
    await api.backdateCodes('9 minutes 30 seconds')
    assert.equal((await enter(api, newer)).status, 200)
  })

  test(`${name} is accepted once, even as the fifth guess; anything but six ASCII digits is no guess`, async (t) => {
    const api = await prepare(t)
    const code = await obtainCode(purpose, api)
    for (const otp of [...NOT_STRINGS, ...NOT_SIX_CHARACTERS, ...NOT_ASCII_DIGITS, Number(code), [code]]) {
      const refused = await enter(api, otp as string)
      assert.deepEqual(refusalOf(refused), [400, 'invalid_input'], JSON.stringify(otp))
      assert.deepEqual(Object.keys(refused.body.fields ?? {}), ['otp'], JSON.stringify(otp))
    }
    for (let guess = 1; guess <= 4; guess += 1) await enter(api, wrongCode(code, guess))
    const fifth = await enter(api, code)
    assert.deepEqual([fifth.status, fifth.body.message], [200, accepted])
    const { rows } = await api.pool.query(`select count from rate_limits where key like 'wrong codes %'`)
    assert.deepEqual(rows, [{ count: 4 }], 'the right code does not count as wrong')
    assert.deepEqual(outcomeOf(await enter(api, code)), INVALID)
  })

  test(`${name} can be requested again after a minute, and is mailed once after several parallel requests`, async (t) => {
    const api = await prepare(t)
    await api.deliver() // An email that was sent is not replaced.
    const mailsBefore = (await api.mailsTo(EMAIL)).length
    const answers = await Promise.all(Array.from({ length: 10 }, () => requestCode(api)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, 'the others have to wait')
    assert.equal((await api.mailsTo(EMAIL)).length, mailsBefore + 1)
    await api.deliver()
    await api.backdateCodes('30 seconds')
    const refused = await requestCode(api, EMAIL.toUpperCase())
    assert.deepEqual(refusalOf(refused), [429, 'code_cooldown'])
    const waitSeconds = Number(refused.headers['retry-after'])
    assert.ok(waitSeconds > 0 && waitSeconds <= 30, String(waitSeconds))
    await api.backdateCodes('61 seconds')
    assert.equal((await requestCode(api)).status, 200)
    assert.equal((await api.mailsTo(EMAIL)).length, mailsBefore + 2, 'a refused request mails nothing')
  })

  test(`${name} can be requested five times an hour and ten a day, even for an unknown email`, async (t) => {
    const api = await prepare(t)
    const requestBoth = () => Promise.all([requestCode(api), requestCode(api, UNKNOWN_EMAIL)])
    const statusesOfBoth = async () => (await requestBoth()).map(({ status }) => status)
    // The code that was mailed for a registration would be one of the five.
    await api.pool.query('delete from codes')
    for (let count = 1; count <= 5; count += 1) {
      assert.deepEqual(await statusesOfBoth(), [200, 200], `request ${count}`)
      await api.passCooldown()
    }
    const [known, unknown] = await requestBoth()
    assert.deepEqual([known.status, unknown.status], [429, 429])
    assert.ok(Number(known.headers['retry-after']) > 3_000, 'almost an hour')
    assert.equal(comparable(known), comparable(unknown))

    await api.advance('1 hour')
    for (let count = 6; count <= 10; count += 1) {
      assert.deepEqual(await statusesOfBoth(), [200, 200], `request ${count}`)
      await api.advance(UNTIL_NEXT_CODE)
    }
    await api.advance('2 hours')
    assert.deepEqual(await statusesOfBoth(), [429, 429], 'after ten in a day')
    assert.deepEqual(await api.mailsTo(UNKNOWN_EMAIL), [])
  })

  test(`${name} is compared with at most five of many parallel guesses`, async (t) => {
    const api = await prepare(t)
    for (let round = 0; round < 3; round += 1) {
      const code = await obtainCode(purpose, api)
      const wrongCodes = Array.from({ length: 20 }, (_, index) => wrongCode(code, index + 1))
      const guesses = wrongCodes.toSpliced(15, 0, code)
      const answers = await Promise.all(guesses.map((guess) => enter(api, guess)))
      const byStatus = Object.groupBy(answers, ({ status }) => status)
      const { 200: right = [], 400: wrong = [], 429: refused = [] } = byStatus
      assert.equal(right.length + wrong.length + refused.length, guesses.length)
      const { rows } = await api.pool.query<{ most: number }>('select max(attempts) as most from codes')
      assert.ok((rows[0]?.most ?? Infinity) <= 5)
      // If the right code was among the five that were compared, it is used up.
      if (right.length > 0) return assert.equal(right.length, 1)
      assert.equal(wrong.length, 5, 'the others were not compared')
      await api.passCooldown()
    }
  })

  test(`${name} is accepted once when entered four times in parallel on two nodes`, async (t) => {
    const api = await prepare(t)
    const other = await api.anotherNode()
    for (let round = 0; round < ROUNDS; round += 1) {
      const code = await obtainCode(purpose, api)
      const endpoint = purpose === VERIFICATION ? accounts.verifyEmail : accounts.verifyOtp
      const body = { email: EMAIL, otp: code }
      const answers = await Promise.all([api, other, api, other].map(({ call }) => call(endpoint, { body })))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1, `round ${round}`)
      if (purpose === VERIFICATION) {
        const { rows } = await api.pool.query('select count(*) from users')
        assert.deepEqual(rows, [{ count: 1 }])
        await api.pool.query('delete from standings; delete from users')
        await api.register()
      }
      // So that no earlier code or guess limits the next round.
      await api.pool.query('delete from codes; delete from rate_limits')
    }
  })
}

test('codes of another purpose or email are rejected, and each purpose has its own cooldown', async (t) => {
  const api = await accountApi(t)
  await api.register()
  await api.register({ username: 'bob', email: 'bob@mail.example' })
  const [toVerify, bobs] = [await api.codeFor(EMAIL), await api.codeFor('bob@mail.example')]
  assert.deepEqual(outcomeOf(await api.exchange(toVerify)), INVALID)
  if (toVerify !== bobs) assert.deepEqual(outcomeOf(await api.verify(bobs)), INVALID)
  assert.equal((await api.verify(toVerify, EMAIL.toUpperCase())).status, 200)
  assert.equal((await api.forgot()).status, 200)
  const toReset = await api.codeFor(EMAIL)
  assert.equal((await api.register({ username: 'again' })).status, 201) // makes a code for verification
  assert.equal((await api.resend(EMAIL, 'reset-password')).body.code, 'code_cooldown')
  await api.passCooldown()
  assert.deepEqual(outcomeOf(await api.verify(toReset)), INVALID)
  assert.equal((await api.exchange(toReset)).status, 200)
})
