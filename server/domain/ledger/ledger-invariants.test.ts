import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createAdministrator } from '../accounts/create-administrator.ts'
import { compactClaimCounts } from '../claims/claim-counts.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { reallocateSlots } from '../slots/reallocate-slots.ts'
import { joinWaitingList } from '../slots/waiting-list.ts'
import { createUsers, NO_PASSWORD, type TestUser } from '#server/testing/builders/create-users.ts'
import { runClaimChecks } from '#server/testing/builders/evidence.ts'
import { assertLedgerJournaled } from '#server/testing/journal.ts'
import { assertClaimCountsFit, assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { testNode } from '#server/testing/deps.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { expireAll } from '#server/testing/builders/slots.ts'
import { campaignWith, inCampaign, twoNodes } from '#server/testing/database/races.ts'
import { assertSlotInvariants, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { compactBoardCounts, setOnLeaderboard } from './board.ts'

/** Scarce, so that short sequences reach the caps. */
const LIMITS = { slots: 6, referralsPaid: 1 }

type World = { nodes: readonly [Deps, Deps]; people: TestUser[]; admin: TestUser }

const INVITERS = 2
const INVITED_BY_EACH = 4
const PEOPLE = INVITERS * (1 + INVITED_BY_EACH)

/** A campaign for one run, with the inviters and those whom they invited. */
async function openWorld(shared: readonly [Deps, Deps], run: number): Promise<World> {
  const nodes = await inCampaign(shared, campaignWith(LIMITS, `run-${run}`))
  const { db, campaign } = nodes[0]
  const referrers = await createUsers(db, campaign.id, INVITERS)
  const invited = await Promise.all(
    referrers.map(({ id }) => createUsers(db, campaign.id, INVITED_BY_EACH, { referredBy: id })),
  )
  const [admin] = await createUsers(db, campaign.id, 1, { role: 'admin' })
  return { nodes, people: [...referrers, ...invited.flat()], admin }
}

type Target = { node: Deps; person: TestUser; reviewer: ReturnType<typeof reviewerOn>; claimId: string }

/** Counterexamples shrink towards the first operation, the simplest. */
const OPERATIONS: Record<string, [weight: number, run: (target: Target) => Promise<unknown>]> = {
  submit: [12, ({ node, person }) => submitProof(node, person.id, freshProof())],
  approve: [12, ({ reviewer, claimId }) => reviewer.approve(claimId)],
  reject: [6, ({ reviewer, claimId }) => reviewer.reject(claimId)],
  undo: [3, ({ reviewer, claimId }) => reviewer.undo(claimId)],
  'join waiting list': [2, ({ node, person }) => joinWaitingList(node, person.id)],
  expire: [1, ({ node }) => expireReservations(node)],
  check: [1, ({ node }) => runClaimChecks(node)],
  compact: [1, ({ node }) => compactBoardCounts(node.db)],
  'compact claims': [1, ({ node }) => compactClaimCounts(node.db)],
  ban: [1, ({ node, person }) => ban(node, person)],
  promote: [1, ({ node, person }) => promote(node, person)],
}

const weightedNames = Object.entries(OPERATIONS).map(([name, [weight]]) => ({
  weight,
  arbitrary: fc.constant(name),
}))

/** `node` and `pick` are indexes; `pick` selects the participant and the claim. */
type Operation = { name: string; node: number; pick: number }

const anyOperation: fc.Arbitrary<Operation> = fc.record(
  { name: fc.oneof({ withCrossShrink: true }, ...weightedNames), node: fc.nat(1), pick: fc.nat(PEOPLE - 1) },
  { noNullPrototype: true },
)

const listOf = <T>(item: fc.Arbitrary<T>, maxLength: number) =>
  fc.array(item, { minLength: 1, maxLength, size: 'max' })

/** The rounds run one after another, the operations of a round at the same time. */
const rounds = listOf(listOf(anyOperation, 10), 12)

async function perform({ nodes, people, admin }: World, operation: Operation): Promise<void> {
  const node = nodes[operation.node] ?? assert.fail()
  const person = people[operation.pick] ?? assert.fail()
  const { rows } = await sql<{ id: string }>`
    select id from claims where campaign_id = ${node.campaign.id} order by id`.execute(node.db)
  // Until there are claims, an id that no claim has.
  const claimId = rows[operation.pick % rows.length]?.id ?? person.id
  const [, run] = OPERATIONS[operation.name] ?? assert.fail()
  await run({ node, person, reviewer: reviewerOn(node, admin), claimId }).catch(rethrowUnlessRefused)
}

const rethrowUnlessRefused = (error: unknown): undefined => {
  if (!(error instanceof Refusal)) throw error
}

async function expireReservations(deps: Deps): Promise<void> {
  await expireAll(deps)
  await reallocateSlots(deps)
}

/** Fills the free slots with claims and rejects them, so that their slots are kept until they expire. */
async function claimAndReject(node: Deps, { people, admin }: World): Promise<void> {
  const reviewer = reviewerOn(node, admin)
  for (const { id } of people) {
    const claim = await submitProof(node, id, freshProof()).catch(rethrowUnlessRefused)
    if (claim) await reviewer.reject(claim._id).catch(rethrowUnlessRefused)
  }
}

function ban({ db }: Deps, { id }: TestUser): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx.updateTable('users').set({ banned_at: new Date() }).where('id', '=', id).execute()
    await setOnLeaderboard(tx, id, false)
  })
}

