import type { Tx } from '#server/platform/database/database.ts'

/** Serializes everything that assigns or frees a campaign's slots, until the transaction ends. */
export async function lockSlots(tx: Tx, campaignId: string): Promise<void> {
  await tx
    .selectFrom('campaigns')
    .select('id')
    .where('id', '=', campaignId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}
