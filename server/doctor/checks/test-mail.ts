import type { SendVerdict } from '#server/domain/mail/smtp.ts'
import { couldNotTell, type Finding, fine, wrong } from '../finding.ts'
import { WORDS } from '../words.ts'
import { judgeConnection } from './mail-server.ts'

const { testMail: words } = WORDS

/** What the mail server said to a test email. */
export function judgeTestMail(host: string, verdict: SendVerdict): Finding {
  const { answer } = verdict
  if (!('trouble' in verdict)) return fine(words.taken(host, answer))
  const { trouble } = verdict
  if (trouble === 'sender' || trouble === 'recipient' || trouble === 'message')
    return wrong([words[trouble](answer)])
  return judgeConnection(host, { trouble, answer })
}

/** Without a mail server. */
export const mailboxFinding = (publicUrl: string): Finding =>
  couldNotTell(words.mailbox(`${publicUrl}/dev/mailbox`))
