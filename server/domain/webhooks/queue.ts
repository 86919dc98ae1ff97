import { type RawBuilder, sql } from 'kysely'
import type { WebhookData } from '#contract/dashboard/webhooks.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'

/** Queues a message to each webhook that listens to the event, in the transaction that causes it. */
export async function queueWebhooks<Event extends keyof WebhookData>(
  tx: Tx,
  event: Event,
  data: WebhookData[Event],
): Promise<void> {
  await sql`select queue_webhooks(${event}, ${JSON.stringify(data)}::jsonb)`.execute(tx)
}

type ClaimEvent = 'claim.received' | 'claim.decided'
/** What an event says besides the fields of `claim.received`. */
type Extra<Event extends ClaimEvent> = Omit<WebhookData[Event], keyof WebhookData['claim.received']>

/** {@link queueWebhooks} with the claim's current state. */
export async function queueClaimWebhooks<Event extends ClaimEvent>(
  tx: Database | Tx,
  event: Event,
  claimId: string,
  extra: Extra<Event>,
): Promise<void> {
  const claim = sql`(select * from claims where id = ${claimId}) claim`
  await queueClaimWebhooksSql(event, extra, claim).execute(tx)
}

/**
 * {@link queueClaimWebhooks} as part of a larger statement, which must select from it: PostgreSQL does not
 * run a part that nothing reads.
 * @param claim a source of rows named `claim` with the columns of a claim.
 */
export function queueClaimWebhooksSql<Event extends ClaimEvent>(
  event: Event,
  extra: Extra<Event>,
  claim: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    select queue_webhooks(${event}, jsonb_build_object('campaign', claim.campaign_id, 'claim', claim.id,
      'username', person.username, 'attempt', claim.attempt, 'status', claim.status, 'slot', claim.slot)
      || ${JSON.stringify(extra)}::jsonb)
    from ${claim} join users person on person.id = claim.user_id`
}
