import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { ownClaim, type OwnClaim } from '#contract/claims/claims.ts'
import { beginTelegram, disconnectTelegram, finishTelegram } from '#contract/accounts/telegram.ts'
import { readEvidence } from '../evidence/findings.ts'
import { eraseDetails } from '../journal/erase-details.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { testApi } from '#server/testing/api.ts'
import { createAdmin, createUsers } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { logLines } from '#server/testing/checks/log-lines.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { assertSealed } from '#server/testing/journal.ts'
import { advanceTime } from '#server/testing/advance-time.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { switchTelegramUser, telegramLogin } from '#server/testing/fakes/telegram-provider.ts'
import { purgeAttempts } from './connect.ts'

/** The API with a stub of Telegram. By default, Ann calls. */
async function setUp(t: TestContext, options: Parameters<typeof testApi>[1] = {}) {
  const telegram = await telegramLogin(t)
  const api = await testApi(t, { ...options, telegramLogin: telegram.login })
  const { call, db, deps } = api
  const [ann, ben] = await createUsers(db, deps.campaign.id, 2)
  const begin = ({ token } = ann) => call(beginTelegram, { token })
  /** @returns the callback's code and state. */
  const confirm = async (who = ann) => {
    const { status, body } = await begin(who)
    assert.equal(status, 201, JSON.stringify(body))
    return telegram.provider.confirm((body.data as { url: string }).url)
  }
  const finish = (callback: unknown, { token } = ann) => call(finishTelegram, { token, body: callback })
  const disconnect = ({ token } = ann) => call(disconnectTelegram, { token })
  const readAccount = async ({ token } = ann) =>
    ((await call(ownClaim, { token })).body.data as OwnClaim).telegram?.account ?? null
  const readStoredAccounts = () =>
    db.selectFrom('telegram_accounts').select(['user_id', 'telegram_id']).execute()
  return { ...api, telegram, ann, ben, begin, confirm, finish, disconnect, readAccount, readStoredAccounts }
}

test('connects, renames and disconnects an account without exposing its Telegram ID', async (t) => {
  const { telegram, confirm, finish, disconnect, readAccount, readStoredAccounts, ann } = await setUp(t)
  assert.equal(await readAccount(), null)
  const [id, username] = [987_654_321, 'moon_boy']
  telegram.provider.setUser({ id, username })
  const { status, body, text } = await finish(await confirm())
  assert.deepEqual([status, body.message], [200, 'Telegram is connected.'])
  assert.equal((await readAccount())?.username, username)
  assert.ok(!text.includes(String(id)))
  telegram.provider.setUser({ id, username: 'renamed' })
  await finish(await confirm())
  assert.equal((await readAccount())?.username, 'renamed')
  assert.deepEqual(await readStoredAccounts(), [{ user_id: ann.id, telegram_id: id }])
  const disconnected = await disconnect()
  assert.deepEqual([disconnected.status, disconnected.body.message], [200, 'Telegram is disconnected.'])
  assert.equal(await readAccount(), null)
  assert.equal((await disconnect()).status, 200, 'a second call changes nothing')
})

test('accepts a state once, from the participant who began the attempt, for ten minutes', async (t) => {
  const { confirm, finish, readStoredAccounts, pool, db, ben } = await setUp(t)
  const callback = await confirm()
  assert.deepEqual(refusalOf(await finish(callback, ben)), [400, 'telegram_expired'])
  assert.equal((await finish(callback)).status, 200, 'another participant does not use up the state')
  assert.equal((await finish(callback)).body.code, 'telegram_expired')
  const inTime = await confirm()
  const late = await confirm(ben)
  for (const state of ['made up', 'x'.repeat(43), '\0', late.state.toLowerCase()])
    assert.equal((await finish({ ...late, state }, ben)).body.code, 'telegram_expired', state)
  const { code } = callback
  for (const body of [{}, { code }, { ...callback, code: '' }, { code, state: 1 }, { ...callback, more: 1 }])
    assert.equal((await finish(body)).body.code, 'invalid_input', JSON.stringify(body))

  await advanceTime(pool, '9 minutes 30 seconds')
  assert.equal((await finish(inTime)).status, 200)
  await advanceTime(pool, '31 seconds')
  assert.equal((await finish(late, ben)).body.code, 'telegram_expired')
  await purgeAttempts(db)
  assert.deepEqual(await db.selectFrom('telegram_attempts').selectAll().execute(), [])
  assert.equal((await readStoredAccounts()).length, 1)
})

