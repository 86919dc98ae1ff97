import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { profile } from '#contract/accounts/accounts.ts'
import { reviewSummary } from '#contract/dashboard/review.ts'
import { login } from '#contract/accounts/sessions.ts'
import * as contract from '#contract/accounts/two-factor.ts'
import { PASSWORD, testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { ROUNDS, untilWaiting } from '#server/testing/database/races.ts'
import { startSession } from '../sessions/session.ts'
import { readTwoFactor, resetTwoFactor } from './two-factor.ts'

/** Not six digits, which could be right by chance. */
const WRONG = 'aaaaa-aaaaa'

async function setUp(t: TestContext, env: Record<string, string> = {}) {
  const api = await testApi(t, { env })
  const { db, call, deps } = api
  const passwordHash = await deps.hasher.hash(PASSWORD)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin', passwordHash })
  const { token } = adm
  const callBegin = (password = PASSWORD) => call(contract.beginTwoFactor, { token, body: { password } })
  const begin = async () => (await callBegin()).body.data as { secret: string; uri: string }
  /** The authenticator's code, `steps` of 30 seconds after the database's time. */
  const codeOf = async (secret: string, steps = 0) => {
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
    const timestamp = (rows[0]?.now.getTime() ?? 0) + 30_000 * steps
    return new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({ timestamp })
  }
  /** Six digits that are not right, not even by chance. */
  const wrongCodeOf = async (secret: string) => {
    const right = await Promise.all([-1, 0, 1, 2].map((steps) => codeOf(secret, steps)))
    return ['000000', '111111', '222222', '333333', '444444'].find((code) => !right.includes(code)) ?? ''
  }
  const confirm = (otp: string) => call(contract.confirmTwoFactor, { token, body: { otp } })
  const enter = (otp?: string, password = PASSWORD) =>
    call(login, { body: { email: adm.email, password, ...(otp === undefined ? {} : { otp }) } })
  /** Turns two-factor login on with the current code. The code of the next 30 seconds stays unused. */
  const turnOn = async () => {
    const { secret } = await begin()
    const used = await codeOf(secret)
    const { status, body } = await confirm(used)
    assert.equal(status, 200)
    return { secret, used, recoveryCodes: body['recoveryCodes'] as string[] }
  }
  const renew = (otp: string) => call(contract.renewRecoveryCodes, { token, body: { otp } })
  const readActions = async () => (await entriesOf(db, { subject: adm.id })).map(({ action }) => action)
  const tools = { callBegin, begin, codeOf, wrongCodeOf, confirm, enter, turnOn, renew, readActions }
  return { ...api, adm, token, ...tools }
}

test('a new secret replaces an unconfirmed one; once confirmed, logins ask for a code after the right password', async (t) => {
  const { call, callBegin, begin, codeOf, confirm, enter } = await setUp(t)
  assert.equal((await confirm('000000')).body.code, 'two_factor_not_begun')
  assert.deepEqual(refusalOf(await callBegin('x')), [400, 'current_password_wrong'])
  const replaced = await begin()
  const { secret, uri } = await begin()
  assert.notEqual(secret, replaced.secret)
  assert.match(uri, /^otpauth:\/\/totp\/.+secret=[A-Z2-7]{32}&/)

  assert.equal((await enter()).status, 200, 'an unconfirmed secret does not make a login ask for a code')
  assert.equal((await confirm(await codeOf(replaced.secret))).body.code, 'two_factor_wrong')
  assert.equal((await confirm(await codeOf(secret))).status, 200)

  for (const { status, body } of [
    await call(login, { body: { email: 'nobody@mail.example', password: PASSWORD } }),
    await enter('123456', 'not the password'),
    await enter(undefined, 'not the password'),
  ])
    assert.deepEqual([status, body.code], [401, 'credentials_invalid'])
  const asked = await enter()
  assert.deepEqual([asked.status, asked.body.code], [403, 'two_factor_required'])
  assert.equal(asked.headers['set-cookie'], undefined)
  assert.equal((await enter(await codeOf(secret, 1))).status, 200, 'the current code is used up')
})

test('turning on two-factor login returns recovery codes, ends other sessions and stores no secret in plain text', async (t) => {
  const { db, call, adm, token, callBegin, codeOf, confirm, enter, turnOn, mailsTo } = await setUp(t)
  const otherSession = (await enter()).body['token'] as string
  const { secret, recoveryCodes } = await turnOn()
  assert.equal(recoveryCodes.length, 10)
  assert.equal(new Set(recoveryCodes).size, 10)
  for (const code of recoveryCodes) assert.match(code, /^[a-z2-9]{5}-[a-z2-9]{5}$/)
  assert.equal((await call(profile, { token })).status, 200)
  assert.equal((await call(profile, { token: otherSession })).status, 401)
  const state = (await call(contract.twoFactor, { token })).body.data
  assert.deepEqual(state, { isOn: true, isRequired: false, recoveryCodesLeft: 10 })
  assert.ok((await mailsTo(adm.email)).some(({ subject }) => subject.startsWith('Two-factor login')))

  assert.equal((await callBegin()).body.code, 'two_factor_on')
  assert.equal((await confirm(await codeOf(secret, 1))).body.code, 'two_factor_on')

  const { rows } = await sql<{ text: string }>`
    select row_to_json(f)::text as text from second_factors f
    union all select row_to_json(r)::text from recovery_codes r`.execute(db)
  assert.equal(rows.length, 1 + recoveryCodes.length)
  // The database shows bytes in hexadecimal. Only the part before a recovery code's hyphen is compared.
  const hidden = [secret, ...recoveryCodes].map((plain) => Buffer.from(plain.slice(0, 5)).toString('hex'))
  for (const { text } of rows) for (const part of hidden) assert.ok(!text.includes(part), text)
})

test('a login that begins before two-factor login is turned on needs a code if it commits later', async (t) => {
  const { db, adm, begin, enter } = await setUp(t)
  await begin()
  // In an object: the transaction would await a bare promise, which waits for the transaction.
  const started = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', adm.id).forUpdate().execute()
    const answer = enter()
    await untilWaiting(db, 1)
    await sql`update second_factors set confirmed_at = now()`.execute(tx)
    return { answer }
  })
  assert.deepEqual(refusalOf(await started.answer), [403, 'two_factor_required'])
})

