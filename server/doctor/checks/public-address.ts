import type { Config } from '#server/config/config.ts'
import { exposureWarnings } from '#server/config/exposure.ts'
import { isLoopbackHost } from '#server/platform/http/security/loopback.ts'
import type { HttpClient, Outcome, Reply } from '#server/platform/outbound/http-client.ts'
import { couldNotTell, explainFailure, type Finding, inWords, judged, wrong } from '../finding.ts'
import type { Check } from '../subject.ts'
import { WORDS } from '../texts.ts'

const { publicAddress: words } = WORDS

/** Compares the program's answers at its public address and at its local one. */
export const publicAddress: Check = {
  name: 'public address',
  reads: ['PUBLIC_URL', 'HOST', 'PORT', 'TRUST_PROXY'],
  async examine({ environment: { config }, http }) {
    const { publicUrl } = config
    const warnings = exposureWarnings(config)
    const [publicAnswer, localAnswer] = await Promise.all([
      http.requestWithReply(`${publicUrl}/healthz`),
      http.requestWithReply(`${localAddress(config)}/healthz`),
    ])
    const failure = judge(publicUrl, publicAnswer, localAnswer.reply !== undefined)
    if (failure) {
      // The environment can be wrong even if the program is not running.
      if (warnings.length === 0) return failure
      const { outcome, lines } = failure
      return outcome === 'wrong' ? wrong([...warnings, ...lines]) : wrong(warnings, lines)
    }
    const forwarding = isLoopbackHost(new URL(publicUrl).hostname)
      ? { problems: [], remarks: [] }
      : await examineForwarding(http, config)
    return judged([...warnings, ...forwarding.problems], words.fine(publicUrl), forwarding.remarks)
  },
}

/** Where the program listens, without the proxy. */
export function localAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const address = LOOPBACK_OF_ANY[host] ?? host
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

/** Where to reach a program that listens on all addresses. */
const LOOPBACK_OF_ANY: Partial<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

type HttpAnswer = { outcome: Outcome; reply?: Reply }

/** Codes of OpenSSL and Node for certificates that visitors' browsers refuse too. */
const TLS_ERROR = /CERT|SIGNATURE|SSL|TLS|ISSUER/
/** Statuses with which a gateway reports that the program does not answer. */
const GATEWAY_STATUSES = new Set([502, 503, 504])

/** @param isRunning whether the program answers locally. @returns undefined if it answers at `url`. */
function judge(url: string, { outcome, reply }: HttpAnswer, isRunning: boolean): Finding | undefined {
  if (!reply) {
    const reason = 'unclear' in outcome ? outcome.unclear : 'refused'
    const explained = explainFailure(reason, { host: new URL(url).host, setting: 'PUBLIC_URL' })
    const why = explained && inWords(explained)
    if (TLS_ERROR.test(reason)) return wrong([why ? words.explained(url, why) : words.tls(url, reason)])
    if (!isRunning) return couldNotTell(words.notRunning(url))
    return couldNotTell(why ? words.explainedRunning(url, why) : words.unreachable(url, reason))
  }
  if ('answer' in outcome && (outcome.answer as { status?: unknown } | null)?.status === 'ok')
    return undefined
  if (GATEWAY_STATUSES.has(reply.status))
    return isRunning ? wrong([words.proxyFails(url, reply.status)]) : couldNotTell(words.notRunning(url))
  if (reply.status === 400) return wrong([words.otherHost(url)])
  if (reply.status >= 300 && reply.status < 400) return wrong([words.redirects(url, reply.status)])
  return wrong([words.notOurs(url)])
}

/**
 * Without METRICS_TOKEN, only loopback peers without forwarding headers can read /metrics. If we can read it
 * at the public address, the proxy adds no such header: it does not pass on visitors' addresses. If the
 * program refuses although it listens only on loopback, the proxy does add one.
 */
async function examineForwarding(http: HttpClient, { publicUrl, metricsToken, host }: Config) {
  const { reply } = metricsToken ? {} : await http.requestWithReply(`${publicUrl}/metrics`)
  if (reply?.status === 200) return { problems: [words.noForwarding(publicUrl)], remarks: [] }
  const isRefusedByUs = reply?.status === 404 && reply.text?.includes('"not_found"')
  return { problems: [], remarks: [isRefusedByUs && isLoopbackHost(host) ? words.forwards : words.unseen] }
}
