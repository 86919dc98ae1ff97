import { type Selectable, sql } from 'kysely'
import { DELIVERY_DAYS, type Delivery, type SentEvent } from '#contract/dashboard/webhooks.ts'
import type { Deps } from '#server/deps.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import type { WebhookDeliveries } from '#server/platform/database/database.types.ts'
import { newId } from '#server/platform/database/ids.ts'
import { ago } from '#server/platform/database/times.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { pageOf } from '#server/platform/page.ts'
import { refuse } from '#server/platform/refusal.ts'
import { type Attribution, record } from '../journal/record.ts'
import { journalWordOf, lockWebhook } from './change-webhooks.ts'
import { readWebhook } from './read-webhooks.ts'
import { jobKindOf } from './standard-webhooks.ts'

/** The payload of a webhook's job. `once` marks an attempt for an administrator, which has no retries. */
export type DeliveryJob = { delivery: string; once?: boolean }

type Page = { cursor?: string | undefined; limit: number }

/** Newest first. Uses the index `webhook_deliveries_latest`. @throws refusal `webhook_not_found`. */
export async function listDeliveries(
  db: Database,
  webhookId: string,
  { cursor, limit }: Page,
): Promise<{ data: Delivery[]; next: string | null }> {
  await readWebhook(db, webhookId)
  const rows = await deliveriesOf(db, webhookId)
    .$if(cursor !== undefined, (query) =>
      query.where(
        sql<boolean>`(d.created_at, d.id) <
          (select created_at, id from webhook_deliveries where id = ${cursor})`,
      ),
    )
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(limit + 1)
    .execute()
  return pageOf(rows.map(asDelivery), limit, ({ id }) => id)
}

/** @throws refusal `webhook_not_found`. */
export async function readDelivery(db: Database | Tx, webhookId: string, id: string): Promise<Delivery> {
  const row = await deliveriesOf(db, webhookId).where('d.id', '=', id).executeTakeFirst()
  if (!row) throw refuse('webhook_not_found')
  return asDelivery(row)
}

const deliveriesOf = (db: Database | Tx, webhookId: string) =>
  db
    .selectFrom('webhook_deliveries as d')
    .selectAll('d')
    .select(
      sql<Date | null>`(select min(run_at) from jobs where kind = ${jobKindOf(webhookId)} and done_at is null
        and dead_at is null and payload->>'delivery' = d.id::text)`.as('next_at'),
    )
    .where('d.webhook_id', '=', webhookId)

function asDelivery(row: Selectable<WebhookDeliveries> & { next_at: Date | null }): Delivery {
  return {
    id: row.id,
    event: row.event as SentEvent,
    at: row.created_at.toISOString(),
    data: row.data as Delivery['data'],
    state: row.state as Delivery['state'],
    attempts: row.attempts,
    attemptedAt: row.attempted_at?.toISOString() ?? null,
    nextAt: row.next_at?.toISOString() ?? null,
    status: row.status,
    latencyMs: row.latency_ms,
    answer: row.answer,
    failure: row.failure,
  }
}

/** Sends a test message, even to a disabled webhook. @throws refusal `webhook_not_found`. */
export async function queueTest(
  deps: Pick<Deps, 'db' | 'campaign' | 'runSoon'>,
  webhookId: string,
): Promise<Delivery> {
  const { campaign } = deps
  const delivery = await inTransaction(deps.db, async (tx) => {
    const id = await addTest(tx, webhookId, campaign.id)
    await enqueueAttempt(tx, webhookId, id)
    return readDelivery(tx, webhookId, id)
  })
  deps.runSoon('webhooks')
  return delivery
}

/** Adds a test message without a job that sends it. @throws refusal `webhook_not_found`. */
export async function addTest(tx: Tx, webhookId: string, campaign: string): Promise<string> {
  await lockWebhook(tx, webhookId)
  const id = newId()
  await tx
    .insertInto('webhook_deliveries')
    .values({
      id,
      webhook_id: webhookId,
      event: 'webhook.test' satisfies SentEvent,
      data: JSON.stringify({ campaign }),
    })
    .execute()
  return id
}

const enqueueAttempt = (tx: Tx, webhookId: string, delivery: string) =>
  enqueue(tx, { kind: jobKindOf(webhookId), payload: { delivery, once: true } satisfies DeliveryJob })

/** Sends a message again with its id, even to a disabled webhook. @throws refusal `webhook_not_found`. */
export async function replay(
  deps: Pick<Deps, 'db' | 'runSoon'>,
  { webhookId, delivery: id, ...by }: Attribution & { webhookId: string; delivery: string },
): Promise<Delivery> {
  const delivery = await inTransaction(deps.db, async (tx) => {
    await lockWebhook(tx, webhookId)
    const { event, state } = await readDelivery(tx, webhookId, id)
    // A waiting message will be sent anyway.
    if (state !== 'waiting') {
      await tx.updateTable('webhook_deliveries').set({ state: 'waiting' }).where('id', '=', id).execute()
      await enqueueAttempt(tx, webhookId, id)
      const after = { delivery: id, event: journalWordOf(event) }
      await record(tx, { ...by, action: 'webhook.replayed', subject: webhookId, after })
    }
    return readDelivery(tx, webhookId, id)
  })
  deps.runSoon('webhooks')
  return delivery
}

export async function purgeDeliveries(db: Database): Promise<void> {
  await db
    .deleteFrom('webhook_deliveries')
    .where('created_at', '<', ago(`${DELIVERY_DAYS} days`))
    .execute()
}

/** Deletes the messages about a participant. */
export async function eraseDeliveries(tx: Tx, username: string): Promise<void> {
  await tx
    .deleteFrom('webhook_deliveries')
    .where(sql<boolean>`data->>'username' = ${username}`)
    .execute()
}
