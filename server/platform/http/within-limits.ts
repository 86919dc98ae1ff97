import { sql } from 'kysely'
import type { Endpoint, Limit } from '#contract/endpoint.ts'
import { CHALLENGE_SECONDS, newChallenge, readSolution, type Scope, spend } from '../challenge.ts'
import type { Database } from '../database.ts'
import { type Counted as Budgeted, take } from '../limiter.ts'
import { refuse } from '../refusal.ts'
import type { Keys } from '../secrets.ts'
import type { CallEvents } from '../security-events.ts'
import { perNetwork } from './network.ts'

type Gate = { db: Database; keys: Keys }
type Counted = {
  network: string
  account: string | undefined
  /** The header X-Challenge as it came. */
  solution: string | string[] | undefined
  events: Pick<CallEvents, 'note'>
}

/**
 * Takes one from each budget of the endpoint, or lets the call pass for a solved challenge.
 * @throws refusal `rate_limited` or, for a solution that does not count, `challenge_refused`; with a new
 * challenge where one may be bought.
 */
export async function withinLimits(endpoint: Endpoint, gate: Gate, counted: Counted): Promise<void> {
  for (const limit of endpoint.limits ?? []) {
    const name = `${endpoint.path} ${limit.per} ${limit.seconds}`
    const wait = await take(gate.db, ...budgetsOf(limit, name, counted))
    if (wait === 0) continue
    if (limit.per === 'account' || limit.forWork === undefined)
      throw refuse('rate_limited', { retryAfter: wait })
    const { seconds, forWork } = limit
    const bought = perNetwork(counted.network, `${name} bought`, { take: forWork, seconds })
    const scope = { call: `${endpoint.method} ${endpoint.path}`, network: counted.network }
    await passForWork(gate, scope, { wait, bought, solution: counted.solution })
    counted.events.note({ event: 'challenge', outcome: 'passed' })
  }
}

function budgetsOf(limit: Limit, name: string, { account, network }: Counted): Budgeted[] {
  if (limit.per === 'network') return perNetwork(network, name, limit)
  return [{ key: `${name} ${account}`, budget: limit }]
}

type OverBudget = {
  /** Seconds until the budget that costs nothing has room. */
  wait: number
  bought: Budgeted[]
  solution: Counted['solution']
}

async function passForWork(gate: Gate, scope: Scope, over: OverBudget) {
  if (over.solution === undefined) throw await refusalWithChallenge(gate, scope, over, 'rate_limited')
  const solved = readSolution(gate.keys, scope, String(over.solution))
  const passes =
    solved !== undefined &&
    (await gate.db.transaction().execute(async (tx) => {
      if (!(await spend(tx, solved))) return false
      const wait = await take(tx, ...over.bought)
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
  const { load, left, now } = await boughtSoFar(db, bought)
  if (load >= 1) return refuse('rate_limited', { retryAfter: Math.min(wait, left) })
  const challenge = await newChallenge(keys, scope, { load, expiresAt: now + CHALLENGE_SECONDS })
  return refuse(code, { retryAfter: wait, challenge })
}

/**
 * How much of the fullest of these budgets is used, from 0 to 1, and the seconds left of its window; `now` in
 * seconds since 1970.
 */
async function boughtSoFar(db: Database, bought: Budgeted[]) {
  const amounts = sql.join(bought.map(({ key, budget }) => sql`(${key}, ${budget.take}::int)`))
  const { rows } = await sql<{ load: number; left: number; now: number }>`
    select coalesce(r.count::float8 / b.most, 0) as load,
      coalesce(extract(epoch from r.resets_at - now()), 0)::float8 as left,
      extract(epoch from now())::int as now
    from (values ${amounts}) as b (key, most)
    left join rate_limits as r on r.key = b.key and r.resets_at > now()
    order by load desc, "left" desc limit 1`.execute(db)
  return rows[0] ?? { load: 0, left: 0, now: 0 }
}
