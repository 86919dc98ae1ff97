import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { json } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import defaultCampaign from '#server/testing/campaign.ts'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import { replyWith, serveStub } from '#server/testing/fakes/http-stub.ts'
import { botRefusal, memberOf } from '#server/testing/checks/recorded.ts'
import { type ClaimToCheck, sentenceOf } from './finding.ts'
import { groupOf, telegramSource } from './telegram.ts'

const TOKEN = '123456:AAsecret-of-the-bot'
const USER_ID = 424_242
const PERSON = { telegram: 'moonboy_tg', telegram_id: USER_ID, telegram_name: 'moonboy_tg' } as ClaimToCheck

async function checkMembershipWith(
  t: TestContext,
  listener: RequestListener,
  { token = TOKEN, person = PERSON, campaign = defaultCampaign } = {}, // '' is no token
) {
  const telegramApiUrl = await serveStub(t, listener)
  const http = createHttpClient({ allow: [telegramApiUrl], timeoutMs: 20_000 })
  const config = { telegramApiUrl, telegramBotToken: token || undefined, telegramClientId: undefined }
  const { findings } = await telegramSource(http, config, campaign).run(person)
  const [finding, ...others] = findings
  assert.ok(finding)
  assert.deepEqual(others, [])
  return finding
}

test('looks up group membership by Telegram id', async (t) => {
  const asked: unknown[] = []
  const finding = await checkMembershipWith(t, async (request, response) => {
    asked.push(request.method, request.url, await json(request))
    replyWith(memberOf(USER_ID, 'member'))(request, response)
  })
  const body = { chat_id: '@PocketFuturePF', user_id: USER_ID }
  assert.deepEqual(asked, ['POST', `/bot${TOKEN}/getChatMember`, body])
  assert.equal(finding.outcome, 'confirmed')
  assert.ok(!JSON.stringify(finding).includes('secret'), 'the bot’s token is not stored')
})

test('confirms members and contradicts those who left or were removed', async (t) => {
  const outcomeOf = async (status: string, isMember?: boolean) =>
    (await checkMembershipWith(t, replyWith(memberOf(USER_ID, status, isMember)))).outcome
  for (const status of ['creator', 'administrator', 'member'])
    assert.equal(await outcomeOf(status), 'confirmed')
  for (const status of ['left', 'kicked']) assert.equal(await outcomeOf(status), 'contradicted')
  assert.equal(await outcomeOf('restricted', true), 'confirmed')
  assert.equal(await outcomeOf('restricted', false), 'contradicted')
  assert.equal(await outcomeOf('restricted'), 'could_not_tell')
  assert.equal(await outcomeOf('something new'), 'could_not_tell')
})

test('is inconclusive if the Bot API rejects the call, or does not answer as documented', async (t) => {
  for (const cause of ['user not found', 'PARTICIPANT_ID_INVALID', 'chat not found']) {
    const refusal = botRefusal(400, `Bad Request: ${cause}`)
    const { outcome, retry, copy: storedReply } = await checkMembershipWith(t, replyWith(refusal, 400))
    assert.equal(outcome, 'could_not_tell')
    assert.ok(retry && storedReply?.text.includes(cause))
  }
  for (const reply of [replyWith(botRefusal(401, 'Unauthorized'), 401), replyWith({ ok: true })])
    assert.equal((await checkMembershipWith(t, reply)).outcome, 'could_not_tell')
})

test('retries after the delay that Telegram asks for when rate limited', async (t) => {
  const refusal = botRefusal(429, 'Too Many Requests: retry after 35', 35)
  const { outcome, retry } = await checkMembershipWith(t, replyWith(refusal, 429))
  assert.deepEqual([outcome, retry], ['could_not_tell', { afterSeconds: 35 }])
})

test('compares the claimed handle with the name of the connected account', async (t) => {
  const telegramApiUrl = await serveStub(t, replyWith(memberOf(USER_ID, 'member')))
  // With a client id, participants can connect accounts, which enables the second check.
  const config = { telegramApiUrl, telegramBotToken: TOKEN, telegramClientId: '123456' }
  const http = createHttpClient({ allow: [telegramApiUrl], timeoutMs: 20_000 })
  const source = telegramSource(http, config, defaultCampaign)
  const judge = async (changes: Partial<ClaimToCheck>) => {
    const { findings } = await source.run({ ...PERSON, ...changes })
    const checks = findings.map(({ check }) => check)
    assert.deepEqual(checks, ['telegram', 'telegram-handle'])
    const { outcome, found } = findings[1] ?? assert.fail()
    return `${outcome}: ${sentenceOf(found)}`
  }
  const account = 'The connected Telegram account is'
  assert.equal(await judge({}), `confirmed: ${account} @moonboy_tg, as claimed.`)
  assert.equal(await judge({ telegram: 'MoonBoy_TG' }), `confirmed: ${account} @moonboy_tg, as claimed.`)
  assert.equal(
    await judge({ telegram: 'moon' }),
    `contradicted: ${account} @moonboy_tg; the form says @moon.`,
  )
  assert.match(await judge({ telegram_name: null }), /^could_not_tell: .*no public name/)
  const unconnected = await judge({ telegram_id: null, telegram_name: null })
  assert.match(unconnected, /^could_not_tell: Without a connected account/)
})

test('makes no call and no retry without a bot, a public group or a Telegram id', async (t) => {
  const refuseCalls: RequestListener = () => assert.fail('Telegram was called')
  const tasks = defaultCampaign.airdrop.tasks.map((task) => ({ ...task, url: 'https://t.me/+AbCdEf' }))
  const invited = { ...defaultCampaign, airdrop: { ...defaultCampaign.airdrop, tasks } }
  for (const without of [
    { token: '' },
    { campaign: invited },
    { person: { ...PERSON, telegram_id: null } },
  ]) {
    const { outcome, retry } = await checkMembershipWith(t, refuseCalls, without)
    assert.deepEqual([outcome, retry], ['could_not_tell', undefined])
  }
  assert.equal(groupOf(invited), undefined, 'an invite link names no group')
})
