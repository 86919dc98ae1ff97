import { sql } from 'kysely'
import type { Endpoint, Limit } from '#contract/protocol/endpoint.ts'
import {
  CHALLENGE_SECONDS,
  newChallenge,
  readSolution,
  type Scope,
  spendSolution,
} from '../limits/challenge.ts'
import type { Database } from '../database/database.ts'
import { type CountedLimit, consume, consumeInOrder } from '../limits/rate-limiter.ts'
import { refuse } from '../refusal.ts'
import type { Keys } from '../secrets.ts'
import type { CallEvents } from '../log/security-events.ts'
import { limitsPerNetwork } from '../limits/network.ts'

type Context = { db: Database; keys: Keys }
type Caller = {
  network: string
  account: string | undefined
  /** The X-Challenge header as sent. */
  solution: string | string[] | undefined
  events: Pick<CallEvents, 'record'>
}

/**
 * Consumes one call from each rate limit of the endpoint. One solved challenge covers all exceeded limits.
 * Why not a library: docs/decisions/024.
 * @throws refusal `rate_limited` or, for an invalid solution, `challenge_refused`; with a new challenge if
 * proof of work would admit the call.
 */
export async function enforceRateLimits(endpoint: Endpoint, context: Context, caller: Caller): Promise<void> {
  const exceeded: ExceededLimit[] = []
  let remaining = endpoint.limits ?? []
  while (remaining.length > 0) {
    // A call that needs proof of work anyway consumes no `global` limit: a call without proof is refused, and
    // must not use up what all callers share.
    const skippedIndex = exceeded.length > 0 ? remaining.findIndex(({ per }) => per === 'global') : -1
    const untilSkipped = skippedIndex < 0 ? remaining : remaining.slice(0, skippedIndex)
    const firstExceeded = await consumeTogether(endpoint, untilSkipped, context, caller)
    const index = firstExceeded?.index ?? skippedIndex
    const limit = remaining[index]
    if (!limit) break // No limit was exceeded or skipped.
    const waitSeconds = firstExceeded?.waitSeconds ?? Infinity
    // No proof of work buys calls at this limit.
    if (limit.per === 'account' || limit.forWork === undefined)
      throw refuse('rate_limited', { retryAfter: waitSeconds })
    const name = nameOf(endpoint, limit)
    exceeded.push({ waitSeconds, ...allowanceOf(limit, limit.forWork, name, caller) })
    remaining = remaining.slice(index + 1)
  }
  if (exceeded.length > 0) await requireWork(endpoint, context, caller, exceeded)
}

/** Consumes a call from each limit until one is exceeded, with one commit. @returns the exceeded one. */
async function consumeTogether(
  endpoint: Endpoint,
  limits: readonly Limit[],
  { db }: Context,
  caller: Caller,
): Promise<{ index: number; waitSeconds: number } | undefined> {
  const counters = limits.flatMap((limit, index) =>
    countersOf(limit, nameOf(endpoint, limit), caller).map((counter) => ({ index, ...counter })),
  )
  const first = await consumeInOrder(db, counters)
  return first && { index: counters[first.index]?.index ?? 0, waitSeconds: first.waitSeconds }
}

const nameOf = (endpoint: Endpoint, limit: Limit) =>
  'of' in limit ? limit.of : `${endpoint.path} ${limit.per} ${limit.seconds}`

/** One counter, or several for an IPv6 caller: the networks around it are limited, too. */
function countersOf(limit: Limit, name: string, { account, network }: Caller): CountedLimit[] {
  if (limit.per === 'network') return limitsPerNetwork(network, name, limit)
  return [{ key: limit.per === 'account' ? `${name} ${account}` : name, limit }]
}

/** Fits into PostgreSQL's integer. */
const UNLIMITED = 2_000_000_000