test('connecting is not offered without a configured provider', async (t) => {
  const { call, db, deps } = await testApi(t)
  const [{ token }] = await createUsers(db, deps.campaign.id, 1)
  assert.equal((await call(beginTelegram, { token })).body.code, 'telegram_not_offered')
  const finished = await call(finishTelegram, { token, body: { code: 'c', state: 's' } })
  assert.equal(finished.body.code, 'telegram_not_offered')
  assert.equal(((await call(ownClaim, { token })).body.data as OwnClaim).telegram, null)
})

test('stores nothing if Telegram cannot be asked or does not confirm an identity', async (t) => {
  const { telegram, begin, confirm, finish, readStoredAccounts, db } = await setUp(t)
  const { provider } = telegram
  const discovery = '/.well-known/openid-configuration'
  provider.overrideAnswer(discovery, (_request, response) => void response.writeHead(503).end())
  const unbegun = await begin()
  assert.deepEqual(refusalOf(unbegun), [503, 'telegram_unreachable'])
  assert.equal(unbegun.headers['retry-after'], '30')
  assert.deepEqual(await db.selectFrom('telegram_attempts').selectAll().execute(), [])
  provider.overrideAnswer(discovery) // Restored.

  const callback = await confirm()
  assert.equal((await finish({ ...callback, code: 'another' })).body.code, 'telegram_refused')
  assert.equal((await finish(callback)).body.code, 'telegram_expired', 'the wrong code used up the state')
  provider.overrideTokens({ claims: { aud: '654321' } }) // For another client.
  assert.deepEqual(refusalOf(await finish(await confirm())), [400, 'telegram_refused'])
  provider.overrideTokens({}) // Restored.

  provider.overrideAnswer('/token', (_request, response) => void response.writeHead(502).end('<h1>'))
  const unreachable = await finish(await confirm())
  assert.deepEqual(refusalOf(unreachable), [503, 'telegram_unreachable'])
  assert.equal(unreachable.headers['retry-after'], '30')
  assert.deepEqual(await readStoredAccounts(), [])
  assert.deepEqual(await db.selectFrom('journal').select('id').execute(), [])
  provider.overrideAnswer('/token') // Restored.
  assert.equal((await finish(await confirm())).status, 200)
})

test('a Telegram account belongs to one participant only, until they replace or disconnect it', async (t) => {
  const { telegram, confirm, finish, disconnect, readAccount, ben } = await setUp(t)
  const finishAs = async (who?: typeof ben) => finish(await confirm(who), who)
  const first = switchTelegramUser(telegram)
  await finishAs()
  assert.deepEqual(refusalOf(await finishAs(ben)), [409, 'telegram_taken'])
  assert.equal(await readAccount(ben), null)
  const second = switchTelegramUser(telegram)
  await finishAs()
  telegram.provider.setUser(first)
  assert.equal((await finishAs(ben)).status, 200)

  telegram.provider.setUser(second)
  assert.equal((await finishAs(ben)).body.code, 'telegram_taken')
  assert.equal((await readAccount(ben))?.username, first.username, 'the previous account stays')
  await disconnect()
  assert.equal((await finishAs(ben)).status, 200)
})

