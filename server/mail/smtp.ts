import nodemailer from 'nodemailer'
import { isLoopbackHost } from '../platform/http/loopback.ts'
import { withoutEmails } from '../platform/log.ts'
import type { Transport } from './transport.ts'

/** Milliseconds for one mail from the first byte to the last: less than the lease of its job. */
const TOTAL = 30_000
/** Milliseconds of silence. */
const TIMEOUTS = {
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 15_000,
  dnsTimeout: 5_000,
}

/**
 * Connections are kept for the next mail: over few of them, and not so long that the server closes them first. A mail
 * whose kept connection turns out to be closed is tried once on a new one; else the job queue decides when.
 */
const POOL = {
  pool: true,
  maxConnections: 4,
  maxMessages: 100,
  maxRequeues: 1,
  idleTimeout: 20_000,
  // A connection that we give up is destroyed: no polite farewell to a server that hangs.
  socketCloseTimeout: 0,
} as const

/**
 * Sends over SMTP. Credentials and mails go over TLS or not at all, unless the server is on this machine or
 * the address says `?requireTLS=false`. @param url `smtp://user:pass@host:port`
 * @param total milliseconds that one mail may take.
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
      const late = AbortSignal.timeout(total)
      const signal = cut ? AbortSignal.any([late, cut]) : late
      try {
        await mailer.sendMail({ ...mail, signal })
        return { done: true }
      } catch (error) {
        if (late.aborted) return { retry: `The mail server took longer than ${total / 1000} s.` }
        if (signal.aborted) return { retry: 'Cut off.' }
        return isFinal(error) ? { dead: reason(error) } : { retry: reason(error) }
      }
    },
    close: () => mailer.close(),
  }
}

/** Whether a mail server has to be spoken to over TLS. */
export const needsTls = ({ hostname, searchParams }: URL): boolean =>
  searchParams.get('requireTLS') === 'true' ||
  (!isLoopbackHost(hostname) &&
    searchParams.get('requireTLS') !== 'false' &&
    searchParams.get('ignoreTLS') !== 'true')

/** A 5xx answer to this recipient or message is final; anything else may pass. Wrong credentials may be mended. */
function isFinal(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: number; command?: string }
  return responseCode !== undefined && responseCode >= 500 && /^(RCPT TO|DATA|MAIL FROM)$/.test(command ?? '')
}

/** The mail server's words without the recipient's address. */
function reason(error: unknown): string {
  const { code, responseCode, message } = error as { code?: string; responseCode?: number; message?: string }
  return [code, responseCode, withoutEmails(message ?? '').slice(0, 300)].filter(Boolean).join(' ')
}
