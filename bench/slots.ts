import { sql } from 'kysely'
import defaults from '#campaign'
import { Refusal } from '#server/platform/refusal.ts'
import { submitProof } from '#server/claims/submit-proof.ts'
import { createUsers } from '#server/testing/create-users.ts'
import { testDeps } from '#server/testing/deps.ts'
import { freshProof } from '#server/testing/proof.ts'
import type { Report, Row } from './report.ts'
import { runAll } from './stopwatch.ts'
import { withDatabase } from './temporary-database.ts'

const SLOTS = 1_000
const PEOPLE = 3_000
const AT_ONCE = 32

const campaign = { ...defaults, airdrop: { ...defaults.airdrop, slots: SLOTS } }

/** How fast the last slots go when three people want each, beside what one row of this disk can take. */
export function slots(): Promise<Report> {
  return withDatabase(async ({ db }) => {
    const deps = await testDeps(db, campaign)
    const people = await createUsers(db, campaign.id, PEOPLE)
    await db.insertInto('campaigns').values({ id: 'one-row', slots_total: SLOTS }).execute()
    const oneRow = () =>
      db
        .updateTable('campaigns')
        .set({ slots_taken: sql`slots_taken + 1` })
        .where('id', '=', 'one-row')
        .execute()
    const ceiling =
      SLOTS /
      (await runAll(
        Array.from({ length: SLOTS }, () => oneRow),
        AT_ONCE,
      ))
    const answers = { claimed: 0, refused: 0 }
    let secondsOfSlots = 0
    const begin = performance.now()
    const claim = (userId: string) => async () => {
      try {
        await submitProof(deps, userId, freshProof())
        answers.claimed += 1
        secondsOfSlots = (performance.now() - begin) / 1000
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'slots_gone') throw error
        answers.refused += 1
      }
    }
    const seconds = await runAll(
      people.map(({ id }) => claim(id)),
      AT_ONCE,
    )
    const row = (what: string, done: number, perSecond: number): Row => ({
      what,
      done,
      'per second': perSecond,
      ratio: perSecond / ceiling,
    })
    return {
      title: `${PEOPLE.toLocaleString('en')} participants want ${SLOTS.toLocaleString('en')} slots, ${AT_ONCE} at once`,
      rows: [
        row('updates of one row, each its own transaction', SLOTS, ceiling),
        row('claims while there are slots', answers.claimed, answers.claimed / secondsOfSlots),
        row('refusals once they are gone', answers.refused, answers.refused / (seconds - secondsOfSlots)),
      ],
      notes: [
        'A claim looks, takes the slot, records the claim, queues its check and announces it; then it is on the disk.',
        `Exactly ${answers.claimed.toLocaleString('en')} of ${SLOTS.toLocaleString('en')} slots were given.`,
      ],
    }
  })
}
