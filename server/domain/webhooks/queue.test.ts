import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { submitProof } from '#server/domain/claims/submission/submit-proof.ts'
import { notifyOfVerdictChanges } from '#server/domain/token-proofs/notify-of-verdict-changes.ts'
import { reallocateSlots } from '#server/domain/slots/reallocate-slots.ts'
import { joinWaitingList, leaveWaitingList } from '#server/domain/slots/waiting-list.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { claim, setSlots } from '#server/testing/builders/slots.ts'
import { campaignWith, ROUNDS, tally } from '#server/testing/database/races.ts'
import { BY, type Received, setUpWebhooks, SLOTS } from '#server/testing/builders/webhooks.ts'
import { changeWebhook, removeWebhook } from './change-webhooks.ts'
import { queueWebhooks } from './queue.ts'

test('messages about claims and decisions contain nothing personal except the username', async (t) => {
  const { one, ann, run, receiver, createWebhook, reviewer } = await setUpWebhooks(t)
  const { url, received } = await receiver()
  await createWebhook(url, ['claim.received', 'claim.decided'])
  const proof = freshProof()
  const { _id: claimId } = await submitProof(one, ann.id, proof)
  await reviewer.approve(claimId)
  await reviewer.undo(claimId)
  await reviewer.reject(claimId, { text: 'A secret remark.', reason: 'post_missing' })
  const { _id: corrected } = await submitProof(one, ann.id, proof)
  await run()
  const participant = { campaign: one.campaign.id, username: ann.username, slot: 1 }
  const about = { ...participant, claim: claimId, attempt: 1 }
  const aboutCorrected = { ...participant, claim: corrected, attempt: 2 }
  const approved = { status: 'approved', decision: 'approved', reason: null }
  const undone = { status: 'under_review', decision: 'undone', reason: null }
  const rejected = { status: 'rejected', decision: 'rejected', reason: 'post_missing' }
  const byTime = received.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
  const sent = byTime.map(({ message: { type, data } }) => ({ type, data }))
  assert.deepEqual(sent, [
    { type: 'claim.received', data: { ...about, status: 'submitted' } },
    { type: 'claim.decided', data: { ...about, ...approved } },
    { type: 'claim.decided', data: { ...about, ...undone } },
    { type: 'claim.decided', data: { ...about, ...rejected } },
    { type: 'claim.received', data: { ...aboutCorrected, status: 'submitted' } },
  ])

  const secrets = [ann.email, ann.id, proof.wallet, proof.telegram, proof.twitter, 'secret remark']
  for (const { body } of received)
    for (const secret of secrets) assert.ok(!body.toLowerCase().includes(secret.toLowerCase()), secret)
})

const timeOf = ({ body }: Received) => (JSON.parse(body) as { timestamp: string }).timestamp

test('a committed transaction queues its message for enabled webhooks that listen to the event', async (t) => {
  const { one, queueMessage, receiver, createWebhook, readDeliveries } = await setUpWebhooks(t)
  const { url } = await receiver()
  const forAllEvents = await createWebhook(url)
  const forOtherEvents = await createWebhook(url, ['token.verdict_changed'])
  const disabled = await createWebhook(url)
  await changeWebhook(one, disabled, { ...BY, isEnabled: false })
  const failing = inTransaction(one.db, async (tx) => {
    await queueWebhooks(tx, 'slots.gone', SLOTS)
    throw new Error('The transaction fails.')
  })
  await assert.rejects(failing, /The transaction fails/)
  assert.deepEqual(await readDeliveries(forAllEvents), [])
  await queueMessage()
  assert.equal((await readDeliveries(forAllEvents)).length, 1)
  for (const id of [forOtherEvents, disabled]) assert.deepEqual(await readDeliveries(id), [])
})

