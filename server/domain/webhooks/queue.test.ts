import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { submitProof } from '#server/domain/claims/submission/submit-proof.ts'
import { notifyAdministrators } from '#server/domain/token-proofs/notify-administrators.ts'
import { reallocateSlots } from '#server/domain/slots/reallocate-slots.ts'
import { joinWaitingList, leaveWaitingList } from '#server/domain/slots/waiting-list.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { campaignWith, ROUNDS, tally } from '#server/testing/races.ts'
import { BY, type Received, setUpWebhooks, SLOTS } from '#server/testing/builders/webhooks.ts'
import { changeWebhook, removeWebhook } from './change-webhooks.ts'
import { queueWebhooks } from './queue.ts'
import { runWebhooks } from './run-webhooks.ts'

test('reports claims and decisions, with nothing personal but the username', async (t) => {
  const { one, ann, post, receiver, createWebhook, reviewer } = await setUpWebhooks(t)
  const { url, received } = await receiver()
  await createWebhook(url, ['claim.received', 'claim.decided'])
  const proof = freshProof()
  const { _id: claim } = await submitProof(one, ann.id, proof)
  await reviewer.approve(claim)
  await reviewer.undo(claim)
  await reviewer.reject(claim, 'A secret remark.', 'post_missing')
  const { _id: corrected } = await submitProof(one, ann.id, proof)
  await runWebhooks(one, post)
  const known = { campaign: one.campaign.id, username: ann.username, slot: 1 }
  const about = { ...known, claim, attempt: 1 }
  const expected = [
    ['claim.received', { ...about, status: 'submitted' }],
    ['claim.decided', { ...about, status: 'approved', decision: 'approved', reason: null }],
    ['claim.decided', { ...about, status: 'under_review', decision: 'undone', reason: null }],
    ['claim.decided', { ...about, status: 'rejected', decision: 'rejected', reason: 'post_missing' }],
    ['claim.received', { ...known, claim: corrected, attempt: 2, status: 'submitted' }],
  ]
  const byTime = received.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
  const sent = byTime.map(({ message: { type, data } }) => [type, data])
  assert.deepEqual(sent, expected)
  const secrets = [ann.email, ann.id, proof.wallet, proof.telegram, proof.twitter, 'secret remark']
  for (const { body } of received)
    for (const secret of secrets) assert.ok(!body.toLowerCase().includes(secret.toLowerCase()), secret)
})

const timeOf = ({ body }: Received) => (JSON.parse(body) as { timestamp: string }).timestamp

test('queues nothing if the transaction fails, and nothing for other events or disabled webhooks', async (t) => {
  const { one, queueMessage, receiver, createWebhook, readDeliveries } = await setUpWebhooks(t)
  const { url } = await receiver()
  const listening = await createWebhook(url)
  const forOtherEvents = await createWebhook(url, ['token.verdict_changed'])
  const disabled = await createWebhook(url)
  await changeWebhook(one, disabled, { ...BY, isEnabled: false })
  const failing = inTransaction(one.db, async (tx) => {
    await queueWebhooks(tx, 'slots.gone', SLOTS)
    throw new Error('The transaction fails.')
  })
  await assert.rejects(failing, /The transaction fails/)
  assert.deepEqual(await readDeliveries(listening), [])
  await queueMessage()
  assert.equal((await readDeliveries(listening)).length, 1)
  for (const id of [forOtherEvents, disabled]) assert.deepEqual(await readDeliveries(id), [])
})

