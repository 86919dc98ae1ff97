import * as z from 'zod/mini'
import { endpoint } from '../protocol/endpoint.ts'
import { MessageReply } from '../entities.ts'

/**
 * Telegram's own rule. Only collectible usernames have as few as four characters. Used for what participants
 * type and for what Telegram reports, so that any connected handle can be submitted.
 */
export const TELEGRAM_HANDLE = /^[A-Za-z][A-Za-z0-9_]{2,30}[A-Za-z0-9]$/

/** A participant's verified Telegram account. Its numeric id never leaves the server. */
export const TelegramAccount = z.object({
  /** The public name without `@`; null if the account has none. */
  username: z.nullable(z.string()),
  since: z.string(),
})
export type TelegramAccount = z.output<typeof TelegramAccount>

export const beginTelegram = endpoint('POST /telegram/begin', {
  access: 'participant',
  summary:
    "Start connecting your Telegram account. Returns Telegram's authorization URL, which redirects to /profile with a code and a state.",
  limits: [{ per: 'account', take: 10, seconds: 600 }],
  status: 201,
  reply: z.object({ data: z.object({ url: z.string() }) }),
  refusals: ['telegram_not_offered', 'telegram_fixed', 'telegram_unreachable'],
})

export const finishTelegram = endpoint('POST /telegram/finish', {
  access: 'participant',
  summary:
    'Complete the connection with the code and state from Telegram, once and within ten minutes. Repeats the automatic checks of your claim.',
  limits: [{ per: 'account', take: 20, seconds: 600 }],
  body: z.strictObject({
    code: z.string().check(z.minLength(1, 'required'), z.maxLength(2048, 'text_long')),
    state: z.string().check(z.minLength(1, 'required'), z.maxLength(200, 'text_long')),
  }),
  reply: z.extend(MessageReply, { data: TelegramAccount }),
  refusals: [
    'telegram_not_offered',
    'telegram_expired',
    'telegram_refused',
    'telegram_unreachable',
    'telegram_taken',
    'telegram_fixed',
  ],
})

export const disconnectTelegram = endpoint('DELETE /telegram', {
  access: 'participant',
  summary: 'Disconnect your Telegram account; not possible once a claim of yours is approved. Idempotent.',
  limits: [{ per: 'account', take: 10, seconds: 600 }],
  reply: MessageReply,
  refusals: ['telegram_fixed'],
})
