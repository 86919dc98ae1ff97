import { sql } from 'kysely'
import { DIRECT, INVITATION } from '#contract/visits.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Person } from './seed-claims.ts'

/** Visits per made-up participant, in turn: most visitors do not register. */
const VISITS = [3, 9, 5, 14, 4, 7]
const VIEWS_PER_VISIT = 3

/** Counts the visits, registrations and finished tasks that the participants would have caused. */
export async function seedVisits(tx: Tx, people: readonly Person[]): Promise<void> {
  const counts = new Map<string, Count>()
  const add = (measure: string, at: Date, part: string, amount: number) => {
    const day = at.toISOString().slice(0, 10)
    const key = `${measure} ${day} ${part}`
    counts.set(key, { measure, day, part, amount: amount + (counts.get(key)?.amount ?? 0) })
  }
  for (const { number, joinedAt, claimedAt, inviter, arrivedFrom, claim } of people) {
    const arrival = inviter ? INVITATION : (arrivedFrom ?? DIRECT)
    const visits = VISITS[number % VISITS.length] ?? 0
    add('visits', joinedAt, arrival, visits)
    add('views', joinedAt, '/', visits * VIEWS_PER_VISIT)
    // For every fifth, one more registration, which was never verified.
    add('registered', joinedAt, arrival, number % 5 === 0 ? 2 : 1)
    // Every claimant finished the tasks, and so did a quarter of all others.
    if (claim || number % 4 === 0) add('tasks', claimedAt, '', 1)
  }
  // Visits belong to no campaign: campaign_id is empty.
  const rows = [...counts.values()].map(
    ({ measure, day, part, amount }) => sql`('', ${measure}, ${day}::date, ${part}, ${amount}::bigint)`,
  )
  await sql`insert into daily_counts values ${sql.join(rows)}`.execute(tx)
}

type Count = { measure: string; day: string; part: string; amount: number }
