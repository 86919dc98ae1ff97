import type { Deps } from '../deps.ts'
import type { Database, Tx } from '../platform/database.ts'
import { refuse } from '../platform/refusal.ts'

/** @throws refusal `telegram_fixed` once a claim is approved: what it was approved with stays. */
export async function refuseIfClaimed(db: Database | Tx, { campaign }: Deps, userId: string): Promise<void> {
  const approved = await db
    .selectFrom('claims')
    .select('id')
    .where('campaign_id', '=', campaign.id)
    .where('user_id', '=', userId)
    .where('status', '=', 'approved')
    .executeTakeFirst()
  if (approved) throw refuse('telegram_fixed')
}
