import assert from 'node:assert/strict'
import { json } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import type { Deps } from '#server/deps.ts'
import { deleteAccount } from '../accounts/deletion/delete-account.ts'
import { checkClaim } from '../evidence/check-claim.ts'
import type { Source } from '../evidence/finding.ts'
import { readEvidence } from '../evidence/findings.ts'
import { CHECK_JOB } from '../evidence/start-checks.ts'
import { telegramSource } from '../evidence/telegram.ts'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import { runDue } from '#server/platform/jobs/jobs.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { serveStub } from '#server/testing/fakes/http-stub.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { ROUNDS, tally, twoNodes } from '#server/testing/database/races.ts'
import { memberOf } from '#server/testing/checks/recorded.ts'
import { switchTelegramUser, telegramLogin } from '#server/testing/fakes/telegram-provider.ts'
import { beginTelegramConnection, finishTelegramConnection } from './connect.ts'
import { disconnectTelegram } from './account.ts'

const NETWORK = '192.0.2.1'

async function nodesWithLogin(t: TestContext) {
  const telegram = await telegramLogin(t)
  const nodes = await twoNodes(t)
  const confirm = async (node: Deps, { id: userId }: TestUser) => {
    const { url } = await beginTelegramConnection(node, telegram.login, userId)
    return { userId, network: NETWORK, ...telegram.provider.confirm(url) }
  }
  const finish = (node: Deps, callback: Awaited<ReturnType<typeof confirm>>) =>
    finishTelegramConnection(node, telegram.login, callback)
  return { telegram, nodes, confirm, finish }
}

test('race: accepts one of several parallel uses of a callback on two nodes', async (t) => {
  const { telegram, nodes, confirm, finish } = await nodesWithLogin(t)
  const [one, two] = nodes
  const people = await createUsers(one.db, one.campaign.id, ROUNDS)
  for (const [round, ann] of people.entries()) {
    switchTelegramUser(telegram)
    const callback = await confirm(one, ann)
    const counts = await tally([finish(one, callback), finish(two, callback), finish(one, callback)])
    assert.deepEqual(counts, { done: 1, telegram_expired: 2 }, `round ${round}`)
  }
  const entries = await one.db.selectFrom('journal').select('id').execute()
  assert.equal(entries.length, ROUNDS, 'each connection is recorded once')
})

test('race: gives an account to one of two participants who connect it', async (t) => {
  const { telegram, nodes, confirm, finish } = await nodesWithLogin(t)
  const [one, two] = nodes
  const people = await createUsers(one.db, one.campaign.id, ROUNDS * 2)
  for (let round = 0; round < ROUNDS; round += 1) {
    const [ann = assert.fail(), ben = assert.fail()] = people.slice(round * 2)
    // In every other round, Ben replaces an earlier account.
    if (round % 2 === 1) {
      switchTelegramUser(telegram)
      await finish(one, await confirm(one, ben))
    }
    const { id } = switchTelegramUser(telegram)
    const [hers, his] = [await confirm(one, ann), await confirm(two, ben)]
    const counts = await tally([finish(one, hers), finish(two, his)])
    assert.deepEqual(counts, { done: 1, telegram_taken: 1 }, `round ${round}`)
    const holders = one.db.selectFrom('telegram_accounts').select('user_id').where('telegram_id', '=', id)
    assert.equal((await holders.execute()).length, 1, `round ${round}`)
  }
})

test('race: an approved claim keeps the account that is being disconnected', async (t) => {
  const { telegram, nodes, confirm, finish } = await nodesWithLogin(t)
  const [one, two] = nodes
  const [adm] = await createUsers(one.db, one.campaign.id, 1, { role: 'admin' })
  const people = await createUsers(one.db, one.campaign.id, ROUNDS)
  for (const [round, ann] of people.entries()) {
    const { id } = switchTelegramUser(telegram)
    await finish(one, await confirm(one, ann))
    const { _id } = await submitProof(one, ann.id, freshProof())
    const disconnection = { userId: ann.id, network: NETWORK }
    const calls = [() => reviewerOn(one, adm).approve(_id), () => disconnectTelegram(two, disconnection)]
    const counts = await tally((round % 2 === 1 ? calls.toReversed() : calls).map((call) => call()))
    const accounts = one.db.selectFrom('telegram_accounts').select('user_id').where('telegram_id', '=', id)
    const isKept = (await accounts.execute()).length === 1
    assert.deepEqual(counts, isKept ? { done: 1, telegram_fixed: 1 } : { done: 2 }, `round ${round}`)
  }
})

test('race: rechecks a claim whose account is connected during its check', async (t) => {
  const { telegram, nodes, confirm, finish } = await nodesWithLogin(t)
  const [one, two] = nodes
  const group = await groupOfAll(t, one)
  const people = await createUsers(one.db, one.campaign.id, ROUNDS)
  for (const [round, ann] of people.entries()) {
    const { username } = switchTelegramUser(telegram)
    const { _id } = await submitProof(one, ann.id, { ...freshProof(), telegram: `@${username}` })
    const callback = await confirm(two, ann)
    // In every other round, the account is connected between the check and the saving of its result.
    if (round % 2 === 1) await runChecks(one, group, () => finish(two, callback))
    else await Promise.all([runChecks(one, group), finish(two, callback)])
    await runChecks(one, group)
    const evidence = await readEvidence(one.db, _id)
    const outcomes = evidence.map(({ check, outcome }) => `${check} ${outcome}`)
    assert.deepEqual(outcomes, ['telegram confirmed', 'telegram-handle confirmed'], `round ${round}`)
  }
})

/** A source for a group that has every user as a member. */
async function groupOfAll(t: TestContext, { campaign }: Deps): Promise<Source> {
  const telegramApiUrl = await serveStub(t, async (request, response) => {
    const { user_id: id } = (await json(request)) as { user_id: number }
    response.end(JSON.stringify(memberOf(id, 'member')))
  })
  const settings = { telegramApiUrl, telegramBotToken: '123456:AA', telegramClientId: '123456' }
  return telegramSource(createHttpClient({ allow: [telegramApiUrl], timeoutMs: 20_000 }), settings, campaign)
}

/** @param afterFirst runs once, before the result of the first check is saved. */
function runChecks(node: Deps, group: Source, afterFirst?: () => Promise<unknown>): Promise<number> {
  let checks = 0
  const run: Source['run'] = async (claim) => {
    const finding = await group.run(claim)
    checks += 1
    if (checks === 1) await afterFirst?.()
    return finding
  }
  return runDue(node.db, CHECK_JOB, (job) => checkClaim(node, [{ ...group, run }], job))
}

test('race: connects no account of a participant who is deleted while Telegram is asked', async (t) => {
  const { telegram, nodes, confirm } = await nodesWithLogin(t)
  const [one, two] = nodes
  const [ann] = await createUsers(one.db, one.campaign.id, 1)
  const callback = await confirm(one, ann)
  const login: typeof telegram.login = {
    ...telegram.login,
    identify: async (...input) => {
      await deleteAccount(two, { userId: ann.id, by: ann.id })
      return telegram.login.identify(...input)
    },
  }
  await assert.rejects(finishTelegramConnection(one, login, callback), { code: 'unauthenticated' })
  assert.deepEqual(await one.db.selectFrom('telegram_accounts').selectAll().execute(), [])
  assert.deepEqual(await one.db.selectFrom('journal_details').selectAll().execute(), [])
})
