import nodemailer from 'nodemailer'
import type { Outcome } from '../platform/jobs.ts'
import type { Mail } from './mail.ts'

/** Hands one mail over. */
export type Transport = (mail: Mail & { messageId: string; from: string; to: string }) => Promise<Outcome>

/** Milliseconds. A mail server that hangs must not hold the lease of its job until it runs out. */
const TIMEOUTS = {
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 15_000,
  dnsTimeout: 5_000,
}

/** Sends over SMTP, a new connection a mail. @param url `smtp://user:pass@host:port` */
export function smtpTransport(url: string): Transport {
  const mailer = nodemailer.createTransport({
    url,
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async (mail) => {
    try {
      await mailer.sendMail(mail)
      return { done: true }
    } catch (error) {
      return isFinal(error) ? { dead: reason(error) } : { retry: reason(error) }
    }
  }
}

/** The development mailbox: a mail counts as delivered when it is due, and is shown at /dev/mailbox. */
export const mailboxTransport: Transport = async () => ({ done: true })

/** A 5xx answer to this recipient or message is final; anything else may pass. Wrong credentials may be mended. */
function isFinal(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: number; command?: string }
  return responseCode !== undefined && responseCode >= 500 && /^(RCPT TO|DATA|MAIL FROM)$/.test(command ?? '')
}

/** The mail server's words without the recipient's address. */
function reason(error: unknown): string {
  const { code, responseCode, message } = error as { code?: string; responseCode?: number; message?: string }
  const words = (message ?? '').replace(/[^\s<>@]+@[^\s<>@]+/g, '…').slice(0, 300)
  return [code, responseCode, words].filter(Boolean).join(' ')
}