test('turning on two-factor login ends the session of a login that commits meanwhile', async (t) => {
  const { db, call, adm, begin, codeOf, confirm } = await setUp(t)
  const otp = await codeOf((await begin()).secret)
  const { confirming, session } = await db.transaction().execute(async (tx) => {
    // What a login does when it has found no second factor.
    await tx.selectFrom('users').select('id').where('id', '=', adm.id).forNoKeyUpdate().execute()
    const token = await startSession(tx, adm.id)
    const started = confirm(otp)
    await untilWaiting(db, 1)
    return { confirming: started, session: token }
  })
  assert.equal((await confirming).status, 200)
  assert.equal((await call(profile, { token: session })).status, 401)
})

test('a code is accepted once, near its time, and not after a later code', async (t) => {
  const { db, begin, codeOf, confirm, enter } = await setUp(t)
  const { secret } = await begin()
  // 3 steps ahead, not 2, because a step may end before the code is checked.
  for (const steps of [-2, 3])
    assert.equal((await confirm(await codeOf(secret, steps))).body.code, 'two_factor_wrong', String(steps))
  const used = await codeOf(secret)
  assert.equal((await confirm(used)).status, 200)
  assert.equal((await enter(used)).body.code, 'two_factor_wrong', 'the code that confirmed is used up')
  const next = await codeOf(secret, 1)
  const current = await codeOf(secret)
  assert.equal((await enter(next)).status, 200)
  assert.equal((await enter(next)).body.code, 'two_factor_wrong')
  assert.equal((await enter(current)).body.code, 'two_factor_wrong', 'a code before the last one is refused')
  await assert.rejects(sql`update second_factors set last_step = last_step - 1`.execute(db), /used once/)
})

test('race: a code that is entered several times at once on two nodes is accepted once', async (t) => {
  const { db, adm, begin, codeOf, confirm, anotherNode, call } = await setUp(t)
  const other = await anotherNode()
  for (let round = 1; round <= ROUNDS; round += 1) {
    await sql`delete from second_factors`.execute(db)
    await sql`delete from rate_limits`.execute(db) // All rounds are of one account.
    const { secret } = await begin()
    assert.equal((await confirm(await codeOf(secret))).status, 200)
    const body = { email: adm.email, password: PASSWORD, otp: await codeOf(secret, 1) }
    const answers = await Promise.all(
      [call, other.call, call, other.call].map((node) => node(login, { body })),
    )
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [200, 403, 403, 403], `round ${round}`)
  }
})

