import { sql } from 'kysely'
import { announceClaim } from '#server/domain/events/announce.ts'
import type { Tx } from '#server/platform/database/database.ts'

/** Sets a claim's risk; a held claim has at least 1, so that it counts as flagged. */
export async function setRiskScore(
  tx: Tx,
  { claimId, risk }: { claimId: string; risk: number },
): Promise<void> {
  const changed = await tx
    .updateTable('claims')
    .set({ risk: sql`greatest(${risk}::integer, (held_for is not null)::integer)` })
    .where('id', '=', claimId)
    .where('risk', '!=', risk)
    .returning('id')
    .executeTakeFirst()
  if (changed) await announceClaim(tx, claimId)
}
