import type { Mail } from './compose.ts'

type OutgoingMail = Mail & { messageId: string; from: string; to: string }

/** The result of one attempt to send. `answer` is the mail server's answer, without addresses. */
export type Attempt =
  /** Handed over. `answer` is null in the development mailbox. */
  | { outcome: 'accepted'; answer: string | null }
  /** To be tried again. If no server answered, `answer` says why. */
  | { outcome: 'deferred'; answer: string }
  /** Not to be tried again. `hasNoMailbox`: the address does not exist. */
  | { outcome: 'refused'; answer: string; hasNoMailbox: boolean }

export type Transport = {
  /** Never rejects. `signal` aborts the attempt at once, and the email is retried. */
  send(mail: OutgoingMail, signal?: AbortSignal): Promise<Attempt>
  /** Whether the mail server would take emails now. Never rejects. */
  takesEmails(): Promise<boolean>
  close(): void
}

/** Sends nothing: emails count as delivered once they are due, and /dev/mailbox shows them from the queue. */
export const mailboxTransport: Transport = {
  send: async () => ({ outcome: 'accepted', answer: null }),
  takesEmails: async () => true,
  close() {},
}
