import { sql } from 'kysely'
import type { Endpoint, Limit } from '#contract/endpoint.ts'
import { CHALLENGE_SECONDS, newChallenge, readSolution, type Scope, spend } from '../challenge.ts'
import type { Database } from '../database.ts'
import { take } from '../limiter.ts'
import { refuse } from '../refusal.ts'
import type { Keys } from '../secrets.ts'

type Gate = { db: Database; keys: Keys }
type Counted = {
  network: string
  account: string | undefined
  /** The header X-Challenge as it came. */
  solution: string | string[] | undefined
}

/**
 * Takes one from each budget of the endpoint, or lets the call pass for a solved challenge.
 * @throws refusal `rate_limited` or, for a solution that does not count, `challenge_refused`; with a new
 * challenge where one may be bought.
 */
export async function withinLimits(endpoint: Endpoint, gate: Gate, counted: Counted): Promise<void> {
  for (const limit of endpoint.limits ?? []) {
    const who = limit.per === 'account' ? counted.account : counted.network
    const key = `${endpoint.path} ${limit.per} ${limit.seconds} ${who}`
    const wait = await take(gate.db, key, limit)
    if (wait === 0) continue
    if (limit.per === 'account' || limit.forWork === undefined)
      throw refuse('rate_limited', { retryAfter: wait })
    const bought = { key: `${key} bought`, take: limit.forWork, seconds: limit.seconds }
    const scope = { call: `${endpoint.method} ${endpoint.path}`, network: counted.network }
    await passForWork(gate, scope, { wait, bought, solution: counted.solution })
  }
}

type OverBudget = {
  /** Seconds until the budget that costs nothing has room. */
  wait: number
  bought: { key: string } & Pick<Limit, 'take' | 'seconds'>
  solution: Counted['solution']
}

async function passForWork(gate: Gate, scope: Scope, over: OverBudget) {
  if (over.solution === undefined) throw await refusalWithChallenge(gate, scope, over, 'rate_limited')
  const solved = await readSolution(gate.keys, scope, String(over.solution))
  const passes =
    solved !== undefined &&
    (await gate.db.transaction().execute(async (tx) => {
      if (!(await spend(tx, solved))) return false
      const wait = await take(tx, over.bought.key, over.bought)
      // Thrown inside, so that the solution stays unspent.
      if (wait > 0) throw refuse('rate_limited', { retryAfter: Math.min(wait, over.wait) })
      return true
    }))
  if (!passes) throw await refusalWithChallenge(gate, scope, over, 'challenge_refused')
}

async function refusalWithChallenge(
  { db, keys }: Gate,
  scope: Scope,
  { wait, bought }: OverBudget,
  code: 'rate_limited' | 'challenge_refused',
) {
  const { count, left, now } = await boughtSoFar(db, bought.key)
  if (count >= bought.take) return refuse('rate_limited', { retryAfter: Math.min(wait, left) })
  const expiresAt = now + CHALLENGE_SECONDS
  const challenge = await newChallenge(keys, scope, { load: count / bought.take, expiresAt })
  return refuse(code, { retryAfter: wait, challenge })
}

/** How many calls were bought in this window, and the seconds left of it; `now` in seconds since 1970. */
async function boughtSoFar(db: Database, key: string) {
  const { rows } = await sql<{ count: number; left: number; now: number }>`
    select coalesce(max(count), 0)::int as count,
      coalesce(max(extract(epoch from resets_at - now())), 0)::float8 as left,
      extract(epoch from now())::int as now
    from rate_limits where key = ${key} and resets_at > now()`.execute(db)
  return rows[0] ?? { count: 0, left: 0, now: 0 }
}
