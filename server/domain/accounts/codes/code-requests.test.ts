import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#contract/accounts/accounts.ts'
import { apiWithAccount, EMAIL, wrongCode } from '#server/testing/account-api.ts'
import {
  obtainCode,
  PURPOSES,
  UNKNOWN,
  UNTIL_NEXT_CODE,
  VERIFICATION,
} from '#server/testing/code-purposes.ts'
import { comparable } from '#server/testing/checks/comparable.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { ROUNDS } from '#server/testing/database/races.ts'

for (const purpose of PURPOSES) {
  const { name, prepare, requestCode, enter } = purpose

  test(`${name} is not mailed if a newer one replaces it before it is sent`, async (t) => {
    const api = await prepare(t)
    await obtainCode(purpose, api)
    await api.passCooldown()
    const before = (await api.mailsTo(EMAIL)).length
    const newer = await obtainCode(purpose, api)
    assert.equal((await api.mailsTo(EMAIL)).length, before, 'the newer code takes the place of the older one')
    assert.equal((await enter(api, newer)).status, 200)
  })

  test(`${name} can be requested again after a minute`, async (t) => {
    const api = await prepare(t)
    assert.equal((await requestCode(api)).status, 200)
    await api.deliver()
    const mails = (await api.mailsTo(EMAIL)).length
    await api.backdateCodes('30 seconds')
    const refused = await requestCode(api, EMAIL.toUpperCase())
    assert.deepEqual(refusalOf(refused), [429, 'code_cooldown'])
    const waitSeconds = Number(refused.headers['retry-after'])
    assert.ok(waitSeconds > 0 && waitSeconds <= 30, String(waitSeconds))
    assert.equal((await api.mailsTo(EMAIL)).length, mails)
    await api.backdateCodes('61 seconds')
    assert.equal((await requestCode(api)).status, 200)
    assert.equal((await api.mailsTo(EMAIL)).length, mails + 1)
  })

  test(`${name} can be requested five times an hour and ten a day, even for an unknown email`, async (t) => {
    const api = await prepare(t)
    const requestBoth = () => Promise.all([requestCode(api), requestCode(api, UNKNOWN)])
    const statusesOfBoth = async () => (await requestBoth()).map(({ status }) => status)
    await api.passDailyLimits()
    // A new registration mails the first of the five codes; for the unknown email, it is requested.
    if (purpose === VERIFICATION) await Promise.all([api.register(), requestCode(api, UNKNOWN)])
    else assert.deepEqual(await statusesOfBoth(), [200, 200], 'request 1')
    for (let count = 2; count <= 5; count += 1) {
      await api.passCooldown()
      assert.deepEqual(await statusesOfBoth(), [200, 200], `request ${count}`)
    }
    await api.passCooldown()
    const [known, unknown] = await requestBoth()
    assert.deepEqual([known.status, unknown.status], [429, 429])
    assert.ok(Number(known.headers['retry-after']) > 3_000)
    assert.equal(comparable(known), comparable(unknown))

    await api.advance('1 hour')
    for (let count = 6; count <= 10; count += 1) {
      assert.deepEqual(await statusesOfBoth(), [200, 200], `request ${count}`)
      await api.advance(UNTIL_NEXT_CODE)
    }
    await api.advance('2 hours')
    assert.deepEqual(await statusesOfBoth(), [429, 429])
    assert.deepEqual(await api.mailsTo(UNKNOWN), [])
  })

  test(`${name} is compared with at most five of many parallel guesses`, async (t) => {
    const api = await prepare(t)
    for (let round = 0; round < 3; round += 1) {
      const code = await obtainCode(purpose, api)
      const wrongCodes = Array.from({ length: 50 }, (_, index) => wrongCode(code, index + 1))
      const guesses = wrongCodes.toSpliced(40, 0, code)
      const answers = await Promise.all(guesses.map((guess) => enter(api, guess)))
      const byStatus = Object.groupBy(answers, ({ status }) => status)
      const { 200: accepted = [], 400: wrong = [], 429: refused = [] } = byStatus
      assert.equal(accepted.length + wrong.length + refused.length, guesses.length)
      const { rows } = await api.pool.query<{ most: number }>('select max(attempts) as most from codes')
      assert.ok((rows[0]?.most ?? Infinity) <= 5)
      // If the right code was among the five that were compared, there is nothing left to guess.
      if (accepted.length > 0) return assert.equal(accepted.length, 1)
      assert.equal(wrong.length, 5)
      await api.passCooldown()
    }
  })

  test(`${name} is mailed once after several parallel requests, of which one is accepted`, async (t) => {
    const api = await prepare(t)
    await api.deliver()
    const before = (await api.mailsTo(EMAIL)).length
    const answers = await Promise.all(Array.from({ length: 10 }, () => requestCode(api)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await api.mailsTo(EMAIL)).length, before + 1)
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
      await api.passDailyLimits()
      if (purpose === VERIFICATION) {
        const { rows } = await api.pool.query('select count(*) from users')
        assert.deepEqual(rows, [{ count: 1 }])
        await api.pool.query('delete from standings; delete from users')
        await api.register()
        await api.passCooldown()
      }
    }
  })
}

test('keeps separate cooldowns for the two purposes', async (t) => {
  const api = await apiWithAccount(t)
  assert.equal((await api.forgot()).status, 200)
  assert.equal((await api.register({ username: 'again' })).status, 201)
  assert.equal((await api.resend(EMAIL, 'reset-password')).status, 429)
})
