import { sql } from 'kysely'
import { announceClaim } from '../events/announce.ts'
import type { Tx } from '../platform/database.ts'

/** Sets the risk of a claim, the sum of the weights of its signals, by which reviewers filter and sort. */
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
