import type { Pagination, User } from '#contract/entities.ts'
import { readUsers } from '../accounts/user.ts'
import type { Deps } from '../deps.ts'

/**
 * Participants who submitted, by the time of their first submission whatever its state, so that a row
 * does not move when it is verified.
 */
export async function listSubmissions(
  deps: Deps,
  { page, limit }: { page: number; limit: number },
): Promise<{ data: User[]; pagination: Pagination }> {
  const firstClaims = deps.db
    .selectFrom('claims')
    .where('campaign_id', '=', deps.campaign.id)
    .where('attempt', '=', 1)
  const { total } = await firstClaims
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const claims = await firstClaims
    .select('user_id')
    .orderBy('submitted_at')
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return {
    data: await readUsers(
      deps.db,
      deps.campaign.id,
      claims.map((claim) => claim.user_id),
    ),
    pagination: { currentPage: page, totalPages: Math.max(1, Math.ceil(total / limit)), totalItems: total },
  }
}
