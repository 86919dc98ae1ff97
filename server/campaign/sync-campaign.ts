import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { type Database, inTransaction } from '../platform/database.ts'
import { openBoard } from '../points/board.ts'

/**
 * Makes the database follow the campaign file at start: the number of slots, and the board of a campaign
 * that has just begun.
 * @returns a line for each wish of the file that could not be followed.
 */
export function syncCampaign(db: Database, { id, airdrop }: CampaignFile): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    const { slots_total, slots_taken } = await tx
      .insertInto('campaigns')
      .values({ id, slots_total: airdrop.slots })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ slots_total: sql`greatest(excluded.slots_total, campaigns.slots_taken)` }),
      )
      .returning(['slots_total', 'slots_taken'])
      .executeTakeFirstOrThrow()
    await openBoard(tx, id)
    if (slots_total === airdrop.slots) return []
    return [
      `The campaign file asks for ${airdrop.slots} slots, but ${slots_taken} are taken: ${slots_total} stay.`,
    ]
  })
}