test('slots.gone and slots.free are sent once each, and not while someone waits or a slot changes hands', async (t) => {
  const { one, two, ann, ben, cleo, dan, receiver, createWebhook, readDeliveries, reviewer } =
    await setUpWebhooks(t)
  const id = await createWebhook((await receiver()).url, ['slots.gone', 'slots.free'])
  const heard = async () =>
    (await readDeliveries(id)).toReversed().map(({ event, data }) => [event, data['left'], data['total']])
  const claims = []
  for (const person of [ann, ben]) claims.push((await submitProof(one, person.id, freshProof()))._id)
  assert.deepEqual(await heard(), [])
  await submitProof(two, cleo.id, freshProof())
  assert.deepEqual(await heard(), [['slots.gone', 0, 3]])

  await joinWaitingList(one, dan.id)
  await reviewer.reject(claims[0] ?? '', '', 'automated')
  await reallocateSlots(one)
  assert.deepEqual(await heard(), [['slots.gone', 0, 3]], 'the slot went to the waiting list')
  await submitProof(one, dan.id, freshProof())
  await reviewer.reject(claims[1] ?? '', '', 'automated')
  assert.deepEqual((await heard()).slice(1), [['slots.free', 1, 3]])
  await one.db.updateTable('campaigns').set({ slots_total: 5 }).execute()
  await one.db.updateTable('campaigns').set({ slots_total: 2 }).execute()
  assert.deepEqual((await heard()).slice(2), [['slots.gone', 0, 2]])

  await inTransaction(one.db, async (tx) => {
    for (const slots_total of [5, 2]) await tx.updateTable('campaigns').set({ slots_total }).execute()
  })
  assert.equal((await heard()).length, 3, 'what does not last until the commit is no news')

  await joinWaitingList(one, ann.id)
  await one.db.updateTable('campaigns').set({ slots_total: 3 }).execute()
  assert.equal((await heard()).length, 3, 'somebody waits for it')
  await leaveWaitingList(one, ann.id)
  assert.deepEqual((await heard()).slice(3), [['slots.free', 1, 3]])
})

test('race: the last slot causes one message, however many claim it', async (t) => {
  const { one, two, receiver, createWebhook } = await setUpWebhooks(t)
  const id = await createWebhook((await receiver()).url, ['slots.gone'])
  for (let round = 1; round <= ROUNDS; round += 1) {
    const campaign = campaignWith({ slots: 3 }, `round-${round}`)
    await one.db.insertInto('campaigns').values({ id: campaign.id, slots_total: 3 }).execute()
    const people = await createUsers(one.db, campaign.id, 12)
    const counts = await tally(
      people.map((person, index) =>
        submitProof({ ...(index % 2 ? one : two), campaign }, person.id, freshProof()),
      ),
    )
    assert.deepEqual(counts, { done: 3, slots_gone: 9 }, `round ${round}`)
    const { rows } = await sql`
      select from webhook_deliveries
      where webhook_id = ${id} and data->>'campaign' = ${campaign.id}`.execute(one.db)
    assert.equal(rows.length, 1, `round ${round}`)
  }
})

test('race: removing a webhook never fails the transactions that queue messages to it', async (t) => {
  const { one, two, receiver, createWebhook, queueMessage } = await setUpWebhooks(t)
  const { url } = await receiver()
  for (let round = 1; round <= ROUNDS; round += 1) {
    const id = await createWebhook(url)
    const counts = await tally([queueMessage(), removeWebhook(two, id, BY), queueMessage(), queueMessage()])
    assert.deepEqual(counts, { done: 4 }, `round ${round}`)
    const { rows } = await sql`select id from jobs where kind like 'webhook %'`.execute(one.db)
    assert.deepEqual(rows, [], `round ${round}`)
  }
})

test('queues a message when a verdict about the token changes', async (t) => {
  const { one, receiver, createWebhook, readDeliveries } = await setUpWebhooks(t)
  const id = await createWebhook((await receiver()).url, ['token.verdict_changed'])
  const shown = { verdict: 'not_so', reason: { code: 'no_code', chainId: 369 }, asked: [], block: 7 } as const
  const change = { claim: 'chain', before: 'proven', shown, concludedAt: 1 } as const
  await inTransaction(one.db, (tx) => notifyAdministrators(tx, one.campaign, [change]))
  const [delivery] = await readDeliveries(id)
  assert.equal(delivery?.event, 'token.verdict_changed')
  assert.deepEqual(delivery.data, {
    campaign: one.campaign.id,
    contract: one.campaign.token.contract,
    claim: 'chain',
    before: 'proven',
    verdict: 'not_so',
    reason: 'no_code',
    block: 7,
  })
})
