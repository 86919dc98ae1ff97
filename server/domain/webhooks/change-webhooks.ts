import { type Selectable, sql } from 'kysely'
import { MAX_WEBHOOKS, type Webhook, type WebhookEvent } from '#contract/dashboard/webhooks.ts'
import type { JournalAction } from '#contract/journal.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import type { Webhooks } from '#server/platform/database/database.types.ts'
import { newId } from '#server/platform/database/ids.ts'
import { problemOf } from '#server/platform/outbound/public-post.ts'
import { refuse, refuseField } from '#server/platform/refusal.ts'
import { type Attribution, record } from '../journal/record.ts'
import { readWebhook } from './read-webhooks.ts'
import { jobKindOf, newSecret } from './standard-webhooks.ts'

/** An administrator; null for the operator on the command line. */
type WebhookOptions = {
  /** Whether plain http to this machine is allowed: in development. */
  allowLoopback: boolean
}
type WebhookDeps = Pick<Deps, 'db' | 'keys'>

/** Keeps two administrators from adding the last one at the same time. */
const ADDING = 5_369_040

/**
 * Adds a webhook. The secret is in the result alone; the database has it encrypted.
 * @throws refusals `webhooks_full`, and `invalid_input` for an address that nothing can be sent to.
 */
export async function addWebhook(
  { db, keys }: WebhookDeps,
  { url, events, ...by }: Attribution & WebhookOptions & { url: string; events: readonly WebhookEvent[] },
): Promise<{ webhook: Webhook; secret: string }> {
  const address = readUrl(url, by)
  const listening = [...new Set(events)]
  const [id, secret] = [newId(), newSecret()]
  const webhook = await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${ADDING})`.execute(tx)
    const { count } = await tx
      .selectFrom('webhooks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count >= MAX_WEBHOOKS) throw refuse('webhooks_full')
    const encrypted = keys.encrypt('webhook-secret', id, secret)
    await tx
      .insertInto('webhooks')
      .values({ id, url: address, events: listening, secret: encrypted })
      .execute()
    await journal(tx, by, 'webhook.added', id, { after: { events: wordsOf(listening) }, url: address })
    return readWebhook(tx, id)
  })
  return { webhook, secret }
}

type Changes = {
  url?: string | undefined
  events?: readonly WebhookEvent[] | undefined
  isEnabled?: boolean | undefined
}

/** Changes what is given. Disabling a webhook drops the messages that wait. @throws refusal `webhook_not_found`. */
export async function changeWebhook(
  { db }: Pick<Deps, 'db'>,
  id: string,
  { url, events, isEnabled, ...by }: Attribution & WebhookOptions & Changes,
): Promise<Webhook> {
  const address = url === undefined ? undefined : readUrl(url, by)
  return inTransaction(db, async (tx) => {
    const before = await lockWebhook(tx, id)
    const after = {
      url: address ?? before.url,
      events: events ? [...new Set(events)] : before.events,
      is_enabled: isEnabled ?? before.is_enabled,
      disabled_because: isEnabled === undefined ? before.disabled_because : null,
    }
    await tx.updateTable('webhooks').set(after).where('id', '=', id).execute()
    if (!after.is_enabled) await dropWaitingDeliveries(tx, id)
    const sealed = (state: Pick<typeof after, 'events' | 'is_enabled'>) => ({
      events: wordsOf(state.events),
      enabled: state.is_enabled,
    })
    await journal(tx, by, 'webhook.changed', id, {
      before: sealed(before),
      after: sealed(after),
      url: after.url,
    })
    return readWebhook(tx, id)
  })
}

/** Removes a webhook with its deliveries. @throws refusal `webhook_not_found`. */
export async function removeWebhook({ db }: Pick<Deps, 'db'>, id: string, by: Attribution): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Waits for what is being queued, so that nothing is left of it.
    await tx.selectFrom('webhooks').select('id').where('id', '=', id).forUpdate().execute()
    const { url, events } = await lockWebhook(tx, id)
    await dropWaitingDeliveries(tx, id)
    await tx.deleteFrom('webhooks').where('id', '=', id).execute()
    await journal(tx, by, 'webhook.removed', id, { before: { events: wordsOf(events) }, url })
  })
}

/** Locks a webhook until the transaction ends. @throws refusal `webhook_not_found`. */
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

/** Gives up what waits for an attempt; it can be replayed. */
export async function dropWaitingDeliveries(tx: Tx, webhookId: string): Promise<void> {
  await tx
    .deleteFrom('jobs')
    .where('kind', '=', jobKindOf(webhookId))
    .where('done_at', 'is', null)
    .where('dead_at', 'is', null)
    .execute()
  await tx
    .updateTable('webhook_deliveries')
    .set({
      state: 'failed',
      failure: sql`coalesce(failure, 'was dropped, because the webhook was disabled')`,
    })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .execute()
}

function readUrl(url: string, { allowLoopback }: WebhookOptions): string {
  if (problemOf(url, { allowLoopback })) throw refuseField('url', 'webhook_url')
  return new URL(url).href
}

/** The journal seals words without dots. */
export const wordsOf = (events: readonly string[]) => events.map((event) => event.replace('.', '-'))

type Change = { before?: Record<string, unknown>; after?: Record<string, unknown>; url: string }

/** The address is a detail: it may contain a token, and details can be erased. */
function journal(
  tx: Tx,
  { actor, network }: Attribution,
  action: JournalAction,
  subject: string,
  change: Change,
) {
  const { url, ...sealed } = change
  return record(tx, { actor, action, subject, ...sealed, network, details: { url } })
}
