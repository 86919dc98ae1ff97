import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import { record } from '../journal/record.ts'
import { sendLater } from '../mail/send-later.ts'
import { dropWaitingDeliveries } from './change-webhooks.ts'
import { readAdministrators } from '../accounts/roles/administrators.ts'

/** Locks the webhook of a message until the transaction ends, if the message still exists. */
export async function lockWebhookOf(tx: Tx, delivery: string): Promise<void> {
  await tx
    .selectFrom('webhooks')
    .select('id')
    .where('id', '=', (query) =>
      query.selectFrom('webhook_deliveries').select('webhook_id').where('id', '=', delivery),
    )
    .forNoKeyUpdate()
    .execute()
}

type FailedDelivery = { delivery: string; because: 'failing' | 'gone'; failure: string }

/**
 * Disables the webhook of a message that was given up, and mails the administrators. A failing webhook stays
 * enabled if another message was delivered after this message was queued: its receiver works. The caller
 * holds the lock of {@link lockWebhookOf}.
 */
export async function disableWebhook(tx: Tx, { delivery, because, failure }: FailedDelivery): Promise<void> {
  const disabled = await tx
    .updateTable('webhooks as w')
    .from('webhook_deliveries as d')
    .set({ is_enabled: false, disabled_because: because })
    .where('d.id', '=', delivery)
    .whereRef('w.id', '=', 'd.webhook_id')
    .where('w.is_enabled', '=', true)
    .$if(because === 'failing', (query) =>
      query.where(sql<boolean>`not exists (
        select from webhook_deliveries o
        where o.webhook_id = w.id and o.state = 'delivered' and o.attempted_at >= d.created_at)`),
    )
    .returning(['w.id', 'w.url'])
    .executeTakeFirst()
  if (!disabled) return
  await dropWaitingDeliveries(tx, disabled.id)
  await record(tx, {
    actor: null,
    action: 'webhook.disabled',
    subject: disabled.id,
    after: { because },
    details: { url: disabled.url, failure },
  })
  const administrators = await readAdministrators(tx)
  const receiver = new URL(disabled.url).origin
  for (const { username, email } of administrators)
    await sendLater(tx, {
      template: 'webhook-disabled',
      to: email,
      values: { username, receiver, failure, because },
    })
}
