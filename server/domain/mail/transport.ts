import type { Outcome } from '#server/platform/jobs.ts'
import type { Mail } from './mail.ts'

export type Transport = {
  /** `cut` aborts the attempt at once; the email is retried. */
  send(mail: Mail & { messageId: string; from: string; to: string }, cut?: AbortSignal): Promise<Outcome>
  /** Closes pooled connections. */
  close(): void
}

/** The development mailbox: an email counts as delivered when it is due, and is shown at /dev/mailbox. */
export const mailboxTransport: Transport = { send: async () => ({ done: true }), close() {} }
