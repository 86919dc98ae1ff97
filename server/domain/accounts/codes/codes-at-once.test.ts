import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountApi, EMAIL, wrongCode } from '#server/testing/account-api.ts'
import { newCode, KINDS } from '#server/testing/code-kinds.ts'
import { ROUNDS } from '#server/testing/races.ts'

for (const kind of KINDS) {
  const { name, prepare, requestCode, enter } = kind

  test(`${name}: compares at most five of 51 parallel guesses`, async (t) => {
    const api = await accountApi(t)
    await prepare(api)
    for (let round = 0; round < 3; round += 1) {
      const code = await newCode(kind, api)
      const guesses = Array.from({ length: 51 }, (_, index) =>
        index === 40 ? code : wrongCode(code, index + 1),
      )
      const answers = await Promise.all(guesses.map((guess) => enter(api, guess)))
      const count = (status: number) => answers.filter((answer) => answer.status === status).length
      assert.equal(count(200) + count(400) + count(429), 51)
      assert.ok(count(200) <= 1)
      if (count(200) === 0) assert.deepEqual([count(400), count(429)], [5, 46])
      const { rows } = await api.pool.query<{ most: number }>('select max(attempts) as most from codes')
      assert.ok((rows[0]?.most ?? 9) <= 5)
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

  test(`${name} is accepted once when entered eight times in parallel on two nodes`, async (t) => {
    const api = await accountApi(t)
    const other = await api.anotherNode()
    await prepare(api)
    for (let round = 0; round < ROUNDS; round += 1) {
      const code = await newCode(kind, api)
      const path = name.includes('verify') ? 'verify-email' : 'verify-otp'
      const request = {
        method: 'POST' as const,
        url: `/api/v1/users/${path}`,
        headers: { host: 'localhost:3000' },
        payload: { email: EMAIL, otp: code },
      }
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? api : other).inject({ ...request, remoteAddress: `10.9.${round}.${index}` }),
        ),
      )
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
