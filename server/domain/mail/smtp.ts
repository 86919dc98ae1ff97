import nodemailer from 'nodemailer'
import { isLoopbackHost } from '#server/platform/http/security/loopback.ts'
import { withoutEmails } from '#server/platform/log/log.ts'
import type { Mail } from './compose.ts'
import type { Attempt, Transport } from './transport.ts'

/** How long one email may take, including the wait for a pooled connection. Shorter than the job's lease. */
const SEND_TIMEOUT_MS = 30_000
const TIMEOUTS_MS = {
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 15_000,
  dnsTimeout: 5_000,
}

/**
 * Idle connections are closed before servers usually close them. If a server closes one first, the email is
 * sent once more over a new connection. All other retries are up to the job queue.
 */
const POOL = {
  pool: true,
  // One node sends four emails and one announcement at once.
  maxConnections: 5,
  maxMessages: 100,
  maxRequeues: 1,
  idleTimeout: 20_000,
  // Destroys an abandoned connection at once, without waiting for a server that hangs.
  socketCloseTimeout: 0,
} as const

/** @param url `smtp://user:pass@host:port` */
export function smtpTransport(
  url: string,
  { timeoutMs = SEND_TIMEOUT_MS }: { timeoutMs?: number | undefined } = {},
): Transport {
  const mailer = nodemailer.createTransport({ ...optionsOf(url), ...POOL })
  return {
    async send(mail, signal) {
      const timeout = AbortSignal.timeout(timeoutMs)
      const combined = signal ? AbortSignal.any([timeout, signal]) : timeout
      try {
        const { response } = (await mailer.sendMail({ ...mail, signal: combined })) as { response?: string }
        return { outcome: 'accepted', answer: tidy(response ?? '') }
      } catch (error) {
        if (timeout.aborted) return deferred(`The mail server took longer than ${timeoutMs / 1000} s.`)
        if (combined.aborted) return deferred('Sending was interrupted.')
        const answer = answerOrError(error)
        if (!isPermanent(error)) return deferred(answer)
        return { outcome: 'refused', answer, hasNoMailbox: saysNoMailbox(error as SmtpRefusal) }
      }
    },
    takesEmails: async () => !('failure' in (await verifyMailServer(url))),
    close: () => mailer.close(),
  }
}

const optionsOf = (url: string) => ({
  url,
  ...TIMEOUTS_MS,
  requireTLS: needsTls(new URL(url)),
  disableFileAccess: true,
  disableUrlAccess: true,
})

const deferred = (answer: string): Attempt => ({ outcome: 'deferred', answer })

type MailServerVerdict = { hasTls: boolean } | ConnectionFailure

/** `answer` is the mail server's answer, or the reason why there is none. It contains no email addresses. */
export type ConnectionFailure = { failure: ReturnType<typeof failureOf>; answer: string }

/** Connects, negotiates TLS and logs in like {@link smtpTransport}, but sends nothing. Never rejects. */
export async function verifyMailServer(url: string): Promise<MailServerVerdict> {
  const address = new URL(url)
  const mailer = nodemailer.createTransport(optionsOf(url))
  try {
    await mailer.verify()
    return { hasTls: address.protocol === 'smtps:' || needsTls(address) }
  } catch (error) {
    return connectionFailure(error)
  } finally {
    mailer.close()
  }
}

export type SendVerdict =
  /** What the mail server said when it took the email, without addresses. */
  | { answer: string }
  | ConnectionFailure
  /** The part that the mail server refused. */
  | { failure: 'sender' | 'recipient' | 'message'; answer: string }

/** Sends one email over a separate connection and waits for the mail server's answer. Never rejects. */
export async function sendOnce(url: string, mail: Mail & { from: string; to: string }): Promise<SendVerdict> {
  const mailer = nodemailer.createTransport(optionsOf(url))
  try {
    const { response } = await mailer.sendMail({ ...mail, signal: AbortSignal.timeout(SEND_TIMEOUT_MS) })
    return { answer: tidy(response) }
  } catch (error) {
    const { command = '' } = error as { command?: string }
    const part = REFUSED_PART[command]
    return part ? { failure: part, answer: answerOrError(error) } : connectionFailure(error)
  } finally {
    mailer.close()
  }
}

