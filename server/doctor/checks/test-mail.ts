import type { SendVerdict } from '#server/domain/mail/smtp.ts'
import { couldNotTell, type Finding, fine, wrong } from '../finding.ts'
import { WORDS } from '../words.ts'
import { judgeConnection } from './mail-server.ts'

const { testMail: words } = WORDS

/** What the mail server said to a test email. */
export function judgeTestMail(host: string, verdict: SendVerdict): Finding {
  const { answer } = verdict
  if (!('failure' in verdict)) return fine(words.taken(host, answer))
  const { failure } = verdict
  if (failure === 'sender' || failure === 'recipient' || failure === 'message')
    return wrong([words[failure](answer)])
  return judgeConnection(host, { failure, answer })
}

/** Without a mail server. */
export const mailboxFinding = (publicUrl: string): Finding =>
  couldNotTell(words.mailbox(`${publicUrl}/dev/mailbox`))
