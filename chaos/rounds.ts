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

/** How often each outcome occurred, by names such as `approve: done`. */
export type Outcomes = Map<string, number>

/** One line per outcome, sorted by name. */
export function describeOutcomes(outcomes: Outcomes): string[] {
  const sorted = [...outcomes].toSorted(([a], [b]) => a.localeCompare(b))
  return sorted.map(([outcome, times]) => `${String(times).padStart(6)}  ${outcome}`)
}

export type Round = {
  operationCount: number
  /** Adds slots, so that there is always something to claim. */
  addSlots(count: number): Promise<void>
  injectFault?: (() => Promise<void>) | undefined
}

/**
 * Runs a round and counts its outcomes in `outcomes`. First, newcomers join, slots are added, and
 * reservations become due. Then operations run concurrently on all nodes while `injectFault` injects a fault.
 * At the end, all due work runs and every invariant is asserted.
 */
export async function runRound(
  world: World,
  deps: Deps,
  { operationCount, addSlots, injectFault }: Round,
  outcomes: Outcomes,
): Promise<void> {
  await addNewcomers(world, deps, Math.ceil(operationCount / OPERATIONS_PER_NEWCOMER))
  await addSlots(Math.ceil(operationCount / OPERATIONS_PER_ADDED_SLOT))
  await makeReservationsDue(world)
  let remaining = operationCount
  const runOperations = async () => {
    while (remaining > 0) {
      remaining -= 1
      const outcome = await runRandomOperation(world)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  await Promise.all([
    ...Array.from({ length: CONCURRENCY }, runOperations),
    runDueWork(deps).catch(ignoreLostConnection),
    injectFault?.(),
  ])
  // This run may meet idle connections that the fault has cut. The next one must not.
  await runDueWork(deps).catch(ignoreLostConnection)
  await runDueWork(deps)
  await assertInvariants(world, deps.campaign)
}

/** In most rounds, an existing participant has invited the newcomers. */
async function addNewcomers(world: World, { db, campaign }: Deps, count: number): Promise<void> {
  const referrer = pick(world, world.people)
  const options = referrer && world.random() < 0.7 ? { referredBy: referrer.id } : {}
  world.people.push(...(await createUsers(db, campaign.id, count, options)))
}

/** Ends the reservations, which last 24 hours, of a random third of the slots. */
async function makeReservationsDue({ db, random }: World): Promise<void> {
  await sql`
    update slots set until = until - interval '25 hours'
    where until is not null and mod(number + ${Math.floor(random() * 3)}, 3) = 0`.execute(db)
}

/** Runs each recurring job of a node once. Emails are discarded. */
async function runDueWork(deps: Deps): Promise<void> {
  const delivery = {
    db: deps.db,
    log: deps.log,
    transport: mailboxTransport,
    templates: mailTemplates,
    context: { campaign: deps.campaign, publicUrl: 'http://localhost:3000', keys: deps.keys },
    from: 'no-reply@localhost',
    security: deps.security,
  }
  const neverAborted = new AbortController().signal
  for (const { run } of schedule(deps, delivery, () => offlineSources(deps.campaign))) await run(neverAborted)
}

/** As on a node, a lost connection only ends a run of a job. The next one continues its work. */
function ignoreLostConnection(error: unknown): void {
  if (!isUnavailable(error)) throw error
}
