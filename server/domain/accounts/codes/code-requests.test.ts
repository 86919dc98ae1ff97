import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#contract/accounts/accounts.ts'
import { accountApi, EMAIL, wrongCode } from '#server/testing/account-api.ts'
import { PURPOSES, newCode, UNKNOWN } from '#server/testing/code-purposes.ts'
import { comparable } from '#server/testing/checks/comparable.ts'
import { ROUNDS } from '#server/testing/races.ts'

for (const purpose of PURPOSES) {
  const { name, prepare, requestCode, enter } = purpose

  test(`${name} is not mailed if a newer one replaces it before it is sent`, async (t) => {
    const api = await accountApi(t)
    await prepare(api)
    await newCode(purpose, api)
    await api.advance('61 seconds')
    const before = (await api.mailsTo(EMAIL)).length
    const newer = await newCode(purpose, api)
    assert.equal((await api.mailsTo(EMAIL)).length, before, 'the newer took the place of the older')
    assert.equal((await enter(api, newer)).status, 200)
  })

  test(`${name} can be requested again after a minute`, async (t) => {
    const api = await accountApi(t)
    await prepare(api)
    assert.equal((await requestCode(api)).status, 200)
    await api.deliver()
    const mails = (await api.mailsTo(EMAIL)).length
    await api.backdateCodes('30 seconds')
    const { status, body, headers } = await requestCode(api, EMAIL.toUpperCase())
    assert.deepEqual([status, body.code], [429, 'code_cooldown'])
    const wait = Number(headers['retry-after'])
    assert.ok(wait > 0 && wait <= 30, `${wait}`)
    assert.equal((await api.mailsTo(EMAIL)).length, mails)
    await api.backdateCodes('61 seconds')
    assert.equal((await requestCode(api)).status, 200)
    assert.equal((await api.mailsTo(EMAIL)).length, mails + 1)
  })

  test(`${name} can be requested five times an hour and ten a day, likewise for an unknown email`, async (t) => {
    const api = await accountApi(t)
    await prepare(api)
    await api.advance('2 days')
    // Registering mails the first of the five codes; for the unknown email, it is requested.
    const hasCode = name.includes('verify')
    if (hasCode) await Promise.all([api.register(), requestCode(api, UNKNOWN)])
    const requestBoth = async () => Promise.all([requestCode(api), requestCode(api, UNKNOWN)])
    const statuses = async () => (await requestBoth()).map(({ status }) => status)
    for (let count = hasCode ? 1 : 0; count < 5; count += 1) {
      await api.advance('61 seconds')
      assert.deepEqual(await statuses(), [200, 200], `${count}`)
    }
    await api.advance('61 seconds')
    const [known, unknown] = await requestBoth()
    assert.deepEqual([known.status, unknown.status], [429, 429])
    assert.ok(Number(known.headers['retry-after']) > 3_000)
    assert.equal(comparable(known), comparable(unknown))
    await api.advance('1 hour')
    for (let count = 5; count < 10; count += 1) {
      assert.deepEqual(await statuses(), [200, 200], `${count}`)
      await api.advance('13 minutes')
    }
    await api.advance('2 hours')
    assert.deepEqual(await statuses(), [429, 429])
    assert.deepEqual(await api.mailsTo(UNKNOWN), [])
  })

  test(`${name}: compares at most five of 51 parallel guesses`, async (t) => {
    const api = await accountApi(t)
    await prepare(api)
    for (let round = 0; round < 3; round += 1) {
      const code = await newCode(purpose, api)
      const guesses = Array.from({ length: 51 }, (_, index) =>
        index === 40 ? code : wrongCode(code, index + 1),
      )
      const answers = await Promise.all(guesses.map((guess) => enter(api, guess)))
      const count = (status: number) => answers.filter((answer) => answer.status === status).length
      assert.equal(count(200) + count(400) + count(429), 51)
      if (count(200) !== 1) assert.deepEqual([count(200), count(400), count(429)], [0, 5, 46])
      const { rows } = await api.pool.query<{ most: number }>('select max(attempts) as most from codes')
      assert.ok((rows[0]?.most ?? Infinity) <= 5)
      // If the right code was among the five that were compared, there is nothing left to guess.
      if (count(200) === 1) return
      await api.advance('61 seconds')
    }
  })

  test(`${name}: accepts one of several parallel requests and sends one email`, async (t) => {
    const api = await accountApi(t)
    await prepare(api)
    await api.deliver()
    const before = (await api.mailsTo(EMAIL)).length
    const answers = await Promise.all(Array.from({ length: 10 }, () => requestCode(api)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await api.mailsTo(EMAIL)).length, before + 1)
  })

  test(`${name} is accepted once when entered four times in parallel on two nodes`, async (t) => {
    const api = await accountApi(t)
    const other = await api.anotherNode()
    await prepare(api)
    for (let round = 0; round < ROUNDS; round += 1) {
      const code = await newCode(purpose, api)
      const endpoint = name.includes('verify') ? accounts.verifyEmail : accounts.verifyOtp
      const body = { email: EMAIL, otp: code }
      const answers = await Promise.all([api, other, api, other].map(({ call }) => call(endpoint, { body })))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1, `round ${round}`)
      await api.advance('2 days')
      if (name.includes('verify')) {
        const { rows } = await api.pool.query('select count(*) from users')
        assert.deepEqual(rows, [{ count: 1 }])
        await api.pool.query('delete from standings; delete from users')
        await api.register()
        await api.advance('61 seconds')
      }
    }
  })
}

test('keeps separate cooldowns for the two purposes', async (t) => {
  const api = await accountApi(t)
  await api.createAccount()
  assert.equal((await api.forgot()).status, 200)
  assert.equal((await api.register({ username: 'again' })).status, 201)
  assert.equal((await api.resend(EMAIL, 'reset-password')).status, 429)
})
