import type { FastifyBaseLogger } from 'fastify'
import type { ErrorCode } from '#contract/errors.ts'
import { plainNames } from './http/access-record.ts'
import { maskEmail } from './mask-email.ts'
import { Refusal } from './refusal.ts'
import type { Keys } from './secrets.ts'

/** Every event with its outcomes, and how loud each is in the log. */
const EVENTS = {
  login: { ok: 'info', failed: 'warn', limited: 'warn', unverified: 'info', banned: 'warn' },
  code: { asked: 'info', accepted: 'info', failed: 'warn', exhausted: 'warn', limited: 'warn' },
  password: { changed: 'info', reset: 'info', failed: 'warn', limited: 'warn' },
  session: { ended: 'info' },
  role: { changed: 'warn' },
  challenge: { given: 'info', passed: 'info', failed: 'warn' },
  limit: { hit: 'warn' },
  access: { denied: 'warn' },
  input: { refused: 'info' },
  policy: { violated: 'warn' },
  mail: { sent: 'info', deferred: 'warn', refused: 'error' },
} as const satisfies Record<string, Record<string, 'info' | 'warn' | 'error'>>

type Events = typeof EVENTS
type EventName = keyof Events
type OutcomeOf<E extends EventName> = keyof Events[E] & string

type Details = {
  /** The id of the account that it is about. */
  account?: string | undefined
  /** As it was typed or stored; the log gets it masked. */
  email?: string | undefined
  /** What a code is for. */
  purpose?: string | undefined
  /** Of the content security policy. */
  directive?: string | undefined
  /** Which mail. */
  template?: string | undefined
  /** What the other side answered, without anything personal. */
  answer?: string | undefined
  job?: string | undefined
  /** Counted from 1. */
  attempt?: number | undefined
  /** Names of fields. */
  fields?: readonly string[] | undefined
  /** The id of the account that did it. */
  by?: string | null | undefined
  role?: string | undefined
}

type Noted = { [E in EventName]: { event: E; outcome: OutcomeOf<E> } & Details }[EventName]
type Watched = { [E in EventName]: { event: E; ok: OutcomeOf<E> } & Details }[EventName]

/** The outcome that a refusal stands for, where the event has it. */
const OUTCOME_OF: Partial<Record<ErrorCode, string>> = {
  credentials_invalid: 'failed',
  current_password_wrong: 'failed',
  code_invalid: 'failed',
  reset_token_invalid: 'failed',
  code_exhausted: 'exhausted',
  guesses_exhausted: 'exhausted',
  code_cooldown: 'limited',
  rate_limited: 'limited',
  email_unverified: 'unverified',
  account_banned: 'banned',
}

/** One line of the log for each outcome that matters to who guards the site, and a count of each. */
export type SecurityEvents = {
  /** Notes what happened outside of any call. */
  note(noted: Noted): void
  /** For the events of one call. */
  during(call: { log: FastifyBaseLogger; network: string; call: string }): CallEvents
  /** How often each happened on this node since it started, those that never did included. */
  counts(): { event: string; outcome: string; count: number }[]
}

/** The events of one call: each line carries the call, its request id, and who called from where. */
export type CallEvents = {
  /** Stands for the caller's network: the same for all calls from there, and nobody finds the address from it. */
  readonly network: string
  /** The account behind the call's bearer, once it is known. */
  account: string | undefined
  note(noted: Noted): void
  /**
   * Runs a verb and notes how it ended: `ok` when it returns, else what its refusal stands for. `found` tells
   * the account from what it returned.
   */
  watch<T>(watched: Watched, verb: () => Promise<T>, found?: (result: T) => string | undefined): Promise<T>
  /** Notes a refusal that ends a call, unless `watch` did. */
  noteRefusal(refusal: Refusal): void
}

export function createSecurityEvents({ log, keys }: { log: FastifyBaseLogger; keys: Keys }): SecurityEvents {
  const counts = new Map<string, { event: string; outcome: string; count: number }>()
  for (const [event, outcomes] of Object.entries(EVENTS))
    for (const outcome of Object.keys(outcomes))
      counts.set(`${event} ${outcome}`, { event, outcome, count: 0 })

  const write = (
    to: FastifyBaseLogger,
    { event, outcome, email, ...details }: Noted,
    origin: object = {},
  ) => {
    const counted = counts.get(`${event} ${outcome}`)
    if (counted) counted.count += 1
    const level = (EVENTS[event] as Record<string, 'info' | 'warn' | 'error'>)[outcome] ?? 'warn'
    const masked = email === undefined ? {} : { email: maskEmail(email) }
    to[level]({ event, outcome, ...origin, ...details, ...masked }, `${event} ${outcome}`)
  }
  return {
    note: (noted) => write(log, noted),
    during: ({ log: ownLog, network: address, call }) => {
      const network = keys.hmac('log', address).toString('hex', 0, 8)
      return callEvents(network, (noted, account) => write(ownLog, noted, { call, network, account }))
    },
    counts: () => [...counts.values()],
  }
}

function callEvents(network: string, write: (noted: Noted, account: string | undefined) => void): CallEvents {
  const noted = new WeakSet<Refusal>()
  const events: CallEvents = {
    network,
    account: undefined,
    note: (what) => write(what, events.account),
    async watch({ ok, ...watched }, verb, found) {
      const note = (outcome: string, account = watched.account ?? events.account) =>
        write({ ...watched, outcome, account } as Noted, account)
      try {
        const result = await verb()
        note(ok, found?.(result))
        return result
      } catch (error) {
        const outcome = error instanceof Refusal ? OUTCOME_OF[error.code] : undefined
        if (outcome !== undefined && outcome in EVENTS[watched.event]) {
          noted.add(error as Refusal)
          note(outcome)
        }
        throw error
      }
    },
    noteRefusal(refusal) {
      const what = noted.has(refusal) ? undefined : behind(refusal)
      if (what) write(what, events.account)
    },
  }
  return events
}

/** What a refusal means where nothing more is known of it. */
function behind({ code, challenge, fields }: Refusal): Noted | undefined {
  if (code === 'rate_limited')
    return challenge ? { event: 'challenge', outcome: 'given' } : { event: 'limit', outcome: 'hit' }
  if (code === 'challenge_refused') return { event: 'challenge', outcome: 'failed' }
  if (DENIALS.has(code)) return { event: 'access', outcome: 'denied' }
  if (REFUSED_INPUT.has(code))
    return { event: 'input', outcome: 'refused', fields: fields && plainNames(Object.keys(fields)) }
  return undefined
}

const DENIALS = new Set<ErrorCode>(['forbidden', 'own_claim', 'foreign_origin', 'unknown_host'])
const REFUSED_INPUT = new Set<ErrorCode>([
  'invalid_input',
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
])
