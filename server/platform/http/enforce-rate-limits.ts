import { sql } from 'kysely'
import type { Endpoint, Limit } from '#contract/endpoint.ts'
import { CHALLENGE_SECONDS, newChallenge, readSolution, type Scope, spend } from '../challenge.ts'
import type { Database } from '../database.ts'
import { type Counted as Budgeted, consume } from '../rate-limiter.ts'
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
 * Takes one from each budget of the endpoint, or lets the call pass for a solved challenge: one pays for all.
 * @throws refusal `rate_limited` or, for a solution that does not count, `challenge_refused`; with a new
 * challenge where one may be bought.
 */
export async function enforceRateLimits(endpoint: Endpoint, gate: Gate, counted: Counted): Promise<void> {
  const over: OverBudget[] = []
  for (const limit of endpoint.limits ?? []) {
    const name = nameOf(endpoint, limit)
    // Who has to pay anyway takes nothing from what everybody has for nothing: else refused calls would use it up.
    const isPaid = limit.per === 'everybody' && over.length > 0
    const wait = isPaid ? Infinity : await consume(gate.db, ...budgetsOf(limit, name, counted))
    if (wait === 0) continue
    if (limit.per === 'account' || limit.forWork === undefined)
      throw refuse('rate_limited', { retryAfter: wait })
    over.push({ wait, ...boughtOf(limit, limit.forWork, name, counted) })
  }
  if (over.length === 0) return
  const scope = { call: `${endpoint.method} ${endpoint.path}`, network: counted.network }
  await passForWork(gate, scope, over, counted.solution)
  counted.events.note({ event: 'challenge', outcome: 'passed' })
}

const nameOf = (endpoint: Endpoint, limit: Limit) =>
  limit.per === 'everybody' ? limit.of : `${endpoint.path} ${limit.per} ${limit.seconds}`

function budgetsOf(limit: Limit, name: string, { account, network }: Counted): Budgeted[] {
  if (limit.per === 'network') return perNetwork(network, name, limit)
  return [{ key: limit.per === 'account' ? `${name} ${account}` : name, budget: limit }]
}

/** More than anybody can take. */
const UNBOUNDED = 2_000_000_000

function boughtOf(limit: Limit, forWork: number, name: string, { network }: Counted) {
  const { seconds } = limit
  const isBounded = limit.per === 'network'
  const bought = isBounded
    ? perNetwork(network, `${name} bought`, { take: forWork, seconds })
    : [{ key: `${name} bought`, budget: { take: UNBOUNDED, seconds } }]
  return { bought, forWork: isBounded ? undefined : forWork }
}

type OverBudget = {
  /** Seconds until the budget that costs nothing has room. */
  wait: number
  bought: Budgeted[]
  /** For a budget that refuses nobody: after so many the work is as much as a network's last. */
  forWork: number | undefined
}

async function passForWork(
  gate: Gate,
  scope: Scope,
  over: readonly OverBudget[],
  solution: Counted['solution'],
) {
  if (solution === undefined) throw await refusalWithChallenge(gate, scope, over, 'rate_limited')
  const solved = readSolution(gate.keys, scope, String(solution))
  const passes =
    solved !== undefined &&
    (await gate.db.transaction().execute(async (tx) => {
      if (!(await spend(tx, solved))) return false
      const wait = await consume(tx, ...over.flatMap(({ bought }) => bought))
      // Thrown inside, so that the solution stays unspent.
      if (wait > 0) throw refuse('rate_limited', { retryAfter: Math.min(wait, waitOf(over)) })
      return true
    }))
  if (!passes) throw await refusalWithChallenge(gate, scope, over, 'challenge_refused')
}

const waitOf = (over: readonly OverBudget[]) => Math.min(...over.map(({ wait }) => wait))

async function refusalWithChallenge(
  { db, keys }: Gate,
  scope: Scope,
  over: readonly OverBudget[],
  code: 'rate_limited' | 'challenge_refused',
) {
  const { load, left, now } = await boughtSoFar(db, over)
  if (left > 0) return refuse('rate_limited', { retryAfter: Math.min(waitOf(over), left) })
  const challenge = await newChallenge(keys, scope, { load, expiresAt: now + CHALLENGE_SECONDS })
  return refuse(code, { retryAfter: waitOf(over), challenge })
}

/**
 * How much of the fullest of these budgets is used: 1 is all that a network may buy. `left` are the seconds until
 * that one has room, 0 if it has; `now` in seconds since 1970.
 */
async function boughtSoFar(db: Database, over: readonly OverBudget[]) {
  const amounts = over.flatMap(({ bought, forWork }) =>
    bought.map(({ key, budget }) => sql`(${key}, ${forWork ?? budget.take}::int, ${forWork === undefined})`),
  )
  const { rows } = await sql<{ load: number; left: number; now: number }>`
    with used as (
      select coalesce(r.count::float8 / b.most, 0) as load, r.resets_at, b.is_bounded::boolean as is_bounded
      from (values ${sql.join(amounts)}) as b (key, most, is_bounded)
      left join rate_limits as r on r.key = b.key and r.resets_at > now()
    )
    select max(load) as load,
      coalesce(extract(epoch from max(resets_at) filter (where is_bounded and load >= 1) - now()), 0)::float8 as left,
      extract(epoch from now())::int as now
    from used`.execute(db)
  return rows[0] ?? { load: 0, left: 0, now: 0 }
}
