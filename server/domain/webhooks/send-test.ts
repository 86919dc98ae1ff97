import type { Delivery } from '#contract/dashboard/webhooks.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import type { PublicPost } from '#server/platform/outbound/public-post.ts'
import { deliver } from './deliver.ts'
import { addTest, type DeliveryJob, readDelivery } from './deliveries.ts'

/** Sends a test message at once, for a process that runs no jobs. @throws refusal `webhook_not_found`. */
export async function sendTest(
  deps: Pick<Deps, 'db' | 'keys' | 'campaign'>,
  post: PublicPost,
  webhookId: string,
): Promise<Delivery> {
  const { id: campaign } = deps.campaign
  const id = await inTransaction(deps.db, (tx) => addTest(tx, webhookId, campaign))
  const payload: DeliveryJob = { delivery: id, once: true }
  await deliver(deps, post, { id, payload, attempts: 1 })
  return readDelivery(deps.db, webhookId, id)
}
