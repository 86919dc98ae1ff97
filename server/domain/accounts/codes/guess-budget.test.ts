import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountApi, type AccountApi, EMAIL, keptOf, wrong } from '#server/testing/account-api.ts'
import { EXHAUSTED, INVALID, issue, type Kind, KINDS, seen, UNKNOWN } from '#server/testing/code-kinds.ts'
import { comparable } from '#server/testing/comparable.ts'

const GUESSES_EXHAUSTED = [
  429,
  'guesses_exhausted',
  'Too many wrong codes in one day. Please try again tomorrow.',
]

type Guessing = { email?: string; cookie?: string; codes: number }

/** Enters five wrong guesses for each of `codes` codes, requested one after another. */
async function guessWrong({ ask, enter }: Kind, api: AccountApi, { email = EMAIL, cookie, codes }: Guessing) {
  let asked = await ask(api, email)
  for (let count = 1; ; count += 1) {
    assert.equal(asked.status, 200, `code ${count}`)
    const code = email === EMAIL ? await api.codeFor(EMAIL) : '123456'
    for (let guess = 1; guess <= 5; guess += 1)
      assert.deepEqual(seen(await enter(api, wrong(code, guess), email, cookie)), INVALID)
    if (count === codes) return
    await api.pass('16 minutes')
    asked = await ask(api, email)
  }
}

const warnings = async (api: AccountApi) =>
  (await api.mailsTo(EMAIL)).filter(({ subject }) => subject.startsWith('Wrong codes'))

for (const kind of KINDS) {
  const { name, prepare, ask, enter } = kind

  test(`${name}: rejects even the right code from a stranger after twenty wrong guesses a day`, async (t) => {
    const api = await accountApi(t)
    await prepare(api)
    await guessWrong(kind, api, { codes: 4 })
    await api.pass('16 minutes')
    const fresh = await issue(kind, api)
    const refused = await enter(api, fresh)
    assert.deepEqual(seen(refused), GUESSES_EXHAUSTED)
    const wait = Number(refused.headers['retry-after'])
    assert.ok(wait > 85_000 && wait <= 86_400)
    assert.equal((await warnings(api)).length, 1, 'one email to the owner')

    await api.pass('1 day')
    if (name.includes('verify')) await api.join()
    else await ask(api)
    assert.equal((await enter(api, await api.codeFor(EMAIL))).status, 200, 'a day later')
    assert.equal((await warnings(api)).length, 1)
  })

  test(`${name}: accepts the code from the requesting browser after strangers are locked out`, async (t) => {
    const api = await accountApi(t)
    await prepare(api)
    await guessWrong(kind, api, { codes: 4 })
    await api.pass('16 minutes')
    const cookie = keptOf(await ask(api))
    const code = await api.codeFor(EMAIL)
    for (let guess = 1; guess <= 9; guess += 1)
      assert.deepEqual(seen(await enter(api, wrong(code, guess))), GUESSES_EXHAUSTED)
    assert.equal((await enter(api, code, EMAIL, cookie)).status, 200)
  })

  test(`${name}: counts the requesting browser’s twenty guesses separately from strangers’`, async (t) => {
    const api = await accountApi(t)
    await prepare(api)
    const cookie = keptOf(await ask(api))
    await api.pass('16 minutes')
    await guessWrong(kind, api, { codes: 4, cookie })
    await api.pass('16 minutes')
    const code = await issue(kind, api)
    assert.deepEqual(seen(await enter(api, code, EMAIL, cookie)), GUESSES_EXHAUSTED)
    assert.equal((await enter(api, code)).status, 200)
  })

  test(`${name}: rejects guesses for an unknown email likewise and mails no one`, async (t) => {
    const api = await accountApi(t)
    await prepare(api)
    await guessWrong(kind, api, { codes: 4 })
    await guessWrong(kind, api, { codes: 4, email: UNKNOWN })
    const [known, unknown] = [await enter(api, '123456'), await enter(api, '123456', UNKNOWN)]
    assert.equal(comparable(known), comparable(unknown))
    assert.deepEqual(seen(unknown), GUESSES_EXHAUSTED)
    assert.deepEqual(await api.mailsTo(UNKNOWN), [])
  })
}

test('compares at most twenty of many parallel wrong guesses over several codes', async (t) => {
  const api = await accountApi(t)
  await api.settle()
  let compared = 0
  for (let code = 1; code <= 5; code += 1) {
    await api.forgot()
    const right = await api.codeFor(EMAIL)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => api.exchange(wrong(right, index + 1))),
    )
    compared += answers.filter(({ status }) => status === 400).length
    assert.ok(answers.every(({ status }) => status === 400 || status === 429))
    await api.pass('16 minutes')
  }
  assert.equal(compared, 20)
})

test('counts guesses separately by purpose', async (t) => {
  const api = await accountApi(t)
  await api.settle()
  const [, reset] = KINDS
  assert.ok(reset)
  await guessWrong(reset, api, { codes: 4 })
  assert.deepEqual(seen(await api.verify('123456')), INVALID)
})

test('does not count a right code as a wrong guess', async (t) => {
  const api = await accountApi(t)
  await api.settle()
  for (let count = 1; count <= 2; count += 1) {
    await api.forgot()
    assert.equal((await api.exchange(await api.codeFor(EMAIL))).status, 200)
    await api.pass('2 hours')
  }
  const { rows } = await api.pool.query(`select key from rate_limits where key like 'wrong codes%'`)
  assert.deepEqual(rows, [])
})

test('answers a sixth guess at one code with code_exhausted, not guesses_exhausted', async (t) => {
  const api = await accountApi(t)
  await api.settle()
  const [, reset] = KINDS
  assert.ok(reset)
  await guessWrong(reset, api, { codes: 1 })
  assert.deepEqual(seen(await api.exchange('123456')), EXHAUSTED)
})
