import type { SendVerdict } from '#server/domain/mail/smtp.ts'
import { couldNotTell, type Finding, fine, wrong } from '../finding.ts'
import { WORDS } from '../words.ts'

const { testMail: words, mailServer } = WORDS

/** What the mail server said to a test email. */
export function judgeTestMail(host: string, verdict: SendVerdict): Finding {
  const { answer } = verdict
  if (!('trouble' in verdict)) return fine(words.taken(host, answer))
  if (verdict.trouble === 'login') return wrong([mailServer.login(answer)])
  if (verdict.trouble === 'tls') return wrong([mailServer.tls(answer)])
  if (verdict.trouble === 'no_name_server') return couldNotTell(mailServer.noNameServer(host, answer))
  if (verdict.trouble === 'unreachable') return wrong([mailServer.unreachable(host, answer)])
  return wrong([words[verdict.trouble](answer)])
}

/** Without a mail server. */
export const mailboxFinding = (publicUrl: string): Finding =>
  couldNotTell(words.mailbox(`${publicUrl}/dev/mailbox`))
