import { sql } from 'kysely'
import type { Webhook, WebhookEvent } from '#contract/dashboard/webhooks.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'

/** In the order in which they were added. Never more than MAX_WEBHOOKS. */
export async function readWebhooks(db: Database | Tx): Promise<Webhook[]> {
  const rows = await rowsOf(db).orderBy('w.created_at').orderBy('w.id').execute()
  return rows.map(asWebhook)
}

/** @throws refusal `webhook_not_found`. */
export async function readWebhook(db: Database | Tx, id: string): Promise<Webhook> {
  const row = await rowsOf(db).where('w.id', '=', id).executeTakeFirst()
  if (!row) throw refuse('webhook_not_found')
  return asWebhook(row)
}

/** `jobKindOf` in SQL for the webhook `w`. */
export const JOB_KIND_OF_W = sql<string>`'webhook ' || w.id`

const WAITING = sql<number>`(
  select count(*) from jobs where kind = ${JOB_KIND_OF_W} and done_at is null and dead_at is null)`

/** `last` is the newest attempted message. Uses the index `webhook_deliveries_latest`. */
const rowsOf = (db: Database | Tx) =>
  db
    .selectFrom('webhooks as w')
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('webhook_deliveries as d')
          .select(['d.attempted_at', 'd.state', 'd.status'])
          .whereRef('d.webhook_id', '=', 'w.id')
          .where('d.attempts', '>', 0)
          .orderBy('d.created_at', 'desc')
          .orderBy('d.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['w.id', 'w.url', 'w.events', 'w.is_enabled', 'w.disabled_because', 'w.created_at'])
    .select(['last.attempted_at', 'last.state', 'last.status'])
    .select(WAITING.as('waiting'))

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]

const asWebhook = (row: Row): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events as WebhookEvent[],
  isEnabled: row.is_enabled,
  disabledBecause: row.disabled_because as Webhook['disabledBecause'],
  createdAt: row.created_at.toISOString(),
  waiting: row.waiting,
  last: row.attempted_at
    ? {
        at: row.attempted_at.toISOString(),
        state: row.state as NonNullable<Webhook['last']>['state'],
        status: row.status,
      }
    : null,
})
