import { sql } from 'kysely'
import { mailTemplates } from '#server/app.ts'
import type { Deps } from '#server/deps.ts'
import { isUnavailable } from '#server/platform/database/database.ts'
import { mailboxTransport } from '#server/domain/mail/transport.ts'
import { schedule } from '#server/schedule.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { offlineSources } from '#server/testing/builders/evidence.ts'
import { assertInvariants } from './invariants.ts'
import { runRandomOperation } from './operations.ts'
import { pick, type World } from './world.ts'

const CONCURRENCY = 12
const OPERATIONS_PER_NEWCOMER = 8
const OPERATIONS_PER_ADDED_SLOT = 30

/** The number of occurrences by operation and outcome. */
export type Outcomes = Map<string, number>

export function addOutcomes(all: Outcomes, round: Outcomes): void {
  for (const [outcome, times] of round) all.set(outcome, (all.get(outcome) ?? 0) + times)
}

/** One line per outcome, sorted by name. */
export function describeOutcomes(outcomes: Outcomes): string[] {
  const sorted = [...outcomes].toSorted(([a], [b]) => a.localeCompare(b))
  return sorted.map(([outcome, times]) => `${String(times).padStart(6)}  ${outcome}`)
}

export type Round = {
  operations: number
  /** Adds slots as an operator would, so that there is always something to claim. */
  addSlots(count: number): Promise<void>
  /** Injects a fault while the operations run. */
  injectFault?: (() => Promise<void>) | undefined
}

/**
 * Plays one round: newcomers join, slots are added, and reservations expire; operations run concurrently on
 * all nodes while `injectFault` injects a fault; then all due work is run and every invariant is asserted.
 */
export async function runRound(
  world: World,
  deps: Deps,
  { operations, addSlots, injectFault }: Round,
): Promise<Outcomes> {
  const outcomes: Outcomes = new Map()
  await addNewcomers(world, deps, Math.ceil(operations / OPERATIONS_PER_NEWCOMER))
  await addSlots(Math.ceil(operations / OPERATIONS_PER_ADDED_SLOT))
  await expireReservations(world)
  let left = operations
  const player = async () => {
    while (left-- > 0) {
      const outcome = await runRandomOperation(world)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  await Promise.all([
    ...Array.from({ length: CONCURRENCY }, player),
    runDueWork(deps).catch(ignoreLostConnection),
    injectFault?.(),
  ])
  // This run discovers connections that were cut while idle.
  await runDueWork(deps).catch(ignoreLostConnection)
  await runDueWork(deps)
  await assertInvariants(world, deps.campaign)
  return outcomes
}

/** Work interrupted by a lost connection is retried by the next run, as recurring work is. */
function ignoreLostConnection(error: unknown): void {
  if (!isUnavailable(error)) throw error
}

/** In most rounds an existing participant has invited the newcomers. */
async function addNewcomers(world: World, { db, campaign }: Deps, count: number): Promise<void> {
  const host = pick(world, world.people)
  const invited = host && world.random() < 0.7 ? { referredBy: host.id } : {}
  world.people.push(...(await createUsers(db, campaign.id, count, invited)))
}

/** Moves some of the reservations of slots past their end. */
async function expireReservations({ db, random }: World): Promise<void> {
  await sql`
    update slots set until = until - interval '25 hours'
    where until is not null and mod(number + ${Math.floor(random() * 3)}, 3) = 0`.execute(db)
}

/** Runs all recurring work of a node once; emails are discarded. */
async function runDueWork(deps: Deps): Promise<void> {
  const post = {
    db: deps.db,
    log: deps.log,
    transport: mailboxTransport,
    templates: mailTemplates,
    context: { campaign: deps.campaign, publicUrl: 'http://localhost:3000', keys: deps.keys },
    from: 'no-reply@localhost',
    security: deps.security,
  }
  const never = new AbortController().signal
  for (const { run } of schedule(deps, post, () => offlineSources(deps.campaign))) await run(never)
}