test('race: a recovery code works once, in any spelling', async (t) => {
  const { db, adm, turnOn, enter } = await setUp(t)
  const { recoveryCodes } = await turnOn()
  for (const [round, code] of recoveryCodes.entries()) {
    await sql`delete from rate_limits`.execute(db)
    const spelled = ` ${code.toUpperCase().replace('-', ' - ')} `
    const answers = await Promise.all([enter(spelled), enter(spelled), enter(spelled)])
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [200, 403, 403], `round ${round}`)
    assert.equal((await enter(code)).body.code, 'two_factor_wrong', `round ${round}`)
    assert.equal((await readTwoFactor(db, adm.id)).recoveryCodesLeft, 9 - round)
  }
})

test('new recovery codes need a code, and replace all old ones', async (t) => {
  const { db, adm, turnOn, codeOf, enter, renew, mailsTo } = await setUp(t)
  assert.equal((await renew('123456')).body.code, 'two_factor_off')
  const { secret, used, recoveryCodes: first } = await turnOn()
  for (const otp of [WRONG, used]) assert.equal((await renew(otp)).body.code, 'two_factor_wrong')
  assert.equal((await enter(first[0])).status, 200)
  const { status, body } = await renew(await codeOf(secret, 1))
  assert.equal(status, 200)
  const second = body['recoveryCodes'] as string[]
  assert.equal(second.length, 10)
  assert.equal(new Set([...second, ...first]).size, 20)
  assert.deepEqual(await readTwoFactor(db, adm.id), { isOn: true, recoveryCodesLeft: 10 })
  assert.equal((await enter(first[1])).body.code, 'two_factor_wrong')
  assert.equal((await enter(second[0])).status, 200)
  const [, spent = '', unspent = ''] = second
  assert.equal((await renew(spent)).status, 200)
  for (const code of [spent, unspent]) assert.equal((await enter(code)).body.code, 'two_factor_wrong')

  const texts = (await mailsTo(adm.email)).map(({ text }) => text)
  assert.equal(texts.filter((text) => text.includes('There are new recovery codes')).length, 2)
  const entries = await entriesOf(db, { action: 'account.two_factor_codes_renewed' })
  const actors = entries.map(({ actor }) => actor)
  assert.deepEqual(actors, [adm.id, adm.id])
})

test('five wrong codes, even tried in parallel, lock the account’s codes, but not its password', async (t) => {
  const { db, turnOn, codeOf, wrongCodeOf, enter } = await setUp(t)
  const { secret } = await turnOn()
  const wrong = await wrongCodeOf(secret)
  const answers = await Promise.all(Array.from({ length: 20 }, () => enter(wrong)))
  const codes = answers.map(({ body }) => String(body.code)).toSorted()
  assert.deepEqual(codes, [...Array(15).fill('rate_limited'), ...Array(5).fill('two_factor_wrong')])
  assert.equal((await enter(await codeOf(secret))).status, 429)
  assert.equal((await enter()).body.code, 'two_factor_required')
  await sql`update rate_limits set resets_at = now()`.execute(db)
  assert.equal((await enter(await codeOf(secret, 1))).status, 200)
  for (let count = 0; count < 5; count += 1)
    assert.equal((await enter(wrong)).status, 403, 'a right code allows five more tries')
})

test('a recovery code lets the owner in while someone with the stolen password has locked the codes', async (t) => {
  const { turnOn, codeOf, wrongCodeOf, enter } = await setUp(t)
  const { secret, recoveryCodes } = await turnOn()
  const wrong = await wrongCodeOf(secret)
  for (let count = 0; count < 5; count += 1) await enter(wrong)
  for (let count = 0; count < 6; count += 1)
    assert.equal((await enter(WRONG)).body.code, 'two_factor_wrong', 'recovery codes cannot be locked either')
  assert.equal((await enter(await codeOf(secret, 1))).status, 429)
  assert.equal((await enter(recoveryCodes[0])).status, 200)
  assert.equal((await enter(await codeOf(secret, 1))).status, 200, 'a recovery code ends the lock')
})

