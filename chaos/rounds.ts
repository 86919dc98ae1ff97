import { sql } from 'kysely'
import { mailTemplates } from '#server/app.ts'
import type { Deps } from '#server/deps.ts'
import { isUnavailable } from '#server/platform/database.ts'
import { mailboxTransport } from '#server/mail/transport.ts'
import { schedule } from '#server/schedule.ts'
import { createUsers } from '#server/testing/create-users.ts'
import { offlineSources } from '#server/testing/evidence.ts'
import { assertInvariants } from './invariants.ts'
import { operate } from './operations.ts'
import { pick, type World } from './world.ts'

/** How many operations run at the same time. */
const AT_ONCE = 12
/** So many operations to one newcomer, and to one more slot. */
const PER_NEWCOMER = 8
const PER_SLOT = 30

/** How often each operation ended in which way. */
export type Outcomes = Map<string, number>

/** Adds the outcomes of a round to those of all. */
export function addOutcomes(all: Outcomes, round: Outcomes): void {
  for (const [outcome, times] of round) all.set(outcome, (all.get(outcome) ?? 0) + times)
}

/** A line each, by name. */
export function describeOutcomes(outcomes: Outcomes): string[] {
  const sorted = [...outcomes].toSorted(([a], [b]) => a.localeCompare(b))
  return sorted.map(([outcome, times]) => `${String(times).padStart(6)}  ${outcome}`)
}

export type Round = {
  operations: number
  /** As an operator does, so that there is always something to claim. */
  addSlots(count: number): Promise<void>
  /** What the nodes go through meanwhile. */
  disturb?: (() => Promise<void>) | undefined
}

/**
 * One round: newcomers join, slots are added and lapse, operations run at once on all nodes, `disturb` runs in the midst of them;
 * then everything that is due is done and every invariant holds.
 * @throws when one does not.
 */
export async function playRound(
  world: World,
  deps: Deps,
  { operations, addSlots, disturb }: Round,
): Promise<Outcomes> {
  const outcomes: Outcomes = new Map()
  await welcome(world, deps, Math.ceil(operations / PER_NEWCOMER))
  await addSlots(Math.ceil(operations / PER_SLOT))
  await lapseSlots(world)
  let left = operations
  const player = async () => {
    while (left-- > 0) {
      const outcome = await operate(world)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  await Promise.all([
    ...Array.from({ length: AT_ONCE }, player),
    doWhatIsDue(deps).catch(unlessCut),
    disturb?.(),
  ])
  // Connections that were cut while they lay idle are found out here.
  await doWhatIsDue(deps).catch(unlessCut)
  await doWhatIsDue(deps)
  await assertInvariants(world, deps.campaign)
  return outcomes
}

/** Work that a lost connection cut off is done by the next try, as recurring work is. */
function unlessCut(error: unknown): void {
  if (!isUnavailable(error)) throw error
}

/** Some newcomers were invited by one who is there already. */
async function welcome(world: World, { db, campaign }: Deps, count: number): Promise<void> {
  const host = pick(world, world.people)
  const invited = host && world.random() < 0.7 ? { referredBy: host.id } : {}
  world.people.push(...(await createUsers(db, campaign.id, count, invited)))
}

/** The day of some of the slots that are kept or reserved is over. */
async function lapseSlots({ db, random }: World): Promise<void> {
  await sql`
    update slots set until = until - interval '25 hours'
    where until is not null and mod(number + ${Math.floor(random() * 3)}, 3) = 0`.execute(db)
}

/** All recurring work of a node, once; its mails go nowhere. */
async function doWhatIsDue(deps: Deps): Promise<void> {
  const post = {
    transport: mailboxTransport,
    templates: mailTemplates,
    context: { campaign: deps.campaign, publicUrl: 'http://localhost:3000', keys: deps.keys },
    from: 'no-reply@localhost',
    security: deps.security,
  }
  const never = new AbortController().signal
  for (const { run } of schedule(deps, post, offlineSources(deps.campaign))) await run(never)
}
