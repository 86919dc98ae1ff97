import type { Mail } from './compose.ts'

type OutgoingMail = Mail & { messageId: string; from: string; to: string }

/** What became of one attempt. `answer` is the mail server's, without addresses. */
export type Attempt =
  /** Handed over; `answer` is null in the development mailbox. */
  | { outcome: 'accepted'; answer: string | null }
  /** To be tried again. If no server answered, `answer` says why. */
  | { outcome: 'deferred'; answer: string }
  /** Not to be tried again. `hasNoMailbox`: because the address does not exist. */
  | { outcome: 'refused'; answer: string; hasNoMailbox: boolean }

export type Transport = {
  /** `signal` aborts the attempt at once; the email is retried. Never rejects. */
  send(mail: OutgoingMail, signal?: AbortSignal): Promise<Attempt>
  /** Whether emails would be taken now; sends none. Never rejects. */
  takesEmails(): Promise<boolean>
  /** Closes pooled connections. */
  close(): void
}

/** The development mailbox: an email counts as delivered when it is due, and is shown at /dev/mailbox. */
export const mailboxTransport: Transport = {
  send: async () => ({ outcome: 'accepted', answer: null }),
  takesEmails: async () => true,
  close() {},
}
