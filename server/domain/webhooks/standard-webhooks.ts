import { createHmac, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { type SentEvent, WEBHOOK_DATA } from '#contract/dashboard/webhooks.ts'

/** The pause before each retry. A delivery is given up about 18 hours after its first attempt. */
export const RETRY_DELAYS_SECONDS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000] as const

/** The kind of a webhook's jobs. Each webhook has its own, so that none waits for the receiver of another. */
export const jobKindOf = (webhookId: string) => `webhook ${webhookId}`

const SECRET_PREFIX = 'whsec_'

/** A secret in the form of the Standard Webhooks specification: 32 random bytes. */
export const newSecret = () => SECRET_PREFIX + randomBytes(32).toString('base64')

type Attempt = { id: string; timestamp: number; body: string }

/**
 * The headers of an attempt, signed as the Standard Webhooks specification says.
 * @param timestamp of the attempt, in seconds since 1970.
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

/** The body of a message, the same at every attempt. @throws when the data is not of the event's shape. */
export function bodyOf({ event, data, at }: { event: string; data: unknown; at: Date }): string {
  const shape: z.core.$ZodType = WEBHOOK_DATA[event as SentEvent]
  return JSON.stringify({ type: event, timestamp: at.toISOString(), data: z.parse(shape, data) })
}