test('a network without tries left locks no account, and tries at a locked account do not count for the network', async (t) => {
  const { db, call, adm, codeOf, wrongCodeOf, enter, turnOn } = await setUp(t)
  const { secret } = await turnOn()
  const wrong = await wrongCodeOf(secret)
  const ip = '192.0.2.77'
  const key = `second factor network ${ip}`
  const maxTries = 30
  const setTries = (count: number) =>
    sql`
    insert into rate_limits (key, count, resets_at)
    values (${key}, ${count}, now() + interval '15 minutes')
    on conflict (key) do update set count = excluded.count`.execute(db)
  const enterFrom = (otp: string) => call(login, { ip, body: { email: adm.email, password: PASSWORD, otp } })
  await setTries(maxTries)
  for (let count = 0; count < 6; count += 1) assert.equal((await enterFrom(wrong)).body.code, 'rate_limited')
  assert.equal((await enter(await codeOf(secret, 1))).status, 200, 'another network is not limited')

  for (let count = 0; count < 5; count += 1) assert.equal((await enter(wrong)).body.code, 'two_factor_wrong')
  await setTries(0)
  for (let count = 0; count < 3; count += 1) assert.equal((await enterFrom(wrong)).body.code, 'rate_limited')
  const limit = db.selectFrom('rate_limits').select('count').where('key', '=', key)
  assert.deepEqual(await limit.execute(), [{ count: 0 }])
})

test('turning off two-factor login requires both the password and a code', async (t) => {
  const { db, call, token, turnOn, enter, readActions } = await setUp(t)
  const { recoveryCodes } = await turnOn()
  const [otp = ''] = recoveryCodes
  const end = (body: object) => call(contract.endTwoFactor, { token, body })
  assert.equal((await end({ password: 'x', otp })).body.code, 'current_password_wrong')
  assert.equal((await end({ password: PASSWORD, otp: WRONG })).body.code, 'two_factor_wrong')
  assert.equal((await enter()).body.code, 'two_factor_required')
  assert.equal((await end({ password: PASSWORD, otp })).status, 200)
  assert.equal((await enter()).status, 200)
  assert.equal((await end({ password: PASSWORD, otp })).body.code, 'two_factor_off')
  assert.deepEqual(await db.selectFrom('recovery_codes').selectAll().execute(), [])
  assert.deepEqual(await readActions(), ['account.two_factor_enabled', 'account.two_factor_disabled'])
})

test('with REQUIRE_ADMIN_TOTP, an administrator has to turn on two-factor login to review, and cannot turn it off', async (t) => {
  const { call, token, turnOn } = await setUp(t, { REQUIRE_ADMIN_TOTP: 'true' })
  assert.deepEqual(refusalOf(await call(reviewSummary, { token })), [403, 'two_factor_needed'])
  assert.equal((await call(profile, { token })).status, 200)
  const { recoveryCodes } = await turnOn()
  assert.equal((await call(reviewSummary, { token })).status, 200)
  const body = { password: PASSWORD, otp: recoveryCodes[0] }
  assert.equal((await call(contract.endTwoFactor, { token, body })).body.code, 'two_factor_needed')
})

test('the operator’s reset turns two-factor login off, ends the account’s sessions and tells the administrator', async (t) => {
  const { db, call, adm, token, turnOn, enter, readActions, mailsTo } = await setUp(t)
  assert.equal(await resetTwoFactor(db, adm.email), undefined)
  await turnOn()
  await enter(WRONG)
  assert.equal(await resetTwoFactor(db, ` ${adm.email.toUpperCase()}`), adm.username)
  assert.match((await mailsTo(adm.email)).at(-1)?.text ?? '', /The operator of the server turned off/)
  assert.equal((await call(profile, { token })).status, 401)
  assert.equal((await enter()).status, 200)
  assert.equal(await resetTwoFactor(db, 'nobody@mail.example'), undefined)
  assert.deepEqual(await readActions(), ['account.two_factor_enabled', 'account.two_factor_reset'])
  const wrongTries = db.selectFrom('rate_limits').select('key').where('key', '=', `second factor ${adm.id}`)
  assert.deepEqual(await wrongTries.execute(), [])
})
