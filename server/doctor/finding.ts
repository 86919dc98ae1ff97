import type { DeploymentFinding } from '#contract/dashboard/deployment.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { type Texts, textsIn } from '../messages/catalogue.ts'

/** A sentence: a string in English, only for the terminal, or a function that returns it in any language. */
export type Line = string | ((locale: Locale) => string)
type Lines = readonly Line[]

export const inWords = (line: Line, locale: Locale = DEFAULT_LOCALE): string =>
  typeof line === 'string' ? line : line(locale)

export type Finding = {
  outcome: DeploymentFinding['outcome']
  /** For `wrong`, a line per problem, which also says what to do. Otherwise, one line. */
  lines: Lines
  remarks: Lines
}

export const textsOf = ({ lines, remarks }: Pick<Finding, 'lines' | 'remarks'>, locale?: Locale) => ({
  lines: lines.map((line) => inWords(line, locale)),
  remarks: remarks.map((remark) => inWords(remark, locale)),
})

function finding(outcome: Finding['outcome'], lines: Lines, remarks: Lines = []): Finding {
  return { outcome, lines, remarks }
}

export const fine = (line: Line, remarks?: Lines) => finding('fine', [line], remarks)
export const wrong = (lines: Lines, remarks?: Lines) => finding('wrong', lines, remarks)
export const couldNotTell = (why: Line, remarks?: Lines) => finding('could_not_tell', [why], remarks)

export const judged = (problems: Lines, line: Line, remarks?: Lines): Finding =>
  problems.length > 0 ? wrong(problems, remarks) : fine(line, remarks)

/** The host that the program asked, with its port if any, and the variable that names this host. */
type FailureContext = { host: string; setting: string }

/** For codes and messages of Node, DNS and OpenSSL. The first match counts. */
const ADVICE: readonly (readonly [RegExp, keyof Texts['FAILURES']])[] = [
  [/ENOTFOUND|ENODATA/, 'no_host'],
  [/EAI_AGAIN|ESERVFAIL|EREFUSED|EDNS/, 'no_name_server'],
  [/ECONNREFUSED/, 'refused'],
  [/ETIMEDOUT|ETIMEOUT|UND_ERR_\w*TIMEOUT|took too long|timeout/i, 'timed_out'],
  [/EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/, 'no_route'],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|ECONNECTION/, 'closed'],
  [/EACCES|EPERM/, 'not_allowed'],
  [/CERT_HAS_EXPIRED|certificate has expired/i, 'certificate_expired'],
  [/CERT_NOT_YET_VALID|not yet valid/i, 'certificate_early'],
  [/ALTNAME_INVALID|does not match certificate/i, 'certificate_of_other'],
  [/SELF_SIGNED|self.signed/i, 'certificate_self_signed'],
  [/UNABLE_TO_(VERIFY|GET_ISSUER)|unable to (verify|get (local )?issuer)/i, 'certificate_unknown'],
  [/EPROTO|WRONG_VERSION_NUMBER|wrong version number/i, 'no_tls'],
]

/**
 * Explains why a call failed and what to do about it, with the code to search for.
 * @param reason as `HttpClient` and the mail server's client give it, or a code.
 */
export function explainFailure(reason: string, context: FailureContext): Line | undefined {
  const advice = ADVICE.find(([pattern]) => pattern.test(reason))?.[1]
  if (advice === undefined) return undefined
  const code = reason.match(/\b[A-Z][A-Z0-9_]{4,}\b/g)?.find((word) => !MAIL_CLIENT_CODES.has(word))
  return (locale) => {
    const words = textsIn(locale).FAILURES[advice]({ ...context, name: context.host.replace(/:\d+$/, '') })
    return code === undefined ? words : `${words} (${code})`
  }
}

/** Nodemailer’s generic codes. They are not shown, because they say less than the advice. */
const MAIL_CLIENT_CODES = new Set(['ESOCKET', 'ECONNECTION', 'EDNS'])
