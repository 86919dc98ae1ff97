import * as contract from '#contract/dashboard/webhooks.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import { addWebhook, changeWebhook, removeWebhook, type WebhookOptions } from './change-webhooks.ts'
import { listDeliveries, queueTest, replay } from './deliveries.ts'
import { readWebhooks } from './read-webhooks.ts'

export const webhookRoutes = (deps: Deps, options: WebhookOptions): Route[] => [
  route(contract.listWebhooks, async () => ({ data: await readWebhooks(deps.db) })),
  route(contract.addWebhook, async ({ body, caller, network }) => {
    const added = await addWebhook(deps, { ...body, ...options, actor: caller.userId, network })
    return { message: messages.webhookAdded, data: added.webhook, secret: added.secret }
  }),
  route(contract.changeWebhook, async ({ params, body, caller, network }) => ({
    data: await changeWebhook(deps, params.id, { ...body, ...options, actor: caller.userId, network }),
    message: messages.webhookChanged,
  })),
  route(contract.removeWebhook, async ({ params, caller, network }) => {
    await removeWebhook(deps, params.id, { actor: caller.userId, network })
    return { message: messages.webhookRemoved }
  }),
  route(contract.testWebhook, async ({ params }) => ({
    data: await queueTest(deps, params.id),
    message: messages.webhookTested,
  })),
  route(contract.listDeliveries, ({ params, query }) => listDeliveries(deps.db, params.id, query)),
  route(contract.replayDelivery, async ({ params: { id: webhookId, delivery }, caller, network }) => ({
    data: await replay(deps, { webhookId, delivery, actor: caller.userId, network }),
    message: messages.webhookReplayed,
  })),
]
