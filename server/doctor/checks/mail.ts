import type { DnsFinding } from '#contract/dashboard/mail.ts'
import {
  MIN_FAILING_DOMAINS,
  readMailBacklog,
  readRefusedMail,
  STUCK_AFTER_SECONDS,
} from '#server/domain/mail/backlog.ts'
import { domainOf, examineSender, isPublicDomain } from '#server/domain/mail/sender.ts'
import type { ConnectionFailure, SendVerdict } from '#server/domain/mail/smtp.ts'
import type { Database } from '#server/platform/database/database.ts'
import { couldNotTell, explainFailure, type Finding, fine, judged, type Line, wrong } from '../finding.ts'
import { type Check, DATABASE_VARIABLES, onDatabase } from '../subject.ts'
import { linesOf, listOf, WORDS } from '../texts.ts'

const say = linesOf('mailServer')
const sayOfTest = linesOf('testMail')
const sayOfSender = linesOf('sender')

/** Connects, speaks TLS and logs in, and sends nothing. */
export const mailServer: Check = {
  name: 'mail server',
  reads: ['SMTP_URL'],
  async examine({ environment, verifyMailServer }) {
    const { smtpUrl } = environment.config
    if (!smtpUrl) return couldNotTell(say('none'))
    const { host } = new URL(smtpUrl)
    const verdict = await verifyMailServer(smtpUrl)
    if ('hasTls' in verdict) return fine(say('fine', { host, tls: verdict.hasTls }))
    return judgeConnection(host, verdict)
  },
}

function judgeConnection(host: string, { failure, answer }: ConnectionFailure): Finding {
  if (failure === 'login') return wrong([say('login', { answer })])
  if (failure === 'refused') return wrong([say('refused', { host, answer })])
  const why = explainFailure(answer, { host, setting: 'SMTP_URL' })
  if (failure === 'no_name_server')
    return couldNotTell(why ? say('explained', { why }) : say('noNameServer', { host, answer }))
  if (why) return wrong([say('explained', { why })])
  return wrong([failure === 'tls' ? say('tls', { answer }) : say('unreachable', { host, answer })])
}

export function judgeTestMail(host: string, verdict: SendVerdict): Finding {
  const { answer } = verdict
  if (!('failure' in verdict)) return fine(sayOfTest('taken', { host, answer }))
  const { failure } = verdict
  if (failure === 'sender' || failure === 'recipient' || failure === 'message')
    return wrong([sayOfTest(failure, { answer })])
  return judgeConnection(host, { failure, answer })
}

export const mailboxFinding = (publicUrl: string): Finding =>
  couldNotTell(sayOfTest('mailbox', { url: `${publicUrl}/dev/mailbox` }))

export const mailQueue: Check = {
  name: 'mail queue',
  reads: DATABASE_VARIABLES,
  examine: (subject) => onDatabase(subject, judgeQueue),
}

async function judgeQueue(db: Database): Promise<Finding> {
  const [backlog, refused] = await Promise.all([readMailBacklog(db), readRefusedMail(db)])
  const { waiting, oldestSeconds, lastError, dead, deadError } = backlog
  const remarks = dead > 0 ? [WORDS.mailQueue.givenUp(dead, deadError)] : []
  const problems = [
    ...(oldestSeconds > STUCK_AFTER_SECONDS
      ? [WORDS.mailQueue.stuck(waiting, oldestSeconds, lastError)]
      : []),
    ...(refused.domains >= MIN_FAILING_DOMAINS
      ? [WORDS.mailQueue.refused(refused.count, refused.answer)]
      : []),
  ]
  return judged(problems, WORDS.mailQueue.fine(waiting), remarks)
}

/** SPF, DKIM and DMARC of our emails' domain, by which other mail servers judge them. */
export const sender: Check = {
  name: 'sender',
  reads: ['MAIL_FROM', 'PUBLIC_URL', 'SMTP_URL', 'DKIM_SELECTOR'],
  async examine({ environment, resolver }) {
    const { mailFrom, smtpUrl, dkimSelector: selector } = environment.config
    const domain = domainOf(mailFrom)
    if (!isPublicDomain(domain)) return couldNotTell(sayOfSender('notPublic', { domain }))
    const server = smtpUrl === undefined ? undefined : new URL(smtpUrl).hostname
    const findings = await examineSender(resolver, { domain, selector, server })
    const problems = findings
      .filter(({ outcome }) => outcome === 'wrong')
      .map((finding) => problemOf(domain, finding))
    const unanswered = findings.find(
      ({ outcome, reason }) => outcome === 'could_not_tell' && reason !== 'no_selector',
    )
    if (unanswered) {
      const reason = unanswered.reason ?? ''
      const why = explainFailure(reason, { host: domain, setting: 'MAIL_FROM' })
      const line = why
        ? sayOfSender('explained', { domain, why })
        : sayOfSender('noAnswer', { domain, code: reason })
      return problems.length > 0 ? wrong(problems, [line]) : couldNotTell(line)
    }
    const answered = findings.filter(({ outcome }) => outcome !== 'could_not_tell')
    return judged(
      problems,
      sayOfSender('fine', { domain, records: listOf(answered.map(({ record }) => record.toUpperCase())) }),
      [
        ...(answered.some(({ reason }) => reason === 'policy_none') ? [sayOfSender('noPolicy')] : []),
        ...(selector === undefined ? [sayOfSender('dkim')] : []),
      ],
    )
  },
}

const DKIM_PROBLEMS = { missing: 'dkimMissing', revoked: 'dkimRevoked', short: 'dkimShort' } as const

function problemOf(domain: string, { record, reason, publish }: DnsFinding): Line {
  if (record === 'dkim')
    return sayOfSender(DKIM_PROBLEMS[reason as keyof typeof DKIM_PROBLEMS] ?? 'dkimUnreadable', { domain })
  if (record === 'dmarc') return sayOfSender(reason === 'several' ? 'severalDmarc' : 'noDmarc', { domain })
  if (reason === 'several') return sayOfSender('severalSpf', { domain })
  if (reason === 'open') return sayOfSender('openSpf', { domain })
  return publish
    ? sayOfSender('noSpfYet', { domain, record: publish.value })
    : sayOfSender('noSpf', { domain })
}