function promote({ db, campaign, hasher }: Deps, { email, username }: TestUser): Promise<unknown> {
  const quickHasher = { ...hasher, hash: async () => NO_PASSWORD }
  const account = { email, username, password: 'a long passphrase' }
  return createAdministrator({ db, campaign, hasher: quickHasher }, account)
}

/** Asserts that exactly the approved claims are credited, and that no referrer is rewarded beyond the cap. */
async function assertCreditsFit({ db, campaign }: Deps): Promise<void> {
  const { rows: wrong } = await sql`
    select c.id, c.status, l.pf, l.pls, decided.approved from claims c
    cross join lateral (
      select coalesce(sum(sign(amount)) filter (where kind = 'pf'), 0) as pf,
        coalesce(sum(sign(amount)) filter (where kind = 'pls'), 0) as pls
      from ledger where claim_id = c.id and user_id = c.user_id) l
    cross join lateral (
      select count(*) filter (where action = 'claim.approved')
        - count(*) filter (where action = 'claim.reopened' and before->>'status' = 'approved') as approved
      from journal where subject = c.id) decided
    cross join lateral (select (c.status = 'approved')::int as times) expected
    where c.campaign_id = ${campaign.id}
      and (l.pf, l.pls, decided.approved) <> (expected.times, expected.times, expected.times)`.execute(db)
  assert.deepEqual(wrong, [], 'credits and journal of each claim')
  const { rows: overpaid } = await sql`
    select user_id, sum(sign(amount)) as rewards from ledger
    where campaign_id = ${campaign.id} and kind = 'referral'
    group by user_id having sum(sign(amount)) not between 0 and ${LIMITS.referralsPaid}`.execute(db)
  assert.deepEqual(overpaid, [], 'rewards of each referrer')
}

/** Counts over all runs. */
async function countOutcomes({ db }: Deps) {
  const { rows } = await sql<{ approved: number; reversed: number; rewards: number; slots: number }>`
    select (select count(*) from claims where status = 'approved') as approved,
      (select count(*) from ledger where reverses is not null) as reversed,
      (select count(*) from ledger where kind = 'referral') as rewards,
      (select max(slots_taken) from campaigns) as slots`.execute(db)
  return rows[0] ?? assert.fail()
}

test('ledger, profiles, leaderboard, slots and journal agree after any operations on two nodes', async (t) => {
  const shared = await twoNodes(t)
  let runs = 0
  const property = fc.asyncProperty(rounds, async (generated) => {
    const world = await openWorld(shared, (runs += 1))
    const [here] = world.nodes
    for (const round of generated) {
      await Promise.all(round.map((step) => perform(world, step)))
      await assertLedgerInvariants(here)
      await assertCreditsFit(here)
      await assertClaimCountsFit(here.db)
    }
    await compactBoardCounts(here.db)
    await assertLedgerInvariants(here)
    await assertLedgerJournaled(here.db)
    await claimAndReject(here, world)
    await expireReservations(here)
    await assertSlotInvariants(here)
  })
  // Shrinking takes long if a race fails only sometimes. It has to end before the test's time limit.
  const plugins = [fc.interruptAfterTimeLimit(150_000, { failOnInterrupt: true })]
  await fc.assert(property, { seed: 369, numRuns: 12, plugins })
  const { approved, reversed, rewards, slots } = await countOutcomes(shared[0])
  assert.ok(approved > 10 && reversed > 10 && rewards > 10, JSON.stringify({ approved, reversed, rewards }))
  assert.equal(slots, LIMITS.slots, 'some run fills every slot')
})

test('the invariants detect points that are not in the ledger', async (t) => {
  const { deps } = await testNode(t)
  const [ann] = await createUsers(deps.db, deps.campaign.id, 2)
  await createUsers(deps.db, deps.campaign.id, 1, { role: 'admin' })
  await assertLedgerInvariants(deps)
  for (const kind of ['pf', 'pls', 'referral'] as const) {
    const setPoints = (points: number) =>
      sql`update standings set ${sql.ref(kind)} = ${points} where user_id = ${ann.id}`.execute(deps.db)
    await setPoints(1)
    await assert.rejects(assertLedgerInvariants(deps), new RegExp(`profile of ${ann.username}`), kind)
    await setPoints(0)
  }
  await assertLedgerInvariants(deps)
})
