import { createHash } from 'node:crypto'
import type { EvidenceCheck, CheckOutcome } from '#contract/claims/evidence.ts'
import type { Reply } from '#server/platform/http-client.ts'
import type { ProofColumns } from '../claims/proof-columns.ts'
import type { Found } from './finding-texts.ts'

/** The fields of a claim that checks read. */
export type ClaimToCheck = ProofColumns & {
  id: string
  submitted_at: Date
  /** Id and public name of the connected Telegram account. */
  telegram_id: number | null
  telegram_name: string | null
  /** The participant's proven wallet. */
  proven_wallet: string | null
  proven_kind: string | null
  /** Another participant has proven the claim's wallet. */
  is_proven_by_other: boolean
}

/** The result of one check. */
export type Finding = {
  check: EvidenceCheck
  outcome: CheckOutcome
  found: Found
  source: string
  /** Of the reply that the outcome rests on. */
  copy?: Copy | undefined
  /** Set when a retry may help; `after` is the service's own delay in seconds. */
  retry?: { after?: number | undefined }
}

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

const COPY_LENGTH = 4_000

/** Makes any reply storable in PostgreSQL: capped, without NUL, well-formed. The hash covers all of it. */
export function copyOf(text: string, status: number | null): Copy {
  const hash = createHash('sha256').update(text).digest('hex')
  return { status, hash, text: text.replaceAll('\0', '\uFFFD').slice(0, COPY_LENGTH).toWellFormed() }
}

export function copyOfReply(reply: Reply | undefined): Copy | undefined {
  return reply?.text === undefined ? undefined : copyOf(reply.text, reply.status)
}

/** What is found where a service gave no answer that can be used. @param reply what it sent instead, if anything. */
export function withoutAnswer(reply: Reply | undefined): Found {
  if (!reply) return { code: 'unreachable' }
  const { status } = reply
  return status >= 200 && status < 300 ? { code: 'unknown_format' } : { code: 'answered_status', status }
}

/** An inconclusive finding for every check of a source. */
export function couldNotTell(
  { name, checks }: Pick<Source, 'name' | 'checks'>,
  found: Found,
  rest: Pick<Finding, 'copy' | 'retry'> = {},
): Finding[] {
  return checks.map((check) => ({ check, outcome: 'could_not_tell', found, source: name, ...rest }))
}
