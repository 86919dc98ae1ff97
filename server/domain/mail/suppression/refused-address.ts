/** A refusal as nodemailer reports it. */
export type SmtpRefusal = { command?: string; responseCode?: number; response?: string }

/**
 * Enhanced status codes (RFC 3463, RFC 7505) that say that an address does not exist: bad mailbox, bad
 * domain, bad syntax, moved, null MX, disabled. Not among them: 5.1.7 and 5.1.8 (the sender's address), 5.2.2
 * (full), 5.7.x (policy).
 */
const NO_MAILBOX_STATUS = /^5\.(1\.(1|2|3|6|10)|2\.1)$/
const STATUS = /\b([245]\.\d{1,3}\.\d{1,3})\b/
/** What servers that send no such codes say about an address that does not exist. */
const NO_MAILBOX_WORDS =
  /\b(user|recipient|mailbox|address|account)\b[^.]{0,40}\b(unknown|not found|does ?n[o’']t exist|disabled|invalid)\b|\b(no such|unknown|invalid) (local )?(user|recipient|mailbox|address|account)\b|\bno mailbox\b/i
const ABOUT_SENDER_OR_CONTENT =
  /\b(spam|block(ed|list)?|blacklist|policy|relay(ing)?|denied|sender|spf|dkim|dmarc|reputation|rate|quota)\b/i

/**
 * Whether a permanent answer to `RCPT TO` says that nobody has this address. False when in doubt: a refusal
 * because of the sender or the content must not keep a participant from emails.
 */
export function saysNoMailbox({ command, responseCode = 0, response = '' }: SmtpRefusal): boolean {
  if (command !== 'RCPT TO' || responseCode < 500) return false
  const status = STATUS.exec(response)?.[1]
  if (status !== undefined) return NO_MAILBOX_STATUS.test(status)
  return NO_MAILBOX_WORDS.test(response) && !ABOUT_SENDER_OR_CONTENT.test(response)
}
