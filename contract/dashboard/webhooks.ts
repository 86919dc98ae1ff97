import * as z from 'zod/mini'
import { Rejection } from '../claims/claim-history.ts'
import { ClaimStatus, MessageReply } from '../entities.ts'
import { PROOF_CLAIMS, VERDICT_KINDS } from '../token-proofs/proof.ts'
import { endpoint } from '../protocol/endpoint.ts'
import { Uuid, wholeNumber } from '../protocol/parameters.ts'

export const WEBHOOK_EVENTS = [
  'claim.received',
  'claim.decided',
  'slots.gone',
  'slots.free',
  'token.verdict_changed',
] as const
export const WebhookEvent = z.enum(WEBHOOK_EVENTS)
export type WebhookEvent = z.output<typeof WebhookEvent>

/** A claim without what its participant did not make public: email, wallet and handles. */
const ABOUT_CLAIM = {
  campaign: z.string(),
  claim: z.string(),
  username: z.string(),
  /** From 1. A claim corrected after a rejection has the next number. */
  attempt: z.number(),
  status: ClaimStatus,
  slot: z.nullable(z.number()),
}

const SLOTS = z.strictObject({ campaign: z.string(), total: z.number(), left: z.number() })

export const WEBHOOK_DATA = {
  'claim.received': z.strictObject(ABOUT_CLAIM),
  'claim.decided': z.strictObject({
    ...ABOUT_CLAIM,
    /** `undone`: the last decision was undone, and the claim waits for a new one. */
    decision: z.enum(['approved', 'rejected', 'undone']),
    reason: z.nullable(Rejection.shape.code),
  }),
  'slots.gone': SLOTS,
  'slots.free': SLOTS,
  'token.verdict_changed': z.strictObject({
    campaign: z.string(),
    contract: z.string(),
    /** What the site states about the token. */
    claim: z.enum(PROOF_CLAIMS),
    before: z.enum(VERDICT_KINDS),
    verdict: z.enum(VERDICT_KINDS),
    reason: z.string(),
    /** The block that the verdict is from; null without one. */
    block: z.nullable(z.number()),
  }),
  /** Sent on request of an administrator, to any webhook. */
  'webhook.test': z.strictObject({ campaign: z.string() }),
} as const
export type WebhookData = { [Event in keyof typeof WEBHOOK_DATA]: z.output<(typeof WEBHOOK_DATA)[Event]> }
export type SentEvent = keyof WebhookData

const MessageType = z.enum([...WEBHOOK_EVENTS, 'webhook.test'])

export const MAX_WEBHOOKS = 10
/** Days for which deliveries are kept. */
export const DELIVERY_DAYS = 14
export const MAX_ANSWER_LENGTH = 500

const Url = z.string().check(z.trim(), z.minLength(1, 'required'), z.maxLength(2048, 'text_long'))
const Events = z
  .array(WebhookEvent)
  .check(z.minLength(1, 'events_none'), z.maxLength(WEBHOOK_EVENTS.length, 'too_many'))

const DeliveryState = z.enum(['waiting', 'delivered', 'failed'])

export const Delivery = z.object({
  /** The `webhook-id` header, the same in every attempt and every replay. */
  id: z.string(),
  event: MessageType,
  at: z.string(),
  data: z.record(z.string(), z.unknown()),
  state: DeliveryState,
  attempts: z.number(),
  attemptedAt: z.nullable(z.string()),
  /** When the next attempt is due; null if none is. */
  nextAt: z.nullable(z.string()),
  /** The last attempt's HTTP status, milliseconds until its answer, and the answer's first 500 characters. */
  status: z.nullable(z.number()),
  latencyMs: z.nullable(z.number()),
  answer: z.nullable(z.string()),
  /** Why the last attempt failed. */
  failure: z.nullable(z.string()),
})
export type Delivery = z.output<typeof Delivery>

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(WebhookEvent),
  isEnabled: z.boolean(),
  /** `failing`: a message was given up. `gone`: the answer was 410. */
  disabledBecause: z.nullable(z.enum(['failing', 'gone'])),
  createdAt: z.string(),
  waiting: z.number(),
  /** The newest message that was attempted. `at` is the time of its last attempt. */
  last: z.nullable(z.object({ at: z.string(), state: DeliveryState, status: z.nullable(z.number()) })),
})
export type Webhook = z.output<typeof Webhook>

const WebhookParams = z.strictObject({ id: Uuid })
const DeliveryParams = z.strictObject({ id: Uuid, delivery: Uuid })
const WebhookReply = z.extend(MessageReply, { data: Webhook })
const LIMITS = [{ per: 'account', take: 30, seconds: 60 }] as const

export const listWebhooks = endpoint('GET /webhooks', {
  access: 'admin',
  summary: 'All webhooks, in the order in which they were added. Secrets are not shown again.',
  reply: z.object({ data: z.array(Webhook) }),
})

export const addWebhook = endpoint('POST /webhooks', {
  access: 'admin',
  invalidatesCacheOf: [], // no public answer changes
  summary: 'Add a webhook. Only this reply contains its secret.',
  limits: LIMITS,
  body: z.strictObject({ url: Url, events: Events }),
  status: 201,
  reply: z.extend(WebhookReply, { secret: z.string() }),
  refusals: ['webhooks_full'],
})

export const changeWebhook = endpoint('PUT /webhooks/:id', {
  access: 'admin',
  invalidatesCacheOf: [],
  summary:
    'Change the address or the events of a webhook, or enable or disable it. Disabling it drops the messages that are waiting.',
  limits: LIMITS,
  params: WebhookParams,
  body: z.strictObject({
    url: z.optional(Url),
    events: z.optional(Events),
    isEnabled: z.optional(z.boolean('wrong_type')),
  }),
  reply: WebhookReply,
  refusals: ['webhook_not_found'],
})

export const removeWebhook = endpoint('DELETE /webhooks/:id', {
  access: 'admin',
  invalidatesCacheOf: [],
  summary: 'Remove a webhook with its deliveries.',
  limits: LIMITS,
  params: WebhookParams,
  reply: MessageReply,
  refusals: ['webhook_not_found'],
})

export const testWebhook = endpoint('POST /webhooks/:id/test', {
  access: 'admin',
  invalidatesCacheOf: [],
  summary: 'Queue a `webhook.test` message, attempted once, even if the webhook is disabled.',
  limits: LIMITS,
  params: WebhookParams,
  status: 201,
  reply: z.extend(MessageReply, { data: Delivery }),
  refusals: ['webhook_not_found'],
})

export const listDeliveries = endpoint('GET /webhooks/:id/deliveries', {
  access: 'admin',
  summary: `Messages to a webhook and how they were answered, newest first. Each is deleted after ${DELIVERY_DAYS} days.`,
  params: WebhookParams,
  query: z.strictObject({
    /** `next` of the previous page. */
    cursor: z.optional(Uuid),
    limit: wholeNumber(1, 100, 25),
  }),
  reply: z.object({ data: z.array(Delivery), next: z.nullable(z.string()) }),
  refusals: ['webhook_not_found'],
})

export const replayDelivery = endpoint('POST /webhooks/:id/deliveries/:delivery/replay', {
  access: 'admin',
  invalidatesCacheOf: [],
  summary: 'Send a message again with the same `webhook-id`, even if the webhook is disabled.',
  limits: LIMITS,
  params: DeliveryParams,
  reply: z.extend(MessageReply, { data: Delivery }),
  refusals: ['webhook_not_found'],
})
