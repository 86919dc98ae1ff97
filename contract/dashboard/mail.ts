import * as z from 'zod/mini'
import { MessageReply } from '../entities.ts'
import { endpoint } from '../protocol/endpoint.ts'
import { Email } from '../protocol/fields.ts'
import { Uuid, wholeNumber } from '../protocol/parameters.ts'

/**
 * `waiting` for its first attempt, `deferred` to another, `sent` (handed to the mail server), `failed`
 * permanently, `expired` before it could be sent, or `suppressed` because of its address.
 */
export const EmailState = z.enum(['waiting', 'deferred', 'sent', 'failed', 'expired', 'suppressed'])
export type EmailState = z.output<typeof EmailState>

const Outbox = z.object({
  waiting: z.number(),
  deferred: z.number(),
  /** When the oldest waiting or deferred email could first have been sent; null if there is none. */
  waitingSince: z.nullable(z.string()),
  /** Of the last 24 hours, like the three below. */
  sent: z.number(),
  failed: z.number(),
  expired: z.number(),
  suppressed: z.number(),
})
export type Outbox = z.output<typeof Outbox>

export const mailSummary = endpoint('GET /mail/summary', {
  access: 'admin',
  summary: 'How many emails wait, and what became of those of the last 24 hours.',
  reply: z.object({ data: Outbox }),
})

/** An email without its content. */
export const OutboxEntry = z.object({
  id: z.string(),
  template: z.string(),
  /** Masked. */
  to: z.string(),
  /** The username of the account or registration that the email is for; null without either. */
  username: z.nullable(z.string()),
  state: EmailState,
  attempts: z.number(),
  queuedAt: z.string(),
  /** Null once it is finished. */
  nextTryAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  /** The mail server's newest answer, or why there is none. */
  answer: z.nullable(z.string()),
  answeredAt: z.nullable(z.string()),
  canResend: z.boolean(),
})
export type OutboxEntry = z.output<typeof OutboxEntry>

export const listMail = endpoint('GET /mail', {
  access: 'admin',
  summary: 'Emails of the last week, newest first, without their contents and with masked addresses.',
  query: z.strictObject({
    state: z.optional(EmailState),
    /** Emails to exactly this address. */
    to: z.optional(Email),
    /** `next` of the previous page. */
    after: z.optional(Uuid),
    limit: wholeNumber(1, 100, 30), // by default 30
  }),
  reply: z.object({ data: z.array(OutboxEntry), next: z.nullable(z.string()) }),
})

const LIMITS = [{ per: 'account', take: 60, seconds: 60 }] as const
/** The outbox shows the emails of a week. */
const MAX_RESEND_HOURS = 7 * 24

export const resendMail = endpoint('POST /mail/:id/resend', {
  access: 'admin',
  summary: 'Retry at once an email that failed or waits for another attempt, unless it is out of date.',
  limits: LIMITS,
  params: z.strictObject({ id: Uuid }),
  reply: MessageReply,
  refusals: ['mail_not_found', 'mail_not_resendable'],
})

export const resendFailedMail = endpoint('POST /mail/resend-failed', {
  access: 'admin',
  summary: 'Retry all emails that failed within the last `hours` and are still of use.',
  limits: LIMITS,
  body: z.strictObject({
    hours: z
      .int('number_format')
      .check(z.minimum(1, 'number_range'), z.maximum(MAX_RESEND_HOURS, 'number_range')),
  }),
  reply: z.extend(MessageReply, { resent: z.number() }),
})

export const DnsFinding = z.object({
  record: z.enum(['spf', 'dkim', 'dmarc']),
  /** `could_not_tell` if no name server answers, or nothing says what the record should be. */
  outcome: z.enum(['fine', 'wrong', 'could_not_tell']),
  /** A code for the problem, or for why it could not be checked; null if all is well. */
  reason: z.nullable(z.string()),
  found: z.nullable(z.string()),
  /** The record to publish; null if it cannot be known. */
  publish: z.nullable(z.object({ name: z.string(), type: z.string(), value: z.string() })),
})
export type DnsFinding = z.output<typeof DnsFinding>

const Sender = z.object({
  from: z.string(),
  domain: z.string(),
  /** Null for the development mailbox. */
  server: z.nullable(z.string()),
  findings: z.array(DnsFinding),
})
export type Sender = z.output<typeof Sender>

export const mailSender = endpoint('GET /mail/sender', {
  access: 'admin',
  summary:
    'Whether SPF, DKIM and DMARC of the domain of MAIL_FROM are published, asked of the name server now.',
  limits: [{ per: 'account', take: 20, seconds: 60 }],
  reply: z.object({ data: Sender }),
})

export const SuppressedAddress = z.object({
  id: z.string(),
  /** Masked. */
  email: z.string(),
  /** What the mail server answered; null for an address that an administrator added. */
  answer: z.nullable(z.string()),
  refusals: z.number(),
  refusedAt: z.string(),
  /**
   * Until then, only codes are sent to the address; null: until it is removed from the list. Announcements
   * are never sent before its removal.
   */
  until: z.nullable(z.string()),
})
export type SuppressedAddress = z.output<typeof SuppressedAddress>

export const listSuppressions = endpoint('GET /mail/suppressions', {
  access: 'admin',
  summary: 'Addresses that refuse emails: the newest 200, and how many there are.',
  reply: z.object({ data: z.array(SuppressedAddress), total: z.number() }),
})

export const addSuppression = endpoint('POST /mail/suppressions', {
  access: 'admin',
  summary: 'Suppress an address, for example because of a bounce that came later. Codes are still sent.',
  limits: LIMITS,
  body: z.strictObject({ email: Email }),
  reply: MessageReply,
})

export const removeSuppression = endpoint('DELETE /mail/suppressions/:id', {
  access: 'admin',
  summary: 'Send emails to an address again.',
  limits: LIMITS,
  params: z.strictObject({ id: Uuid }),
  reply: MessageReply,
  refusals: ['suppression_not_found'],
})

/** `slow`: some minutes late. `stopped`: the mail server does not answer. `unknown`: not known yet. */
const MailFlow = z.enum(['prompt', 'slow', 'stopped', 'unknown'])

export const mailFlow = endpoint('GET /mail/flow', {
  access: 'public',
  cache: 'public',
  summary: 'How fast emails leave at the moment. The same for everyone: it says nothing about any address.',
  reply: z.object({ data: z.object({ flow: MailFlow, /** How late they are. */ minutes: z.number() }) }),
})
