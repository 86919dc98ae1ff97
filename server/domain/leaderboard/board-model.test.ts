import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { compactBoardCounts, setOnLeaderboard } from '../ledger/board.ts'
import { type Credit, credit, reverse } from '../ledger/credit.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { ownerPool, testDatabase } from '#server/testing/database/database.ts'
import { testDeps } from '#server/testing/deps.ts'
import { wholeBoard } from '#server/testing/checks/ledger-invariants.ts'
import { readRank } from './read-board.ts'

const PEOPLE = 8
// With few different totals, many participants have equal points.
const GRANT = 5
const REWARD = 10

type Person = TestUser & { claimId: string; points: number; isApproved: boolean }

/** `byReached` has the listed participants in the order in which they reached their points. */
type World = Deps & { people: Person[]; byReached: Person[] }

async function openWorld(t: TestContext): Promise<World> {
  const { db, ownerUrl } = await testDatabase(t, { max: 1 })
  await ownerPool(t, { ownerUrl }).query('grant update on sequence standings_reached to public') // for `skip`
  const deps = await testDeps(db)
  const people: Person[] = []
  for (const user of await createUsers(deps.db, deps.campaign.id, PEOPLE)) {
    const { _id: claimId } = await submitProof(deps, user.id, freshProof())
    people.push({ ...user, claimId, points: 0, isApproved: false })
  }
  return { ...deps, people, byReached: [...people] }
}

type Operation = (world: World, personIndex: number) => Promise<unknown>

/** Counterexamples shrink towards the first operation, the simplest. */
const OPERATIONS: Operation[] = [approve, undo, skip, compact, enter, unlist]

/** Credits a person's claim, and rewards the previous person, who invited them. */
async function approve(world: World, personIndex: number): Promise<void> {
  const [person, inviter] = [world.people[personIndex], world.people[personIndex - 1]]
  if (!person || person.isApproved) return
  const grant = { campaignId: world.campaign.id, claimId: person.claimId, userId: person.id, amount: GRANT }
  const credits: Credit[] = [
    { ...grant, kind: 'pf' },
    { ...grant, kind: 'pls' },
  ]
  if (inviter) credits.push({ ...grant, userId: inviter.id, kind: 'referral', amount: REWARD })
  await inTransaction(world.db, (tx) => credit(tx, credits, { actor: null }))
  person.isApproved = true
  addPoints(world, person, 2 * GRANT)
  if (inviter) addPoints(world, inviter, REWARD)
}

async function undo(world: World, personIndex: number): Promise<void> {
  const [person, inviter] = [world.people[personIndex], world.people[personIndex - 1]]
  if (!person?.isApproved) return
  await inTransaction(world.db, (tx) => reverse(tx, person.claimId, { actor: null }))
  person.isApproved = false
  addPoints(world, person, -2 * GRANT)
  if (inviter) addPoints(world, inviter, -REWARD)
}

function addPoints(world: World, person: Person, points: number): void {
  person.points += points
  if (!world.byReached.includes(person)) return
  world.byReached = [...world.byReached.filter((other) => other !== person), person]
}

/**
 * Moves the sequence to just before the last value of a range of 64, 64², 64³ or 64⁴ values, so that few
 * participants fill many buckets.
 */
function skip({ db }: World, number: number): Promise<unknown> {
  const bits = 6 * (1 + (number % 4))
  return sql`
    select setval('standings_reached',
      ((nextval('standings_reached') >> ${bits}::int) + 1 << ${bits}::int) - 2)`.execute(db)
}

function compact({ db }: World): Promise<void> {
  return compactBoardCounts(db)
}

async function enter(world: World): Promise<void> {
  for (const user of await createUsers(world.db, world.campaign.id, 1))
    world.byReached.push({ ...user, claimId: '', points: 0, isApproved: false })
}

async function unlist(world: World, personIndex: number): Promise<void> {
  const person = world.people[personIndex] ?? assert.fail()
  await inTransaction(world.db, (tx) => setOnLeaderboard(tx, person.id, false))
  world.byReached = world.byReached.filter((other) => other !== person)
}

/** Compares all pages, and the ranks of `people`, with the sorted list. */
async function assertFits({ db, campaign, people, byReached }: World, rowsOnPage: number): Promise<void> {
  const expected = byReached.toSorted((a, b) => b.points - a.points)
  const listed = await wholeBoard(db, campaign.id, rowsOnPage)
  const rows = listed.map(({ username, totalPoints: points }) => ({ username, points }))
  const expectedRows = expected.map(({ username, points }) => ({ username, points }))
  assert.deepEqual(rows, expectedRows)
  for (const person of people) {
    const place = expected.indexOf(person)
    assert.equal(await readRank(db, campaign.id, person.id), place < 0 ? null : place + 1)
  }
}

test('pages and ranks match a sorted list after any operations', async (t) => {
  const operations = fc.array(fc.tuple(fc.constantFrom(...OPERATIONS), fc.nat(PEOPLE - 1)), {
    minLength: 1,
    maxLength: 25,
    size: 'max',
  })
  const property = fc.asyncProperty(operations, fc.integer({ min: 1, max: 4 }), async (steps, rowsOnPage) => {
    const world = await openWorld(t)
    for (const [operation, personIndex] of steps) {
      await operation(world, personIndex)
      await assertFits(world, rowsOnPage)
    }
  })
  await fc.assert(property, { seed: 369, numRuns: 14 })
})
