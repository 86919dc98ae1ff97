import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#contract/accounts/accounts.ts'
import { deleteOwnAccount } from '#contract/accounts/own-account.ts'
import {
  accountApi,
  type AccountApi,
  apiWithAccount,
  cookieOf,
  EMAIL,
  wrongCode,
} from '#server/testing/account-api.ts'
import { PASSWORD } from '#server/testing/api.ts'
import * as codes from '#server/testing/code-purposes.ts'
import { comparable } from '#server/testing/checks/comparable.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'

const { INVALID, obtainCode, outcomeOf, PURPOSES, UNKNOWN_EMAIL, UNTIL_NEXT_CODE, VERIFICATION } = codes

const GUESSES_EXHAUSTED = [429, 'guesses_exhausted', 'Too many wrong codes today. Please try again tomorrow.']

const GUESSES_PER_CODE = 5
const GUESSES_PER_DAY = 20

/** Makes the first and the last of a day's wrong guesses, and only adds those in between to the count. */
async function useUpGuesses(
  { requestCode, enter }: codes.CodePurpose,
  api: AccountApi,
  { email = EMAIL, cookie }: { email?: string; cookie?: string } = {},
): Promise<void> {
  assert.equal((await requestCode(api, email)).status, 200)
  // For other emails there is no code, so every guess is wrong.
  const code = email === EMAIL ? await api.codeFor(EMAIL) : '123456'
  const guessWrongly = async () =>
    assert.deepEqual(outcomeOf(await enter(api, wrongCode(code), email, cookie)), INVALID)
  await guessWrongly()
  await api.addToCount(`wrong codes % ${email}`, GUESSES_PER_DAY - 2)
  await guessWrongly()
}

const warningsTo = async (api: AccountApi, email = EMAIL) =>
  (await api.mailsTo(email)).filter(({ subject }) => subject.startsWith('Wrong codes'))

for (const purpose of PURPOSES) {
  const { name, prepare, requestCode, enter } = purpose

  test(`${name} is refused to strangers for a day after twenty wrong guesses`, async (t) => {
    const api = await prepare(t)
    await useUpGuesses(purpose, api, { email: UNKNOWN_EMAIL })
    await useUpGuesses(purpose, api)
    const [known, unknown] = [await enter(api, '123456'), await enter(api, '123456', UNKNOWN_EMAIL)]
    assert.equal(comparable(known), comparable(unknown))
    assert.deepEqual(outcomeOf(unknown), GUESSES_EXHAUSTED)
    assert.deepEqual(await api.mailsTo(UNKNOWN_EMAIL), [])
    const other = PURPOSES.find((one) => one !== purpose) ?? assert.fail()
    assert.deepEqual(
      outcomeOf(await other.enter(api, '123456')),
      INVALID,
      `${other.name} has its own guesses`,
    )

    await api.advance(UNTIL_NEXT_CODE)
    const refused = await enter(api, await obtainCode(purpose, api))
    assert.deepEqual(outcomeOf(refused), GUESSES_EXHAUSTED, 'even the right code')
    const waitSeconds = Number(refused.headers['retry-after'])
    assert.ok(waitSeconds > 85_000 && waitSeconds <= 86_400, 'almost a day')
    assert.equal((await warningsTo(api)).length, 1, 'the owner gets one email')

    await api.advance('1 day')
    // The registration has expired by now.
    if (purpose === VERIFICATION) await api.register()
    else await requestCode(api)
    assert.equal((await enter(api, await api.codeFor(EMAIL))).status, 200, 'the lock ends after a day')
    assert.equal((await warningsTo(api)).length, 1, 'no second email')
  })

  test(`${name} is accepted from the requesting browser while strangers are locked out`, async (t) => {
    const api = await prepare(t)
    await useUpGuesses(purpose, api)
    await api.advance(UNTIL_NEXT_CODE)
    const cookie = cookieOf(await requestCode(api))
    const code = await api.codeFor(EMAIL)
    // More guesses than a code allows: none is counted while strangers are locked out.
    for (let guess = 0; guess <= GUESSES_PER_CODE; guess += 1)
      assert.deepEqual(outcomeOf(await enter(api, code)), GUESSES_EXHAUSTED)
    assert.equal((await enter(api, code, EMAIL, cookie)).status, 200)
  })

  test(`${name} is accepted from strangers after a requesting browser has used up its own twenty guesses`, async (t) => {
    const api = await prepare(t)
    const cookie = cookieOf(await requestCode(api))
    await api.advance(UNTIL_NEXT_CODE)
    await useUpGuesses(purpose, api, { cookie })
    await api.advance(UNTIL_NEXT_CODE)
    const code = await obtainCode(purpose, api)
    assert.deepEqual(outcomeOf(await enter(api, code, EMAIL, cookie)), GUESSES_EXHAUSTED)
    assert.equal((await enter(api, code)).status, 200)
  })
}

test('does not warn the former owner of a deleted account of wrong codes for a stranger’s registration', async (t) => {
  const api = await accountApi(t)
  const { token, username, email } = await api.createAccount('alice', 'former@mail.example')
  const body = { password: PASSWORD, confirmation: username }
  assert.equal((await api.call(deleteOwnAccount, { token, body })).status, 200)
  assert.equal((await api.register({ username: 'a-stranger', email })).status, 201)
  await api.passCooldown()
  await useUpGuesses(VERIFICATION, api, { email })
  assert.deepEqual(outcomeOf(await VERIFICATION.enter(api, '123456', email)), GUESSES_EXHAUSTED)
  assert.deepEqual(await warningsTo(api, email), [])
})

