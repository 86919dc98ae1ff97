import { couldNotTell, fine, wrong } from '../finding.ts'
import type { Check } from '../subject.ts'
import { WORDS } from '../words.ts'

const { mailServer: words } = WORDS

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
    const { trouble, answer } = verdict
    if (trouble === 'login') return wrong([words.login(answer)])
    if (trouble === 'tls') return wrong([words.tls(answer)])
    if (trouble === 'no_name_server') return couldNotTell(words.noNameServer(host, answer))
    return wrong([words.unreachable(host, answer)])
  },
}
