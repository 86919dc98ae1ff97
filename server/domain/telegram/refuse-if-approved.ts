import type { Deps } from '#server/deps.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'

/** @throws refusal `telegram_fixed` if the participant has an approved claim, which keeps its Telegram account. */
export async function refuseIfApproved(db: Database | Tx, { campaign }: Deps, userId: string): Promise<void> {
  const approved = await db
    .selectFrom('claims')
    .select('id')
    .where('campaign_id', '=', campaign.id)
    .where('user_id', '=', userId)
    .where('status', '=', 'approved')
    .executeTakeFirst()
  if (approved) throw refuse('telegram_fixed')
}
