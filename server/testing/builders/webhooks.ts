import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { WEBHOOK_EVENTS, type WebhookEvent } from '#contract/dashboard/webhooks.ts'
import { addWebhook } from '#server/domain/webhooks/change-webhooks.ts'
import { listDeliveries } from '#server/domain/webhooks/deliveries.ts'
import { queueWebhooks } from '#server/domain/webhooks/queue.ts'
import { runWebhooks } from '#server/domain/webhooks/run-webhooks.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { createPublicPost } from '#server/platform/outbound/public-post.ts'
import { createUsers } from './create-users.ts'
import { reviewerOn } from './reviewer.ts'
import { serveStub } from '../fakes/http-stub.ts'
import { campaignWith, twoNodes } from '../database/races.ts'

/** The operator adds webhooks, and may add addresses of this machine. */
export const BY = { actor: null, allowLoopback: true }
/** The data of a `slots.gone` message. */
export const SLOTS = { campaign: 'x', total: 3, left: 0 }

export type Received = {
  headers: IncomingMessage['headers']
  body: string
  message: { type: string; data: unknown }
}

/** Two nodes, a campaign with three slots, four participants, an administrator, and webhook receivers. */
export async function setUpWebhooks(t: TestContext) {
  const [one, two] = await twoNodes(t, campaignWith({ slots: 3 }))
  const [ann, ben, cleo, dan] = await createUsers(one.db, one.campaign.id, 4)
  const [adm] = await createUsers(one.db, one.campaign.id, 1, { role: 'admin' })
  const post = createPublicPost({ allowLoopback: true, timeoutMs: 60_000 })
  const receiver = async (
    answer: (response: ServerResponse) => unknown = (response) => response.end('ok'),
  ) => {
    const received: Received[] = []
    const url = await serveStub(t, async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      received.push({ headers: request.headers, body, message: JSON.parse(body) as Received['message'] })
      answer(response)
    })
    return { url, received }
  }
  const queueMessage = () => inTransaction(one.db, (tx) => queueWebhooks(tx, 'slots.gone', SLOTS))
  const run = () => runWebhooks(one, post)
  /** Runs retries without their pauses. */
  const runRetries = async () => {
    await sql`update jobs set run_at = now() where kind like 'webhook %'`.execute(one.db)
    await run()
  }
  const readDeliveries = async (id: string) => (await listDeliveries(one.db, id, { limit: 100 })).data
  const reviewer = reviewerOn(one, adm)
  return {
    one,
    two,
    ann,
    ben,
    cleo,
    dan,
    adm,
    post,
    receiver,
    createWebhook: async (url: string, events: readonly WebhookEvent[] = WEBHOOK_EVENTS) =>
      (await addWebhook(one, { ...BY, url, events })).webhook.id,
    queueMessage,
    run,
    runRetries,
    readDeliveries,
    reviewer,
  }
}
