import { createHash } from 'node:crypto'
import type { Check, CheckOutcome } from '#contract/evidence.ts'
import type { Reply } from '../platform/http-client.ts'

/** What a claim says that can be looked at. */
export type Subject = {
  id: string
  wallet: string
  telegram: string
  twitter: string
  post_id: string
  retweet_link: string
  submitted_at: Date
  /** Of the account that the participant connected: Telegram's number for it, and its public name. */
  telegram_id: number | null
  telegram_name: string | null
}

/** What one look told of one check. */
export type Finding = {
  check: Check
  outcome: CheckOutcome
  /** A sentence for the reviewer, from words.ts. */
  detail: string
  source: string
  seen?: Copy | undefined
  /** Where another look may tell more; `after` in seconds, where the service said so. */
  again?: { after?: number | undefined }
}

/** What is kept of a reply. */
export type Copy = { status: number | null; text: string; hash: string }

/** One place to look, and the checks that it answers together. It may throw; nothing else hangs on it. */
export type Source = {
  name: string
  checks: readonly Check[]
  look: (claim: Subject) => Promise<RunCheck>
}

/** `postText` is the participant's own comment, where the look showed it. */
export type RunCheck = { findings: Finding[]; postText?: string }

const COPY_LENGTH = 4_000

/** A copy of a reply that PostgreSQL takes whatever came: capped, without NUL, well-formed. */
export function copyOf(text: string, status: number | null): Copy {
  const hash = createHash('sha256').update(text).digest('hex')
  return { status, hash, text: text.replaceAll('\0', '\uFFFD').slice(0, COPY_LENGTH).toWellFormed() }
}

export function copyOfReply(reply: Reply | undefined): Copy | undefined {
  return reply?.text === undefined ? undefined : copyOf(reply.text, reply.status)
}

/** The same outcome for every check of a source that could not tell. */
export function couldNotTell(
  { name, checks }: Pick<Source, 'name' | 'checks'>,
  detail: string,
  rest: Pick<Finding, 'seen' | 'again'> = {},
): Finding[] {
  return checks.map((check) => ({ check, outcome: 'could_not_tell', detail, source: name, ...rest }))
}
