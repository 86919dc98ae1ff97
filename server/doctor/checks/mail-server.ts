import type { SendVerdict } from '#server/domain/mail/smtp.ts'
import { couldNotTell, type Finding, fine, wrong } from '../finding.ts'
import { explainFailure } from '../failures.ts'
import type { Check } from '../subject.ts'
import { WORDS } from '../texts.ts'

const { mailServer: words, testMail: testWords } = WORDS

/** Connects, speaks TLS and logs in, and sends nothing. */
export const mailServer: Check = {
  name: 'mail server',
  needs: ['SMTP_URL'],
  async examine({ environment, verifyMailServer }) {
    const { smtpUrl } = environment.config
    if (!smtpUrl) return couldNotTell(words.none)
    const { host } = new URL(smtpUrl)
    const verdict = await verifyMailServer(smtpUrl)
    if ('hasTls' in verdict) return fine(words.fine(host, verdict.hasTls))
    return judgeConnection(host, verdict)
  },
}

type ConnectionFailure = { failure: 'login' | 'tls' | 'unreachable' | 'no_name_server'; answer: string }

/** Why a connection to the mail server cannot be used. */
export function judgeConnection(host: string, { failure, answer }: ConnectionFailure): Finding {
  if (failure === 'login') return wrong([words.login(answer)])
  const why = explainFailure(answer, { host, setting: 'SMTP_URL' })
  if (failure === 'no_name_server')
    return couldNotTell(why ? words.explained(why) : words.noNameServer(host, answer))
  if (why) return wrong([words.explained(why)])
  return wrong([failure === 'tls' ? words.tls(answer) : words.unreachable(host, answer)])
}

/** What the mail server said to a test email. */
export function judgeTestMail(host: string, verdict: SendVerdict): Finding {
  const { answer } = verdict
  if (!('failure' in verdict)) return fine(testWords.taken(host, answer))
  const { failure } = verdict
  if (failure === 'sender' || failure === 'recipient' || failure === 'message')
    return wrong([testWords[failure](answer)])
  return judgeConnection(host, { failure, answer })
}

/** Without a mail server. */
export const mailboxFinding = (publicUrl: string): Finding =>
  couldNotTell(testWords.mailbox(`${publicUrl}/dev/mailbox`))
