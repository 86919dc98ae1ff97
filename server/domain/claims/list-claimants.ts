import type { listClaimants as endpoint } from '#contract/claims/claims.ts'
import type { QueryOf, ReplyOf } from '#contract/protocol/endpoint.ts'
import { sql } from 'kysely'
import { readClaimants } from '../accounts/user.ts'
import type { Deps } from '#server/deps.ts'
import { countClaims } from './claim-counts.ts'
import { recordSeenRevisions } from './decisions/optimistic-lock.ts'

/**
 * Lists a page of the users with a claim, for the dashboard's table, in the order of their first attempts, so
 * that rows do not move when claims are decided. Records that the administrator has seen these revisions.
 */
export async function listClaimants(
  deps: Deps,
  administratorId: string,
  { page, limit }: QueryOf<typeof endpoint>,
): Promise<ReplyOf<typeof endpoint>> {
  const { total } = await deps.db
    .selectNoFrom(countClaims(deps.campaign.id, sql`is_first`).as('total'))
    .executeTakeFirstOrThrow()
  const firstClaims = await deps.db
    .selectFrom('claims')
    .select('user_id')
    .where('campaign_id', '=', deps.campaign.id)
    .where('attempt', '=', 1)
    .orderBy('submitted_at')
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const userIds = firstClaims.map(({ user_id }) => user_id)
  const claimants = await readClaimants(deps.db, deps.campaign.id, userIds)
  const shownRevisions = claimants.flatMap(({ user: { taskId }, revision }) =>
    taskId ? [{ claimId: taskId._id, revision }] : [],
  )
  await recordSeenRevisions(deps.db, administratorId, shownRevisions)
  return {
    data: claimants.map(({ user, revision }) => ({
      ...user,
      taskId: user.taskId && { ...user.taskId, revision: String(revision) },
    })),
    pagination: { currentPage: page, totalPages: Math.max(1, Math.ceil(total / limit)), totalItems: total },
  }
}
