import { createHmac, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { type SentEvent, WEBHOOK_DATA } from '#contract/dashboard/webhooks.ts'

/** The pause before each retry. A delivery is given up about 18 hours after its first attempt. */
export const RETRY_DELAYS_SECONDS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000] as const

/** Each webhook has its own kind of jobs, so that none waits for another webhook's receiver. */
export const jobKindOf = (webhookId: string) => `webhook ${webhookId}`

const SECRET_PREFIX = 'whsec_'

/** 32 random bytes, as the Standard Webhooks specification writes them. */
export const newSecret = () => SECRET_PREFIX + randomBytes(32).toString('base64')

type Attempt = { id: string; timestamp: number; body: string }

/**
 * The headers of an attempt, signed according to the Standard Webhooks specification.
 * @param timestamp in seconds since 1970.
 */
export function signedHeaders(secret: string, { id, timestamp, body }: Attempt): Record<string, string> {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Dropwright-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
}

/** The body of every attempt to deliver an event. @throws if the data does not have the event's shape. */
export function bodyOf({ event, data, at }: { event: string; data: unknown; at: Date }): string {
  const shape: z.core.$ZodType = WEBHOOK_DATA[event as SentEvent]
  return JSON.stringify({ type: event, timestamp: at.toISOString(), data: z.parse(shape, data) })
}
