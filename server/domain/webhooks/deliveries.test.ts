import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { setUpWebhooks } from '#server/testing/builders/webhooks.ts'
import { listDeliveries, purgeDeliveries, replay } from './deliveries.ts'

test('lists one webhook’s deliveries, replays no others, and deletes those older than two weeks', async (t) => {
  const { one, createWebhook, queueMessage, readDeliveries } = await setUpWebhooks(t)
  const id = await createWebhook('https://receiver.example')
  const otherId = await createWebhook('https://receiver.example')
  for (let count = 0; count < 5; count += 1) await queueMessage()
  const [foreign = assert.fail()] = await readDeliveries(otherId)
  for (const delivery of [foreign.id, crypto.randomUUID()])
    await assert.rejects(replay(one, { webhookId: id, delivery, actor: null }), { code: 'webhook_not_found' })

  const listed: string[] = []
  let cursor: string | undefined
  do {
    const page = await listDeliveries(one.db, id, { limit: 2, cursor })
    listed.push(...page.data.map((delivery) => delivery.id))
    cursor = page.next ?? undefined
  } while (cursor)
  assert.equal(listed.length, 5)
  assert.equal(new Set(listed).size, 5)
  assert.ok(!listed.includes(foreign.id))

  const [newest = '', almostExpired = ''] = listed
  await sql`
    update webhook_deliveries
    set created_at = now()
      - case id when ${almostExpired} then interval '13 days 23 hours' else interval '14 days' end
    where id <> ${newest}`.execute(one.db)
  await purgeDeliveries(one.db)
  const kept = (await readDeliveries(id)).map((delivery) => delivery.id)
  assert.deepEqual(kept, [newest, almostExpired])
})
