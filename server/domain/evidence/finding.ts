import { createHash } from 'node:crypto'
import type { EvidenceCheck, CheckOutcome } from '#contract/claims/evidence.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { type MessageIn, type Texts, textsIn } from '#server/messages/catalogue.ts'
import type { Reply } from '#server/platform/outbound/http-client.ts'
import type { ProofColumns } from '../claims/claim.ts'

export type ClaimToCheck = ProofColumns & {
  id: string
  submitted_at: Date
  /** The id and public name of the connected Telegram account. */
  telegram_id: number | null
  telegram_name: string | null
  /** The participant's proven wallet. Its kind is `account` or `contract`. */
  proven_wallet: string | null
  proven_kind: string | null
  /** Another participant has proven the claim's wallet. */
  is_proven_by_other: boolean
}

export type Finding = {
  check: EvidenceCheck
  outcome: CheckOutcome
  found: Found
  source: string
  /** The reply from which the outcome was determined. */
  copy?: Copy | undefined
  /** Set if a retry may help. `afterSeconds` is the delay that the service asks for. */
  retry?: { afterSeconds?: number | undefined }
}

type Words = Texts['FINDINGS']

/** A message's code and values. Values from a service match a pattern or have been cut to a length. */
export type Found = MessageIn<Words>

export type Copy = { status: number | null; text: string; hash: string }

/** A service, and the checks that one run answers. `run` may throw. */
export type Source = {
  name: string
  checks: readonly EvidenceCheck[]
  run: (claim: ClaimToCheck) => Promise<CheckResult>
}

/** `postText` is the text of the participant's post if the source returns it. */
export type CheckResult = { findings: Finding[]; postText?: string }

const MAX_COPY_LENGTH = 4_000

/** `text` is only the beginning, without what PostgreSQL cannot store. `hash` is of the whole reply. */
export function copyOf(text: string, status: number | null): Copy {
  const hash = createHash('sha256').update(text).digest('hex')
  return { status, hash, text: text.replaceAll('\0', '\uFFFD').slice(0, MAX_COPY_LENGTH).toWellFormed() }
}

export function copyOfReply(reply: Reply | undefined): Copy | undefined {
  return reply?.text === undefined ? undefined : copyOf(reply.text, reply.status)
}

/** Why a service gave no usable answer. @param reply undefined if it did not reply at all. */
export function foundWithoutAnswer(reply: Reply | undefined): Found {
  if (!reply) return { code: 'unreachable' }
  const { status } = reply
  return status >= 200 && status < 300 ? { code: 'unknown_format' } : { code: 'answered_status', status }
}

export function couldNotTell(
  { name, checks }: Pick<Source, 'name' | 'checks'>,
  found: Found,
  details: Pick<Finding, 'copy' | 'retry'> = {},
): Finding[] {
  return checks.map((check) => ({ check, outcome: 'could_not_tell', found, source: name, ...details }))
}

/** The sentence for the reviewer, or undefined if this version does not know the code. */
export function sentenceOf({ code, ...values }: Found, locale: Locale = DEFAULT_LOCALE): string | undefined {
  const { FINDINGS } = textsIn(locale)
  if (!Object.hasOwn(FINDINGS, code)) return undefined
  const words: string | ((values: never) => string) = FINDINGS[code]
  return typeof words === 'string' ? words : words(values as never)
}

/** Translates the name of a source, except the names of services. Keeps the id of a chain. */
export function sourceNameIn(check: string, source: string, locale: Locale): string {
  const { EVIDENCE_SOURCES } = textsIn(locale)
  if (!Object.hasOwn(EVIDENCE_SOURCES, check)) return source
  const words = EVIDENCE_SOURCES[check as keyof typeof EVIDENCE_SOURCES]
  return typeof words === 'string' ? words : words({ id: /\d+/.exec(source)?.[0] ?? '' })
}

export const isSameHandle = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