test('fixes the account of an approved claim, but not of a rejected claim, even if this claim is reopened', async (t) => {
  const { telegram, begin, confirm, finish, disconnect, ...site } = await setUp(t)
  const { readAccount, runClaimChecks, deps, db, ann, ben } = site
  const reviewer = reviewerOn(deps, await createAdmin(site))
  const person = switchTelegramUser(telegram)
  await finish(await confirm())
  const proof = { ...freshProof(), telegram: person.username }
  const { _id: claimId } = await submitProof(deps, ann.id, proof)
  const readOutcome = async () => {
    await runClaimChecks()
    const evidence = await readEvidence(db, claimId)
    return evidence.find(({ check }) => check === 'telegram-handle')?.outcome
  }
  assert.equal(await readOutcome(), 'confirmed')
  switchTelegramUser(telegram)
  const callback = await confirm()
  await reviewer.approve(claimId)
  for (const answer of [await begin(), await finish(callback), await disconnect()])
    assert.deepEqual(refusalOf(answer), [409, 'telegram_fixed'])
  assert.equal((await readAccount())?.username, person.username)
  await reviewer.undo(claimId)

  await reviewer.reject(claimId)
  assert.equal((await disconnect()).status, 200)
  telegram.provider.setUser(person)
  assert.equal((await finish(await confirm(ben), ben)).status, 200)
  await reviewer.undo(claimId)
  assert.equal(await readOutcome(), 'could_not_tell')
})

test('records connecting and disconnecting in the journal with erasable personal details', async (t) => {
  const { telegram, confirm, finish, disconnect, call, db, ann } = await setUp(t)
  const { id: telegramId, username } = switchTelegramUser(telegram)
  const callback = await confirm()
  await call(finishTelegram, { token: ann.token, body: callback, ip: '198.51.100.9' })
  await finish(await confirm())
  await disconnect()
  const lines = (await assertSealed(db)).filter(({ action }) => action.startsWith('telegram.'))
  const entries = lines.map(({ action, actor, subject }) => ({ action, actor, subject }))
  const by = { actor: ann.id, subject: ann.id }
  // Connecting the same account again changes nothing.
  assert.deepEqual(entries, [
    { action: 'telegram.connected', ...by },
    { action: 'telegram.disconnected', ...by },
  ])
  assert.deepEqual(lines[0]?.details?.content, { network: '198.51.100.9', telegramId, username })
  assert.equal(await eraseDetails(db, ann.id), 2)
  assert.ok(!JSON.stringify(await assertSealed(db)).includes(username))
})

test('does not store or log what would complete a pending connection', async (t) => {
  const { log, text } = logLines('trace')
  const { telegram, begin, inject, db } = await setUp(t, { log })
  const { body } = await begin()
  const { url } = body.data as { url: string }
  const parameters = new URL(url).searchParams
  const { code, state } = telegram.provider.confirm(url)
  const stored = JSON.stringify(await db.selectFrom('telegram_attempts').selectAll().execute())
  const attempt = await db.selectFrom('telegram_attempts').select('state_hash').executeTakeFirstOrThrow()
  for (const secret of [state, parameters.get('nonce') ?? '', parameters.get('code_challenge') ?? '']) {
    assert.ok(secret.length === 43 && !stored.includes(secret))
    assert.notDeepEqual(attempt.state_hash, Buffer.from(secret, 'base64url'))
  }

  await inject({ url: `/profile?code=${code}&state=${state}&page=2`, headers: { host: 'localhost:3000' } })
  const logged = text()
  assert.ok(logged.includes('"/profile"') && logged.includes('"code","state","page"'), logged)
  assert.ok(!logged.includes(state) && !logged.includes(code))
})

test('limits how often one account begins and finishes a connection', async (t) => {
  const { begin, finish, ben } = await setUp(t)
  const unknown = { code: 'c', state: 's' }
  for (let times = 0; times < 10; times += 1) assert.equal((await begin()).status, 201)
  assert.equal((await begin()).status, 429)
  assert.equal((await begin(ben)).status, 201)
  for (let times = 0; times < 20; times += 1)
    assert.equal((await finish(unknown)).body.code, 'telegram_expired')
  assert.equal((await finish(unknown)).status, 429)
  assert.equal((await finish(unknown, ben)).body.code, 'telegram_expired')
})
