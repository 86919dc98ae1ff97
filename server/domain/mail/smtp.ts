import nodemailer from 'nodemailer'
import { isLoopbackHost } from '#server/platform/http/security/loopback.ts'
import { withoutEmails } from '#server/platform/log.ts'
import type { Transport } from './transport.ts'

/** Milliseconds for one email, first byte to last: less than its job's lease. */
const TOTAL = 30_000
/** Milliseconds. */
const TIMEOUTS = {
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 15_000,
  dnsTimeout: 5_000,
}

/**
 * Connections are pooled, and dropped before servers usually close idle ones. An email whose pooled connection
 * turns out to be closed is retried once on a new one; other retries are the job queue's.
 */
const POOL = {
  pool: true,
  maxConnections: 4,
  maxMessages: 100,
  maxRequeues: 1,
  idleTimeout: 20_000,
  // Destroys an abandoned connection at once instead of waiting for a server that hangs.
  socketCloseTimeout: 0,
} as const

/**
 * Sends over SMTP. TLS is required unless the server is on this machine or the URL has `?requireTLS=false`.
 * @param url `smtp://user:pass@host:port`
 * @param total milliseconds that one email may take.
 */
export function smtpTransport(
  url: string,
  { total = TOTAL }: { total?: number | undefined } = {},
): Transport {
  const mailer = nodemailer.createTransport({
    url,
    ...TIMEOUTS,
    ...POOL,
    requireTLS: needsTls(new URL(url)),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail, cut) {
      const timeout = AbortSignal.timeout(total)
      const signal = cut ? AbortSignal.any([timeout, cut]) : timeout
      try {
        await mailer.sendMail({ ...mail, signal })
        return { done: true }
      } catch (error) {
        if (timeout.aborted) return { retry: `The mail server took longer than ${total / 1000} s.` }
        if (signal.aborted) return { retry: 'Cut off.' }
        return isPermanent(error) ? { dead: reason(error) } : { retry: reason(error) }
      }
    },
    close: () => mailer.close(),
  }
}

export type MailServerVerdict =
  /** It would take emails. */
  | { hasTls: boolean }
  /** `answer`: the mail server's, or the reason that there is none; without addresses. */
  | { trouble: 'login' | 'tls' | 'unreachable' | 'no_name_server'; answer: string }

/** Connects as {@link smtpTransport} does, negotiates TLS and logs in, and sends nothing. Never rejects. */
export async function verifyMailServer(url: string): Promise<MailServerVerdict> {
  const address = new URL(url)
  const mailer = nodemailer.createTransport({
    url,
    ...TIMEOUTS,
    requireTLS: needsTls(address),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await mailer.verify()
    return { hasTls: address.protocol === 'smtps:' || needsTls(address) }
  } catch (error) {
    return { trouble: troubleOf(error), answer: reason(error) }
  } finally {
    mailer.close()
  }
}

function troubleOf(error: unknown) {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'login'
  if (code === 'ETLS' || /certificate|SSL routines|TLS/i.test(message)) return 'tls'
  // The name server did not answer; ENOTFOUND would be its answer.
  return code === 'EDNS' && !message.includes('ENOTFOUND') ? 'no_name_server' : 'unreachable'
}

export const needsTls = ({ hostname, searchParams }: URL): boolean =>
  searchParams.get('requireTLS') === 'true' ||
  (!isLoopbackHost(hostname) &&
    searchParams.get('requireTLS') !== 'false' &&
    searchParams.get('ignoreTLS') !== 'true')

/** A 5xx answer to this recipient or message is permanent; other failures, also of the login, are retried. */
function isPermanent(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: number; command?: string }
  return responseCode !== undefined && responseCode >= 500 && /^(RCPT TO|DATA|MAIL FROM)$/.test(command ?? '')
}

/** The mail server's answer without email addresses. */
function reason(error: unknown): string {
  const { code, responseCode, message } = error as { code?: string; responseCode?: number; message?: string }
  return [code, responseCode, withoutEmails(message ?? '').slice(0, 300)].filter(Boolean).join(' ')
}
