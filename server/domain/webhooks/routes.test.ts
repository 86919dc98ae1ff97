import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as contract from '#contract/dashboard/webhooks.ts'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { type CallInput, testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { assertInvalid } from '#server/testing/checks/refusals.ts'
import { entriesOf } from '#server/testing/journal.ts'

const ADDRESS = 'https://receiver.example/a-token-in-the-path'

async function setUp(t: TestContext) {
  const { call, db, deps } = await testApi(t)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const { token } = adm
  const add = (body: object) => call(contract.addWebhook, { token, body })
  return { call, db, adm, token, add }
}

test('adding a webhook refuses a bad address or event, shows the secret once and stores it encrypted', async (t) => {
  const { call, db, token, add } = await setUp(t)
  await assertInvalid(add, [
    [{ url: 'https://10.0.0.1/', events: ['slots.gone'] }, { url: 'webhook_url' }],
    [{ url: ADDRESS, events: [] }, { events: 'events_none' }],
    [{ url: ADDRESS, events: ['claims.received'] }, { 'events.0': 'not_offered' }],
  ])
  assert.deepEqual(await db.selectFrom('webhooks').selectAll().execute(), [])
  const events = ['claim.received', 'slots.gone', 'claim.received']
  const { status, body } = await add({ url: ` ${ADDRESS} `, events })
  assert.equal(status, 201)
  const distinct = ['claim.received', 'slots.gone']
  const state = { isEnabled: true, waiting: 0, last: null }
  assert.partialDeepStrictEqual(body.data, { url: ADDRESS, events: distinct, ...state })
  const shown = body['secret'] as string
  assert.match(shown, /^whsec_/)
  const listed = await call(contract.listWebhooks, { token })
  assert.deepEqual(listed.body, { data: [body.data] })
  const { secret } = await db.selectFrom('webhooks').select('secret').executeTakeFirstOrThrow()
  assert.ok(!secret.includes(shown.slice('whsec_'.length)))
})

test('a removed webhook leaves only journal entries, with the address in the details of changes', async (t) => {
  const { call, db, adm, token, add } = await setUp(t)
  const added = await add({ url: ADDRESS, events: ['claim.received', 'slots.gone'] })
  const { id } = added.body.data as contract.Webhook
  const callAbout = (endpoint: Endpoint, input: CallInput = {}) =>
    call(endpoint, { token, ...input, params: { id, ...input.params } })
  const change = (body: object) => callAbout(contract.changeWebhook, { body })
  const tested = await callAbout(contract.testWebhook)
  assert.equal(tested.status, 201)
  const { id: delivery } = tested.body.data as contract.Delivery
  const disabled = await change({ isEnabled: false })
  assert.equal((disabled.body.data as contract.Webhook).isEnabled, false)
  await assertInvalid(change, [[{ url: 'https://10.0.0.1/' }, { url: 'webhook_url' }]])
  const replayDelivery = () => callAbout(contract.replayDelivery, { params: { delivery } })
  assert.equal((await replayDelivery()).status, 200)
  assert.equal((await callAbout(contract.removeWebhook)).status, 200)
  for (const endpoint of [contract.listDeliveries, contract.removeWebhook, contract.testWebhook])
    assert.equal((await callAbout(endpoint)).body.code, 'webhook_not_found')
  assert.equal((await replayDelivery()).body.code, 'webhook_not_found')
  assert.deepEqual(await db.selectFrom('jobs').select('id').where('kind', 'like', 'webhook %').execute(), [])

  const journal = await entriesOf(db, { subject: id })
  const actions = journal.map(({ action, actor }) => (actor === adm.id ? action : 'by someone else'))
  assert.deepEqual(actions, ['webhook.added', 'webhook.changed', 'webhook.replayed', 'webhook.removed'])
  for (const { before, after, action, content } of journal) {
    assert.ok(!JSON.stringify([before, after]).includes('receiver'))
    if (action !== 'webhook.replayed') assert.equal((content as { url?: string }).url, ADDRESS)
  }
})
