import type { FastifyBaseLogger } from 'fastify'
import type { ErrorCode } from '#contract/protocol/errors.ts'
import { plainNames } from '../http/access-record.ts'
import { maskEmail } from './mask-email.ts'
import { Refusal } from '../refusal.ts'
import type { Keys } from '../secrets.ts'

/** The outcomes that each event may have, with the level at which they are logged. */
const EVENTS = {
  login: { ok: 'info', failed: 'warn', limited: 'warn', unverified: 'info', banned: 'warn' },
  code: { asked: 'info', accepted: 'info', failed: 'warn', exhausted: 'warn', limited: 'warn' },
  password: { changed: 'info', reset: 'info', failed: 'warn', limited: 'warn' },
  session: { ended: 'info' },
  role: { changed: 'warn' },
  account: { banned: 'warn', unbanned: 'warn', exported: 'info', deleted: 'warn', failed: 'warn' },
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
  /** Id of the affected account. */
  account?: string | undefined
  /** Masked before it is logged. */
  email?: string | undefined
  purpose?: string | undefined
  /** The violated directive of the content security policy. */
  directive?: string | undefined
  template?: string | undefined
  /** Reply of the mail server, without personal data. */
  answer?: string | undefined
  job?: string | undefined
  /** Counted from 1. */
  attempt?: number | undefined
  /** Names of fields, never their values. */
  fields?: readonly string[] | undefined
  /** Id of the acting account. */
  by?: string | null | undefined
  role?: string | undefined
}

type SecurityEvent = { [E in EventName]: { event: E; outcome: OutcomeOf<E> } & Details }[EventName]
type WatchedEvent = { [E in EventName]: { event: E; ok: OutcomeOf<E> } & Details }[EventName]

/** The outcome that `watch` records for a refusal, provided that the event lists it in `EVENTS`. */
const OUTCOME_OF: Partial<Record<ErrorCode, string>> = {
  credentials_invalid: 'failed',
  current_password_wrong: 'failed',
  code_invalid: 'failed',
  reset_token_invalid: 'failed',
  setup_link_wrong: 'failed',
  setup_link_used: 'failed',
  setup_link_expired: 'failed',
  code_exhausted: 'exhausted',
  guesses_exhausted: 'exhausted',
  code_cooldown: 'limited',
  rate_limited: 'limited',
  email_unverified: 'unverified',
  account_banned: 'banned',
}

export type SecurityEvents = {
  /** Records an event outside of any call. */
  record(event: SecurityEvent): void
  forCall(call: { log: FastifyBaseLogger; network: string; call: string }): CallEvents
  /** Counts of this node since its start, including zeros. */
  counts(): { event: string; outcome: string; count: number }[]
}

/** Adds the call, its request id, the network and the account to each event. */
export type CallEvents = {
  /** Keyed hash of the caller's network: stable, but does not reveal the address. */
  readonly network: string
  /** The authenticated account, once known. */
  account: string | undefined
  record(event: SecurityEvent): void
  /** Runs an operation and records `event.ok` or its refusal. `idIn` finds the account in the result. */
  watch<T>(
    event: WatchedEvent,
    operation: () => Promise<T>,
    idIn?: (result: T) => string | undefined,
  ): Promise<T>
  /** Records a refusal that ends a call, unless `watch` already did. */
  recordRefusal(refusal: Refusal): void
}

export function createSecurityEvents({ log, keys }: { log: FastifyBaseLogger; keys: Keys }): SecurityEvents {
  const counts = new Map<string, { event: string; outcome: string; count: number }>()
  for (const [event, outcomes] of Object.entries(EVENTS))
    for (const outcome of Object.keys(outcomes))
      counts.set(`${event} ${outcome}`, { event, outcome, count: 0 })

  const write = (
    logger: FastifyBaseLogger,
    { event, outcome, email, ...details }: SecurityEvent,
    origin: object = {},
  ) => {
    const counted = counts.get(`${event} ${outcome}`)
    if (counted) counted.count += 1
    const level = (EVENTS[event] as Record<string, 'info' | 'warn' | 'error'>)[outcome] ?? 'warn'
    const masked = email === undefined ? {} : { email: maskEmail(email) }
    logger[level]({ event, outcome, ...origin, ...details, ...masked }, `${event} ${outcome}`)
  }
  return {
    record: (event) => write(log, event),
    forCall: ({ log: callLog, network, call }) => {
      const networkHash = keys.hmac('log', network).toString('hex', 0, 8)
      const origin = { call, network: networkHash }
      return callEvents(networkHash, (event, account) => write(callLog, event, { ...origin, account }))
    },
    counts: () => [...counts.values()],
  }
}

function callEvents(
  network: string,
  write: (event: SecurityEvent, account: string | undefined) => void,
): CallEvents {
  const recorded = new WeakSet<Refusal>()
  const events: CallEvents = {
    network,
    account: undefined,
    record: (event) => write(event, events.account),
    async watch({ ok, ...watched }, operation, idIn) {
      const recordOutcome = (outcome: string, account = watched.account ?? events.account) =>
        write({ ...watched, outcome, account } as SecurityEvent, account)
      try {
        const result = await operation()
        recordOutcome(ok, idIn?.(result))
        return result
      } catch (error) {
        const outcome = error instanceof Refusal ? OUTCOME_OF[error.code] : undefined
        if (outcome !== undefined && outcome in EVENTS[watched.event]) {
          recorded.add(error as Refusal)
          recordOutcome(outcome)
        }
        throw error
      }
    },
    recordRefusal(refusal) {
      const event = recorded.has(refusal) ? undefined : eventOf(refusal)
      if (event) write(event, events.account)
    },
  }
  return events
}

/** The event of a refusal that `watch` did not record; undefined if it is not relevant to security. */
function eventOf({ code, details: { challenge, fields } }: Refusal): SecurityEvent | undefined {
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
