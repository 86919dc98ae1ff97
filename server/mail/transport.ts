import type { Outcome } from '../platform/jobs.ts'
import type { Mail } from './mail.ts'

/** Hands mails over. */
export type Transport = {
  /** `cut` ends the try at once; the mail is then tried again. */
  send(mail: Mail & { messageId: string; from: string; to: string }, cut?: AbortSignal): Promise<Outcome>
  /** Lets go of what is kept open between mails. */
  close(): void
}

/** The development mailbox: a mail counts as delivered when it is due, and is shown at /dev/mailbox. */
export const mailboxTransport: Transport = { send: async () => ({ done: true }), close() {} }
