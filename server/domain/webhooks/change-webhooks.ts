import { type Selectable, sql } from 'kysely'
import type { changeWebhook as endpoint } from '#contract/dashboard/webhooks.ts'
import { MAX_WEBHOOKS, type Webhook, type WebhookEvent } from '#contract/dashboard/webhooks.ts'
import type { BodyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { lockByName } from '#server/platform/database/advisory-lock.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import type { Webhooks } from '#server/platform/database/database.types.ts'
import { newId } from '#server/platform/database/ids.ts'
import { problemOf } from '#server/platform/outbound/public-post.ts'
import { refuse, refuseField } from '#server/platform/refusal.ts'
import { type Attribution, record } from '../journal/record.ts'
import { readWebhook } from './read-webhooks.ts'
import { jobKindOf, newSecret } from './standard-webhooks.ts'

export type WebhookOptions = {
  /** Allows plain http to this machine, for development. */
  allowLoopback: boolean
}
type WebhookDeps = Pick<Deps, 'db' | 'keys'>

type Addition = Attribution & WebhookOptions & { url: string; events: readonly WebhookEvent[] }

/**
 * Only the result has the secret in plain text. The database stores it encrypted.
 * @throws refusals `webhooks_full`, and `invalid_input` for an address to which nothing can be sent.
 */
export async function addWebhook(
  { db, keys }: WebhookDeps,
  { url, events, allowLoopback, ...by }: Addition,
): Promise<{ webhook: Webhook; secret: string }> {
  const address = readUrl(url, allowLoopback)
  const distinctEvents = [...new Set(events)]
  const [id, secret] = [newId(), newSecret()]
  const webhook = await inTransaction(db, async (tx) => {
    // Serializes adding, so that concurrent calls cannot exceed MAX_WEBHOOKS.
    await lockByName(tx, 'webhooks')
    const { count } = await tx
      .selectFrom('webhooks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count >= MAX_WEBHOOKS) throw refuse('webhooks_full')
    const encrypted = keys.encrypt('webhook-secret', id, secret)
    await tx
      .insertInto('webhooks')
      .values({ id, url: address, events: distinctEvents, secret: encrypted })
      .execute()
    const after = { events: distinctEvents.map(journalWordOf) }
    await record(tx, { ...by, action: 'webhook.added', subject: id, after, ...detailsOf(address) })
    return readWebhook(tx, id)
  })
  return { webhook, secret }
}

/**
 * Disabling a webhook drops its waiting messages. Setting `isEnabled` clears why the server disabled it.
 * @throws refusals `webhook_not_found`, and `invalid_input` for an address to which nothing can be sent.
 */
export async function changeWebhook(
  { db }: Pick<Deps, 'db'>,
  id: string,
  { url, events, isEnabled, allowLoopback, ...by }: Attribution & WebhookOptions & BodyOf<typeof endpoint>,
): Promise<Webhook> {
  const address = url === undefined ? undefined : readUrl(url, allowLoopback)
  return inTransaction(db, async (tx) => {
    const before = await lockWebhook(tx, id)
    const after = {
      url: address ?? before.url,
      events: events ? [...new Set(events)] : before.events,
      is_enabled: isEnabled ?? before.is_enabled,
      disabled_because: isEnabled === undefined ? before.disabled_because : null,
    }
    await tx.updateTable('webhooks').set(after).where('id', '=', id).execute()
    // A webhook that was already disabled has only messages that an administrator asked for.
    if (before.is_enabled && !after.is_enabled) await dropWaitingDeliveries(tx, id)
    const asJournaled = (state: Pick<typeof after, 'events' | 'is_enabled'>) => ({
      events: state.events.map(journalWordOf),
      enabled: state.is_enabled,
    })
    const change = { before: asJournaled(before), after: asJournaled(after) }
    await record(tx, { ...by, action: 'webhook.changed', subject: id, ...change, ...detailsOf(after.url) })
    return readWebhook(tx, id)
  })
}

/** Removes a webhook with its deliveries, by a foreign key. @throws refusal `webhook_not_found`. */
export async function removeWebhook({ db }: Pick<Deps, 'db'>, id: string, by: Attribution): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Waits for transactions in which the SQL function `queue_webhooks` has locked the webhook for key share.
    // Their jobs are then deleted, too.
    await tx.selectFrom('webhooks').select('id').where('id', '=', id).forUpdate().execute()
    const { url, events } = await lockWebhook(tx, id) // refuses if it is gone
    await dropWaitingDeliveries(tx, id)
    await tx.deleteFrom('webhooks').where('id', '=', id).execute()
    const before = { events: events.map(journalWordOf) }
    await record(tx, { ...by, action: 'webhook.removed', subject: id, before, ...detailsOf(url) })
  })
}

/** @throws refusal `webhook_not_found`. */
export async function lockWebhook(tx: Tx, id: string): Promise<Selectable<Webhooks>> {
  const row = await tx
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw refuse('webhook_not_found')
  return row
}

/** Gives up the waiting messages. They can still be replayed. */
export async function dropWaitingDeliveries(tx: Tx, webhookId: string): Promise<void> {
  await tx
    .deleteFrom('jobs')
    .where('kind', '=', jobKindOf(webhookId))
    .where('done_at', 'is', null)
    .where('dead_at', 'is', null)
    .execute()
  await dropDeliveries(tx).where('webhook_id', '=', webhookId).execute()
}

/** Gives up waiting messages. The caller narrows the statement down and deletes the jobs. */
export const dropDeliveries = (db: Database | Tx) =>
  db
    .updateTable('webhook_deliveries')
    .set({
      state: 'failed',
      failure: sql`coalesce(failure, 'was dropped, because the webhook was disabled')`,
    })
    .where('state', '=', 'waiting')

function readUrl(url: string, allowLoopback: boolean): string {
  if (problemOf(url, { allowLoopback })) throw refuseField('url', 'webhook_url')
  return new URL(url).href
}

/** Words in the journal have no dots. */
export const journalWordOf = (event: string) => event.replace('.', '-')

/** The address may contain a token, so it is recorded as a detail: details can be erased. */
const detailsOf = (url: string) => ({ details: { url } })
