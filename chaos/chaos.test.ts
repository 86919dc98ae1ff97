import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testApi } from '#server/testing/api.ts'
import { assertSealed } from '#server/testing/journal.ts'
import { campaignWith } from '#server/testing/database/races.ts'
import { until } from '#server/testing/until.ts'
import { describeOutcomes, type Outcomes, runRound } from './rounds.ts'
import { createWorld, type World } from './world.ts'

const ROUNDS = 4
const OPERATIONS = 60
const SLOTS = 14

/** Without these outcomes, the rounds have not tested enough. */
const MUST_HAPPEN = [
  'submit: done',
  'submit: already_claimed',
  'edit: done',
  'appeal: done',
  'joinWaitingList: done',
  'approve: done',
  'approveEdited: after an edit, claim_changed',
  'reject: done',
  'decideSeveral: done',
  'undo: done',
  'deleteAccount: done',
  'freeze: done',
  'thaw: done',
]

test('every invariant holds after random operations on two nodes when their database connections are cut', async (t) => {
  const campaign = campaignWith({ slots: SLOTS, referralsPaid: 2 })
  const api = await testApi(t, { campaign })
  const other = await api.anotherNode()
  const world = await createWorld(api.deps, { nodes: [api.call, other.call], peopleCount: 8, seed: 369 })
  const outcomes: Outcomes = new Map()
  const missing = () => MUST_HAPPEN.filter((outcome) => !outcomes.has(outcome))
  // Runs more rounds if, by chance, an outcome has not occurred.
  for (let round = 1; round <= ROUNDS || (missing().length > 0 && round <= 4 * ROUNDS); round += 1) {
    const plan = {
      operationCount: OPERATIONS,
      addSlots: (count: number) => addSlots(world, campaign.id, count),
      injectFault: round % 2 === 0 ? () => cutConnections(world) : undefined,
    }
    await runRound(world, api.deps, plan, outcomes)
  }
  await assertSealed(api.db)
  for (const line of describeOutcomes(outcomes)) t.diagnostic(line)
  assert.deepEqual(missing(), [], 'outcomes that never occurred')
})

async function addSlots({ db }: World, campaignId: string, count: number): Promise<void> {
  await sql`update campaigns set slots_total = slots_total + ${count} where id = ${campaignId}`.execute(db)
}

/** Terminates all database connections of both nodes, even busy ones, and waits until they are gone. */
async function cutConnections({ db }: World): Promise<void> {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ pid: number }>`
      select pid, pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
      and pid <> pg_backend_pid()`.execute(connection)
    const remaining = sql`select from pg_stat_activity where pid = any (${rows.map(({ pid }) => pid)})`
    await until(
      'all connections are cut',
      async () => (await remaining.execute(connection)).rows.length === 0,
    )
  })
}
