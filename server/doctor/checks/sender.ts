import type { DnsFinding } from '#contract/dashboard/mail.ts'
import { domainOf, examineSender, isPublicDomain } from '#server/domain/mail/sender.ts'
import { couldNotTell, judged, type Line, wrong } from '../finding.ts'
import { explainFailure } from '../failures.ts'
import type { Check } from '../subject.ts'
import { WORDS } from '../texts.ts'

const { sender: words } = WORDS

/** What receiving mail servers look at: SPF, DKIM and DMARC of the domain that emails come from. */
export const sender: Check = {
  name: 'sender',
  needs: ['MAIL_FROM', 'PUBLIC_URL', 'SMTP_URL', 'DKIM_SELECTOR'],
  async examine({ environment, resolver }) {
    const { mailFrom, smtpUrl, dkimSelector: selector } = environment.config
    const domain = domainOf(mailFrom)
    if (!isPublicDomain(domain)) return couldNotTell(words.notPublic(domain))
    const server = smtpUrl === undefined ? undefined : new URL(smtpUrl).hostname
    const findings = await examineSender(resolver, { domain, selector, server })
    const problems = findings
      .filter(({ outcome }) => outcome === 'wrong')
      .map((finding) => problemOf(domain, finding))
    const unanswered = findings.find(
      ({ outcome, reason }) => outcome === 'could_not_tell' && reason !== NO_SELECTOR,
    )
    if (unanswered) {
      const reason = unanswered.reason ?? ''
      const why = explainFailure(reason, { host: domain, setting: 'MAIL_FROM' })
      const line = why ? words.explained(domain, why) : words.noAnswer(domain, reason)
      return problems.length > 0 ? wrong(problems, [line]) : couldNotTell(line)
    }
    const answered = findings.filter(({ outcome }) => outcome !== 'could_not_tell')
    return judged(
      problems,
      words.fine(
        domain,
        answered.map(({ record }) => record.toUpperCase()),
      ),
      [
        ...(answered.some(({ reason }) => reason === 'policy_none') ? [words.noPolicy] : []),
        ...(selector === undefined ? [words.dkim] : []),
      ],
    )
  },
}

const NO_SELECTOR = 'no_selector'

function problemOf(domain: string, { record, reason, publish }: DnsFinding): Line {
  const value = publish?.value
  if (record === 'dkim') return words.dkimProblem(domain, reason ?? '')
  if (record === 'dmarc') return reason === 'several' ? words.severalDmarc(domain) : words.noDmarc(domain)
  if (reason === 'several') return words.severalSpf(domain)
  return reason === 'open' ? words.openSpf(domain) : words.noSpf(domain, value)
}
