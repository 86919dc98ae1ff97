import { sql } from 'kysely'
import { Refusal } from '#server/platform/refusal.ts'
import { submitProof } from '#server/domain/claims/submission/submit-proof.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testDeps } from '#server/testing/deps.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { campaignWith } from '#server/testing/database/races.ts'
import type { Options, Report, Row } from '../report.ts'
import { runAll } from '../stopwatch.ts'
import { withDatabase } from '../temporary-database.ts'

const SLOTS = 1_000
const PEOPLE_PER_SLOT = 3
const CONCURRENCY = 32

/** Measures claims, three for each slot, relative to updates of a single row. Takes 20 seconds. */
export function slots({ quick }: Options): Promise<Report> {
  const total = quick ? SLOTS / 10 : SLOTS
  const campaign = campaignWith({ slots: total })
  return withDatabase(async ({ db }) => {
    const deps = await testDeps(db, campaign)
    const people = await createUsers(db, campaign.id, PEOPLE_PER_SLOT * total)
    await db.insertInto('campaigns').values({ id: 'one-row', slots_total: total }).execute()
    const updateRow = () =>
      db
        .updateTable('campaigns')
        .set({ slots_taken: sql`slots_taken + 1` })
        .where('id', '=', 'one-row')
        .execute()
    const secondsOfUpdates = await runAll(Array<typeof updateRow>(total).fill(updateRow), CONCURRENCY)
    const updatesPerSecond = total / secondsOfUpdates
    const counts = { claimed: 0, refused: 0 }
    let secondsToLastSlot = 0
    const startedAt = performance.now()
    const claim = (userId: string) => async () => {
      try {
        await submitProof(deps, userId, freshProof())
        counts.claimed += 1
        secondsToLastSlot = (performance.now() - startedAt) / 1000
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'slots_gone') throw error
        counts.refused += 1
      }
    }
    const seconds = await runAll(
      people.map(({ id }) => claim(id)),
      CONCURRENCY,
    )
    const row = (what: string, done: number, perSecond: number): Row => ({
      what,
      done,
      'per second': perSecond,
      ratio: perSecond / updatesPerSecond,
    })
    return {
      title: `${people.length.toLocaleString('en')} participants compete for ${total.toLocaleString('en')} slots, ${CONCURRENCY} at a time`,
      rows: [
        row('updates of one row, each its own transaction', total, updatesPerSecond),
        row('claims while slots last', counts.claimed, counts.claimed / secondsToLastSlot),
        row('refusals afterwards', counts.refused, counts.refused / (seconds - secondsToLastSlot)),
      ],
      notes: [
        'A claim checks, takes the slot, records the claim, queues its job and notifies, all in one durable transaction.',
        `${counts.claimed.toLocaleString('en')} of ${total.toLocaleString('en')} slots were claimed.`,
      ],
    }
  })
}
