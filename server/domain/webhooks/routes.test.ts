import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '#contract/dashboard/webhooks.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { assertInvalid } from '#server/testing/checks/refusals.ts'
import { entriesOf } from '#server/testing/journal.ts'

const ADDRESS = 'https://receiver.example/a-token-in-the-path'

test('an administrator adds, changes, tests and removes a webhook; the journal has the address only in its details', async (t) => {
  const { call, db, deps } = await testApi(t)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const { token } = adm
  const events = ['claim.received', 'slots.gone', 'claim.received']
  const added = await call(contract.addWebhook, { token, body: { url: ` ${ADDRESS} `, events } })
  assert.equal(added.status, 201)
  const { id, ...webhook } = added.body.data as contract.Webhook
  assert.match(added.body['secret'] as string, /^whsec_/)
  assert.deepEqual([webhook.url, webhook.events], [ADDRESS, ['claim.received', 'slots.gone']])
  assert.deepEqual([webhook.isEnabled, webhook.waiting, webhook.last], [true, 0, null])
  const listed = await call(contract.listWebhooks, { token })
  assert.deepEqual(listed.body, { data: [{ id, ...webhook }] })
  const { secret } = await db.selectFrom('webhooks').select('secret').executeTakeFirstOrThrow()
  assert.ok(!secret.includes((added.body['secret'] as string).slice(6)))

  const params = { id }
  const tested = await call(contract.testWebhook, { token, params })
  const delivery = tested.body.data as contract.Delivery
  assert.deepEqual([tested.status, delivery.event, delivery.state], [201, 'webhook.test', 'waiting'])
  const change = (body: object) => call(contract.changeWebhook, { token, params, body })
  const disabled = await change({ isEnabled: false })
  assert.equal((disabled.body.data as contract.Webhook).isEnabled, false)
  await assertInvalid(change, [[{ url: 'https://10.0.0.1/' }, { url: 'webhook_url' }]])
  const { body } = await call(contract.listDeliveries, { token, params })
  const states = (body.data as contract.Delivery[]).map(({ state, attempts }) => [state, attempts])
  assert.deepEqual(states, [['failed', 0]])
  const replayRequest = { token, params: { id, delivery: delivery.id } }
  assert.equal((await call(contract.replayDelivery, replayRequest)).status, 200)
  assert.equal((await call(contract.removeWebhook, { token, params })).status, 200)
  for (const endpoint of [contract.listDeliveries, contract.removeWebhook, contract.testWebhook])
    assert.equal((await call(endpoint, { token, params })).body.code, 'webhook_not_found')
  assert.equal((await call(contract.replayDelivery, replayRequest)).body.code, 'webhook_not_found')
  assert.deepEqual(await db.selectFrom('jobs').select('id').where('kind', 'like', 'webhook %').execute(), [])

  const journal = await entriesOf(db, { subject: id })
  const actions = journal.map(({ action, actor }) => (actor === adm.id ? action : 'by someone else'))
  assert.deepEqual(actions, ['webhook.added', 'webhook.changed', 'webhook.replayed', 'webhook.removed'])
  for (const { before, after, action, content } of journal) {
    assert.ok(!JSON.stringify([before, after]).includes('receiver'))
    if (action !== 'webhook.replayed') assert.equal((content as { url?: string }).url, ADDRESS)
  }
})

test('refuses addresses that nothing can be sent to, and empty or unknown events', async (t) => {
  const { call, db, deps } = await testApi(t)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const add = (body: object) => call(contract.addWebhook, { token: adm.token, body })
  const addresses = [
    'http://receiver.example',
    'https://10.0.0.1/',
    'https://[fd00::1]',
    'javascript:alert(1)',
  ]
  for (const url of addresses)
    await assertInvalid(add, [[{ url, events: ['slots.gone'] }, { url: 'webhook_url' }]])
  await assertInvalid(add, [
    [{ url: ADDRESS, events: [] }, { events: 'events_none' }],
    [{ url: ADDRESS, events: ['claims.received'] }, { 'events.0': 'not_offered' }],
  ])
  assert.deepEqual(await db.selectFrom('webhooks').selectAll().execute(), [])
})