/** Ann, Ben and Cleo have taken the three slots in this order, and a webhook got `slots.gone`. */
async function setUpTaken(t: TestContext) {
  const site = await setUpWebhooks(t)
  const { one, two, ann, ben, cleo } = site
  const id = await site.createWebhook((await site.receiver()).url, ['slots.gone', 'slots.free'])
  /** The messages after the first `slots.gone`, oldest first. */
  const readNews = async () => {
    const [first, ...others] = (await site.readDeliveries(id)).toReversed()
    assert.equal(first?.event, 'slots.gone')
    return others.map(({ event, data }) => ({ event, left: data['left'], total: data['total'] }))
  }
  const claims = [await claim(one, ann), await claim(one, ben)]
  assert.deepEqual(await site.readDeliveries(id), [], 'a slot is left')
  await claim(two, cleo)
  const [gone] = await site.readDeliveries(id)
  assert.partialDeepStrictEqual(gone, { event: 'slots.gone', data: { left: 0, total: 3 } })
  /** Rejects a claim for a reason that frees its slot at once. */
  const freeSlot = (claimId = '') => site.reviewer.reject(claimId, { reason: 'automated' })
  return { ...site, claims, readNews, freeSlot }
}

test('slots.free is sent when a slot becomes free, not when it goes to the waiting list', async (t) => {
  const { one, dan, claims, readNews, freeSlot } = await setUpTaken(t)
  await joinWaitingList(one, dan.id)
  await freeSlot(claims[0])
  await reallocateSlots(one)
  assert.deepEqual(await readNews(), [], 'the slot went to the waiting list')
  await claim(one, dan)
  await freeSlot(claims[1])
  assert.deepEqual(await readNews(), [{ event: 'slots.free', left: 1, total: 3 }])
})

test('slots.free and slots.gone are sent for the change that a transaction commits, not for steps within it', async (t) => {
  const { one, dan, readNews } = await setUpTaken(t)
  // The second change sends nothing: slots were free already.
  for (const total of [5, 6, 3]) await setSlots(one, total)
  const expected = [
    { event: 'slots.free', left: 2, total: 5 },
    { event: 'slots.gone', left: 0, total: 3 },
  ]
  assert.deepEqual(await readNews(), expected)
  await inTransaction(one.db, async (tx) => {
    for (const total of [5, 3]) await setSlots({ ...one, db: tx }, total)
  })
  assert.deepEqual(await readNews(), expected)

  await joinWaitingList(one, dan.id)
  await setSlots(one, 4)
  assert.deepEqual(await readNews(), expected, 'somebody waits for the free slot')
  await leaveWaitingList(one, dan.id)
  assert.deepEqual(await readNews(), [...expected, { event: 'slots.free', left: 1, total: 4 }])
})

test('race: the last slot causes one message even if several participants claim it', async (t) => {
  const { one, two, receiver, createWebhook } = await setUpWebhooks(t)
  const id = await createWebhook((await receiver()).url, ['slots.gone'])
  for (let round = 1; round <= ROUNDS; round += 1) {
    const campaign = campaignWith({ slots: 3 }, `round-${round}`)
    await one.db.insertInto('campaigns').values({ id: campaign.id, slots_total: 3 }).execute()
    const people = await createUsers(one.db, campaign.id, 6)
    const counts = await tally(
      people.map((person, index) => claim({ ...(index % 2 ? one : two), campaign }, person)),
    )
    assert.deepEqual(counts, { done: 3, slots_gone: 3 }, `round ${round}`)
    const { rows } = await sql`
      select from webhook_deliveries
      where webhook_id = ${id} and data->>'campaign' = ${campaign.id}`.execute(one.db)
    assert.equal(rows.length, 1, `round ${round}`)
  }
})

test('race: no transaction fails because the webhook to which it queues a message is removed', async (t) => {
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

test('a message is queued when a verdict about the token changes', async (t) => {
  const { one, receiver, createWebhook, readDeliveries } = await setUpWebhooks(t)
  const id = await createWebhook((await receiver()).url, ['token.verdict_changed'])
  const shown = { verdict: 'not_so', reason: { code: 'no_code', chainId: 369 }, asked: [], block: 7 } as const
  const change = { claim: 'chain', before: 'proven', shown, concludedAt: 1 } as const
  await inTransaction(one.db, (tx) => notifyOfVerdictChanges(tx, one.campaign, [change]))
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