test('writes the warning in the language of the registration', async (t) => {
  const api = await accountApi(t)
  const body = { username: 'alice', email: EMAIL, password: PASSWORD }
  await api.call(accounts.register, { body, headers: { 'accept-language': 'es' } })
  await api.passCooldown()
  await useUpGuesses(VERIFICATION, api)
  assert.match((await api.newestMailTo(EMAIL)).subject, /^Alguien escribió códigos incorrectos/)
})

test('compares only twenty wrong guesses a day, even if many are made in parallel', async (t) => {
  const api = await apiWithAccount(t)
  let compared = 0
  const codesToUseUp = GUESSES_PER_DAY / GUESSES_PER_CODE
  // No guess at the last code is compared any more.
  for (let code = 1; code <= codesToUseUp + 1; code += 1) {
    await api.forgot()
    const right = await api.codeFor(EMAIL)
    const guesses = Array.from({ length: 3 * GUESSES_PER_CODE }, (_, index) => wrongCode(right, index + 1))
    const answers = await Promise.all(guesses.map((guess) => api.exchange(guess)))
    // 400: compared, and wrong. 429: not compared.
    compared += answers.filter(({ status }) => status === 400).length
    assert.ok(answers.every(({ status }) => status === 400 || status === 429))
    await api.advance(UNTIL_NEXT_CODE)
  }
  assert.equal(compared, GUESSES_PER_DAY)
})

async function registerFrom({ call, pool }: AccountApi, ip: string, username: string, cookie?: string) {
  // Lifts the endpoint's own rate limit.
  await pool.query(`delete from rate_limits where key like '/users/register %'`)
  return call(accounts.register, { ip, cookie, body: { username, email: EMAIL, password: PASSWORD } })
}

for (const [name, endpoint] of [
  ['reset', accounts.forgotPassword],
  ['verification', accounts.resendCode],
] as const)
  test(`limits a network to three ${name} codes a day for an email, without limiting other networks`, async (t) => {
    const api = await apiWithAccount(t)
    const requestFrom = (ip: string, email = EMAIL) => api.call(endpoint, { ip, body: { email } })
    for (let count = 0; count < 3; count += 1) {
      for (const email of [EMAIL, UNKNOWN_EMAIL])
        assert.equal((await requestFrom('192.0.2.1', email)).status, 200)
      await api.advance(UNTIL_NEXT_CODE)
    }
    const refused = await requestFrom('192.0.2.1')
    assert.deepEqual(refusalOf(refused), [429, 'code_cooldown'])
    assert.equal(comparable(refused), comparable(await requestFrom('192.0.2.1', UNKNOWN_EMAIL)))
    assert.ok(Number(refused.headers['retry-after']) > 80_000, 'almost a day')
    assert.equal((await requestFrom('192.0.2.2')).status, 200)
    await api.advance('1 day')
    assert.equal((await requestFrom('192.0.2.1')).status, 200)
  })

test('limits an IPv6 /48 to five codes a day across its networks, and a /56 to four', async (t) => {
  const api = await apiWithAccount(t)
  const statusesFrom = async (ips: string[]) => {
    const statuses = []
    for (const ip of ips) {
      statuses.push((await api.call(accounts.forgotPassword, { ip, body: { email: EMAIL } })).status)
      await api.advance(UNTIL_NEXT_CODE)
    }
    return statuses
  }
  const inOne48 = [0, 1, 2, 3, 4, 5].map((index) => `2001:db8:0:${index}00::1`)
  assert.deepEqual(await statusesFrom(inOne48), [200, 200, 200, 200, 200, 429])
  const inOne56 = [0, 1, 2, 3, 4].map((index) => `2001:db8:1:${index}::1`)
  assert.deepEqual(await statusesFrom(inOne56), [200, 200, 200, 200, 429])
})

test('saves at most three registrations a day from a network for an email, with the same reply to further ones', async (t) => {
  const api = await accountApi(t)
  const ip = '192.0.2.1'
  for (let count = 0; count < 4; count += 1) {
    assert.equal((await registerFrom(api, ip, `theirs${count}`)).status, 201)
    await api.advance(UNTIL_NEXT_CODE)
  }
  assert.deepEqual(await api.pendingNames(), ['theirs0', 'theirs1', 'theirs2'])
  assert.equal((await registerFrom(api, '192.0.2.2', 'mine')).status, 201)
  // An email has at most three: the oldest, whose code has expired, makes room.
  assert.deepEqual(await api.pendingNames(), ['theirs1', 'theirs2', 'mine'])
  assert.equal((await api.verify(await api.codeFor(EMAIL))).status, 200)
})

test('refunds the quota used by a registration that is replaced before its email is sent', async (t) => {
  const api = await accountApi(t)
  const ip = '192.0.2.1'
  const cookie = cookieOf(await registerFrom(api, ip, 'first'))
  for (const name of ['second', 'third', 'fourth', 'fifth'])
    assert.equal((await registerFrom(api, ip, name, cookie)).status, 201)
  // The first is mailed at once. Each later one waits for the cooldown until the next replaces it.
  assert.deepEqual(await api.pendingNames(), ['first', 'fifth'])
})
