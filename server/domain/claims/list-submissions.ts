import type { Pagination } from '#contract/entities.ts'
import type { Submitter } from '#contract/claims/claims.ts'
import { sql } from 'kysely'
import { readClaimants } from '../accounts/user.ts'
import type { Deps } from '#server/deps.ts'
import { countClaims } from './claim-counts.ts'
import { recordSeenRevisions } from './decisions/optimistic-lock.ts'

/**
 * Participants with a claim, in the order of their first attempt, so that rows do not move when claims are decided.
 * Records the revisions shown as seen by the administrator.
 */
export async function listSubmissions(
  deps: Deps,
  administrator: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ data: Submitter[]; pagination: Pagination }> {
  const firstClaims = deps.db
    .selectFrom('claims')
    .where('campaign_id', '=', deps.campaign.id)
    .where('attempt', '=', 1)
  const { total } = await deps.db
    .selectNoFrom(countClaims(deps.campaign.id, sql`is_first`).as('total'))
    .executeTakeFirstOrThrow()
  const claims = await firstClaims
    .select('user_id')
    .orderBy('submitted_at')
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const submitters = await readClaimants(
    deps.db,
    deps.campaign.id,
    claims.map((claim) => claim.user_id),
  )
  await recordSeenRevisions(
    deps.db,
    administrator,
    submitters.flatMap(({ user: { taskId }, revision }) =>
      taskId ? [{ claimId: taskId._id, revision }] : [],
    ),
  )
  return {
    data: submitters.map(({ user, revision }) => ({
      ...user,
      taskId: user.taskId && { ...user.taskId, revision: String(revision) },
    })),
    pagination: { currentPage: page, totalPages: Math.max(1, Math.ceil(total / limit)), totalItems: total },
  }
}