function allowanceOf(limit: Limit, moreCalls: number, name: string, { network }: Caller) {
  const { seconds } = limit
  const isBounded = limit.per === 'network'
  const allowance = isBounded
    ? limitsPerNetwork(network, `${name} bought`, { take: moreCalls, seconds })
    : [{ key: `${name} bought`, limit: { take: UNLIMITED, seconds } }]
  return { allowance, callsAtFullLoad: isBounded ? undefined : moreCalls }
}

type ExceededLimit = {
  /** Until the limit allows a call without proof of work; Infinity for a shared limit that was skipped. */
  waitSeconds: number
  /** Limits on the calls that proof of work buys. */
  allowance: CountedLimit[]
  /** For a shared limit, which allows any number of bought calls: how many of them are a load of 1. */
  callsAtFullLoad: number | undefined
}

async function requireWork(
  endpoint: Endpoint,
  context: Context,
  { network, solution, events }: Caller,
  exceeded: readonly ExceededLimit[],
): Promise<void> {
  const scope = { call: `${endpoint.method} ${endpoint.path}`, network }
  if (solution === undefined) throw await refusalWithChallenge(context, scope, exceeded, 'rate_limited')
  const solved = readSolution(context.keys, scope, String(solution))
  const passes =
    solved !== undefined &&
    (await context.db.transaction().execute(async (tx) => {
      if (!(await spendSolution(tx, solved))) return false
      const waitSeconds = await consume(tx, ...exceeded.flatMap(({ allowance }) => allowance))
      // Thrown inside the transaction, so that the solution is not spent.
      if (waitSeconds > 0)
        throw refuse('rate_limited', { retryAfter: Math.min(waitSeconds, shortestWait(exceeded)) })
      return true
    }))
  if (!passes) throw await refusalWithChallenge(context, scope, exceeded, 'challenge_refused')
  events.record({ event: 'challenge', outcome: 'passed' })
}

const shortestWait = (exceeded: readonly ExceededLimit[]) =>
  Math.min(...exceeded.map(({ waitSeconds }) => waitSeconds))

async function refusalWithChallenge(
  { db, keys }: Context,
  scope: Scope,
  exceeded: readonly ExceededLimit[],
  code: 'rate_limited' | 'challenge_refused',
) {
  const { load, secondsLeft, nowSeconds } = await readUsage(db, exceeded)
  if (secondsLeft > 0)
    // Nothing can be bought now, so there is no challenge.
    return refuse('rate_limited', { retryAfter: Math.min(shortestWait(exceeded), secondsLeft) })
  const challenge = await newChallenge(keys, scope, { load, expiresAt: nowSeconds + CHALLENGE_SECONDS })
  return refuse(code, { retryAfter: shortestWait(exceeded), challenge })
}

type Usage = { load: number; secondsLeft: number; nowSeconds: number }

/**
 * `load` is the largest share of an allowance that has been bought; 1 is all that a network may buy, or
 * `callsAtFullLoad`. `secondsLeft` is the time until all allowances admit a call. `nowSeconds` is the
 * database's time since 1970. Uses the primary key of `rate_limits`.
 */
async function readUsage(db: Database, exceeded: readonly ExceededLimit[]): Promise<Usage> {
  const limits = exceeded.flatMap(({ allowance, callsAtFullLoad: most }) =>
    allowance.map(({ key, limit }) => sql`(${key}, ${most ?? limit.take}::int, ${most === undefined})`),
  )
  const { rows } = await sql<Usage>`
    with used as (
      select coalesce(r.count::float8 / b.most, 0) as load, r.resets_at, b.is_bounded::boolean as is_bounded
      from (values ${sql.join(limits)}) as b (key, most, is_bounded)
      left join rate_limits as r on r.key = b.key and r.resets_at > now()
    )
    select max(load) as load,
      coalesce(extract(epoch from max(resets_at) filter (where is_bounded and load >= 1) - now()), 0)::float8
        as "secondsLeft",
      extract(epoch from now())::int as "nowSeconds"
    from used`.execute(db)
  return rows[0] ?? { load: 0, secondsLeft: 0, nowSeconds: 0 }
}
