import { sql } from 'kysely'
import { MAX_ANSWER_LENGTH, type Delivery } from '#contract/dashboard/webhooks.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import type { Job, Outcome } from '#server/platform/jobs/jobs.ts'
import type { Posted, PublicPost } from '#server/platform/outbound/public-post.ts'
import { readAdministrators } from '../accounts/roles/administrators.ts'
import { record } from '../journal/record.ts'
import { sendLater } from '../mail/send-later.ts'
import { dropDeliveries, dropWaitingDeliveries } from './change-webhooks.ts'
import { addTest, type DeliveryJob, readDelivery } from './deliveries.ts'
import { bodyOf, RETRY_DELAYS_SECONDS, signedHeaders } from './standard-webhooks.ts'

type DeliverDeps = Pick<Deps, 'db' | 'keys'>

/**
 * Attempts one message and records the answer. Gives up after the last retry. Gives up at once if an
 * administrator asked for the attempt or the receiver answers 410 Gone.
 */
export async function deliver(
  deps: DeliverDeps,
  post: PublicPost,
  job: Job,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { delivery: id, once: isRequested = false } = job.payload as DeliveryJob
  const message = await readMessage(deps.db, id)
  // The message has been deleted, for example with its webhook.
  if (!message) return { done: true }
  if (!message.is_enabled && !isRequested) {
    // The message was queued while the webhook was being disabled, so its job was not deleted.
    await dropDeliveries(deps.db).where('id', '=', id).execute()
    return { done: true }
  }
  const posted = await attempt(deps.keys, post, message, signal)
  // An attempt that a shutdown cuts off says nothing about the receiver.
  if (signal?.aborted) return { retry: 'The node shut down.', afterSeconds: 0 }
  // Not `job.attempts`, which includes attempts that a shutdown cut off.
  const retrySeconds = isRequested ? undefined : RETRY_DELAYS_SECONDS[message.attempts]
  const isGone = 'status' in posted && posted.status === 410
  const failure = failureOf(posted)
  const isOver = failure === undefined || retrySeconds === undefined || isGone
  const mayDisable = failure !== undefined && isOver && (isGone || !isRequested)
  return inTransaction(deps.db, async (tx) => {
    // A webhook is always locked before its messages, or giving up two messages at once could deadlock.
    if (mayDisable)
      await tx
        .selectFrom('webhooks')
        .where('id', '=', message.webhookId)
        .select('id')
        .forNoKeyUpdate()
        .execute()
    await recordAttempt(tx, id, posted, isOver)
    if (failure === undefined) return { done: true }
    if (!isOver) return { retry: failure, afterSeconds: retrySeconds }
    if (mayDisable) await disableWebhook(tx, { delivery: id, because: isGone ? 'gone' : 'failing', failure })
    return { dead: failure }
  })
}

const readMessage = (db: DeliverDeps['db'], id: string) =>
  db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhooks as w', 'w.id', 'd.webhook_id')
    .select(['d.id', 'd.event', 'd.data', 'd.attempts', 'd.created_at', 'w.id as webhookId'])
    .select(['w.url', 'w.secret', 'w.is_enabled'])
    .where('d.id', '=', id)
    .executeTakeFirst()

type Message = NonNullable<Awaited<ReturnType<typeof readMessage>>>

async function attempt(
  keys: DeliverDeps['keys'],
  post: PublicPost,
  { id, event, data, created_at: at, webhookId, url, secret: encrypted }: Message,
  signal?: AbortSignal,
): Promise<Posted> {
  let secret: string
  try {
    secret = keys.decrypt('webhook-secret', webhookId, encrypted)
  } catch {
    return {
      latencyMs: 0,
      failure: 'could not be sent a signed message: its secret belongs to another APP_SECRET',
    }
  }
  const body = bodyOf({ event, data, at })
  const timestamp = Math.floor(Date.now() / 1_000)
  return post(url, { headers: signedHeaders(secret, { id, timestamp, body }), body }, signal)
}

/** Why an attempt failed, as the predicate of a sentence about the receiver. Undefined if it succeeded. */
function failureOf(posted: Posted): string | undefined {
  if ('failure' in posted) return posted.failure
  const { status } = posted
  if (status >= 200 && status < 300) return undefined
  return status >= 300 && status < 400
    ? `answered ${status}, a redirect that is not followed`
    : `answered ${status}`
}

async function recordAttempt(tx: Tx, id: string, posted: Posted, isOver: boolean): Promise<void> {
  const hasAnswer = 'status' in posted
  const failure = failureOf(posted)
  await tx
    .updateTable('webhook_deliveries')
    .set({
      // Before a retry, the state stays: it is `failed` if the webhook was disabled during the attempt.
      ...(isOver ? { state: failure === undefined ? 'delivered' : 'failed' } : {}),
      attempts: sql`attempts + 1`,
      attempted_at: NOW,
      latency_ms: posted.latencyMs,
      status: hasAnswer ? posted.status : null,
      answer: hasAnswer ? storableStartOf(posted.text) : null,
      failure: failure ?? null,
    })
    .where('id', '=', id)
    .execute()
}

/** Cuts by code points, as PostgreSQL counts them. Removes NUL, which it cannot store. */
const storableStartOf = (text: string) => [...text.replaceAll('\0', '')].slice(0, MAX_ANSWER_LENGTH).join('')

type FailedDelivery = { delivery: string; because: 'failing' | 'gone'; failure: string }

/**
 * Disables the webhook of a message that was given up, and mails the administrators. A failing webhook stays
 * enabled if another message was delivered after this one was queued, because its receiver works. The caller
 * must lock the webhook.
 */
async function disableWebhook(tx: Tx, { delivery, because, failure }: FailedDelivery): Promise<void> {
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
  const receiver = new URL(disabled.url).origin
  for (const { username, email: to } of await readAdministrators(tx)) {
    const values = { username, receiver, failure, because }
    await sendLater(tx, { template: 'webhook-disabled', to, values })
  }
}

/** Sends a test message at once, without a job. @returns how it went. @throws refusal `webhook_not_found`. */
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
