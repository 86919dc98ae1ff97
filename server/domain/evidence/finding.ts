import { createHash } from 'node:crypto'
import type { EvidenceCheck, CheckOutcome } from '#contract/claims/evidence.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { type MessageIn, type Texts, textsIn } from '#server/messages/catalogue.ts'
import type { Reply } from '#server/platform/outbound/http-client.ts'
import type { ProofColumns } from '../claims/claim.ts'

/** The fields of a claim that checks read. */
export type ClaimToCheck = ProofColumns & {
  id: string
  submitted_at: Date
  /** Id and public name of the connected Telegram account. */
  telegram_id: number | null
  telegram_name: string | null
  /** The participant's proven wallet, and whether it is an `account` or a `contract`. */
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
  /** The reply that the outcome rests on. */
  copy?: Copy | undefined
  /** Set if a retry may help. `afterSeconds` is the delay for which the service asks. */
  retry?: { afterSeconds?: number | undefined }
}

type Words = Texts['FINDINGS']

/**
 * What a check found, as the code of a sentence with the sentence's values. Values that come from a service
 * have matched a pattern or been cut to a length.
 */
export type Found = MessageIn<Words>

/** The stored copy of a reply. */
export type Copy = { status: number | null; text: string; hash: string }

/** A service and the checks that one run of it answers. `run` may throw. */
export type Source = {
  name: string
  checks: readonly EvidenceCheck[]
  run: (claim: ClaimToCheck) => Promise<CheckResult>
}

/** `postText` is the text of the participant's post, if the source returned it. */
export type CheckResult = { findings: Finding[]; postText?: string }

const MAX_COPY_LENGTH = 4_000

/** The beginning of a reply, without what PostgreSQL cannot store, and the hash of the whole reply. */
export function copyOf(text: string, status: number | null): Copy {
  const hash = createHash('sha256').update(text).digest('hex')
  return { status, hash, text: text.replaceAll('\0', '\uFFFD').slice(0, MAX_COPY_LENGTH).toWellFormed() }
}

export function copyOfReply(reply: Reply | undefined): Copy | undefined {
  return reply?.text === undefined ? undefined : copyOf(reply.text, reply.status)
}

/** Says why a service gave no usable answer. @param reply what it sent instead, if anything. */
export function foundWithoutAnswer(reply: Reply | undefined): Found {
  if (!reply) return { code: 'unreachable' }
  const { status } = reply
  return status >= 200 && status < 300 ? { code: 'unknown_format' } : { code: 'answered_status', status }
}

/** An inconclusive finding for every check of a source. */
export function couldNotTell(
  { name, checks }: Pick<Source, 'name' | 'checks'>,
  found: Found,
  details: Pick<Finding, 'copy' | 'retry'> = {},
): Finding[] {
  return checks.map((check) => ({ check, outcome: 'could_not_tell', found, source: name, ...details }))
}

/** The sentence that tells the reviewer what was found; undefined for a code unknown to this version. */
export function sentenceOf({ code, ...values }: Found, locale: Locale = DEFAULT_LOCALE): string | undefined {
  const { FINDINGS } = textsIn(locale)
  if (!Object.hasOwn(FINDINGS, code)) return undefined
  const words: string | ((values: never) => string) = FINDINGS[code]
  return typeof words === 'string' ? words : words(values as never)
}

/** Translates the name of a source. A service keeps its name, and a chain the id that is in `source`. */
export function sourceNameIn(check: string, source: string, locale: Locale): string {
  const { EVIDENCE_SOURCES } = textsIn(locale)
  if (!Object.hasOwn(EVIDENCE_SOURCES, check)) return source
  const words = EVIDENCE_SOURCES[check as keyof typeof EVIDENCE_SOURCES]
  return typeof words === 'string' ? words : words({ id: /\d+/.exec(source)?.[0] ?? '' })
}

export const isSameHandle = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