const REFUSED_PART: Record<string, 'sender' | 'recipient' | 'message'> = {
  'MAIL FROM': 'sender',
  'RCPT TO': 'recipient',
  DATA: 'message',
}

function connectionFailure(error: unknown): ConnectionFailure {
  const failure = failureOf(error)
  const { response = '' } = error as SmtpRefusal
  return { failure, answer: failure === 'refused' ? tidy(response) : answerOrError(error) }
}

function failureOf(error: unknown) {
  const { code = '', message = '', response } = error as SmtpRefusal & { code?: string; message?: string }
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'login'
  // An answer to the connection itself, such as the greeting 421.
  if (response && code !== 'ETLS') return 'refused'
  if (code === 'ETLS' || /certificate|SSL routines|TLS/i.test(message)) return 'tls'
  // ENOTFOUND is a name server's answer that it knows no such host.
  return code === 'EDNS' && !message.includes('ENOTFOUND') ? 'no_name_server' : 'unreachable'
}

/** TLS is required if the URL asks for it, or if it names another machine and does not turn it off. */
export const needsTls = ({ hostname, searchParams }: URL): boolean =>
  searchParams.get('requireTLS') === 'true' ||
  (!isLoopbackHost(hostname) &&
    searchParams.get('requireTLS') !== 'false' &&
    searchParams.get('ignoreTLS') !== 'true')

/** Whether an error is a 5xx answer to the sender, recipient or message. A refused login is not permanent. */
function isPermanent(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: number; command?: string }
  return responseCode !== undefined && responseCode >= 500 && ABOUT_EMAIL.test(command ?? '')
}

/** SMTP commands whose answers concern one email, not the connection. */
const ABOUT_EMAIL = /^(RCPT TO|DATA|MAIL FROM)$/

type SmtpRefusal = { command?: string; responseCode?: number; response?: string }

/**
 * Enhanced status codes (RFC 3463, RFC 7505) for an address that does not exist: bad mailbox, bad domain, bad
 * syntax, moved, null MX, disabled. Does not match 5.1.7 and 5.1.8 (sender's address), 5.2.2 (full) and 5.7.x
 * (policy).
 */
const NO_MAILBOX_STATUS = /^5\.(1\.(1|2|3|6|10)|2\.1)$/
const STATUS = /\b([245]\.\d{1,3}\.\d{1,3})\b/
/** The words of servers that send no such codes. */
const NO_MAILBOX_WORDS =
  /\b(user|recipient|mailbox|address|account)\b[^.]{0,40}\b(unknown|not found|does ?n[o’']t exist|disabled|invalid)\b|\b(no such|unknown|invalid) (local )?(user|recipient|mailbox|address|account)\b|\bno mailbox\b/i
const ABOUT_SENDER_OR_CONTENT =
  /\b(spam|block(ed|list)?|blacklist|policy|relay(ing)?|denied|sender|spf|dkim|dmarc|reputation|rate|quota)\b/i

/**
 * Whether a permanent answer to `RCPT TO` says that nobody has this address. False when in doubt, because
 * after a refusal of the sender or the content, participants must still get emails.
 */
export function saysNoMailbox({ command, responseCode = 0, response = '' }: SmtpRefusal): boolean {
  if (command !== 'RCPT TO' || responseCode < 500) return false
  const status = STATUS.exec(response)?.[1]
  if (status !== undefined) return NO_MAILBOX_STATUS.test(status)
  return NO_MAILBOX_WORDS.test(response) && !ABOUT_SENDER_OR_CONTENT.test(response)
}

function answerOrError(error: unknown): string {
  const { code, command, message, response } = error as SmtpRefusal & { code?: string; message?: string }
  if (response && ABOUT_EMAIL.test(command ?? '')) return tidy(response)
  return [code, tidy(message ?? '')].filter(Boolean).join(' ')
}

const MAX_ANSWER_LENGTH = 300

/** Puts an answer on one line, without control characters and email addresses. */
const tidy = (answer: string) =>
  withoutEmails(answer.replace(/[\s\p{Cc}]+/gu, ' ')).slice(0, MAX_ANSWER_LENGTH)
