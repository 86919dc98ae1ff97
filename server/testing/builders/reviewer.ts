import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { RejectionReason } from '#contract/claims/claim-history.ts'
import { grantedPoints } from '#contract/claims/granted-points.ts'
import type { Deps } from '#server/deps.ts'
import { approve } from '#server/domain/claims/decisions/approve.ts'
import { reject } from '#server/domain/claims/decisions/reject.ts'
import { acquireReviewLock, releaseReviewLock } from '#server/domain/claims/decisions/review-lock.ts'
import { undo } from '#server/domain/claims/decisions/undo.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { TestUser } from './create-users.ts'

export const callerOf = ({ id: userId }: Pick<TestUser, 'id'>) => ({
  userId,
  role: 'admin' as const,
  tokenHash: Buffer.alloc(0),
})

type Rejection = { reason?: RejectionReason; text?: string; revision?: string | undefined }

export function reviewerOn(deps: Deps, user: Pick<TestUser, 'id'>) {
  const target = (claimId: string) => ({ claimId, reviewer: callerOf(user), network: '192.0.2.1' })
  const amounts = grantedPoints(deps.campaign.airdrop)
  return {
    approve: (claimId: string, revision?: string) => approve(deps, { ...target(claimId), revision, amounts }),
    reject: (claimId: string, rejection: Rejection = {}) =>
      reject(deps, { ...target(claimId), reason: 'post_missing', text: '', ...rejection }),
    undo: (claimId: string) => undo(deps, target(claimId)),
    lock: (claimId: string) => acquireReviewLock(deps, target(claimId)),
    unlock: (claimId: string) => releaseReviewLock(deps, target(claimId)),
  }
}

export async function assertSlotInvariants({ db, campaign }: Pick<Deps, 'db' | 'campaign'>): Promise<void> {
  const { rows } = await sql<Record<'total' | 'taken' | 'used' | 'live' | 'claimed' | 'waiting', number>>`
    select c.slots_total as total, c.slots_taken as taken,
      (select count(*) from slots where campaign_id = c.id and state <> 'free') as used,
      (select count(*) from claims where campaign_id = c.id and status <> 'rejected') as live,
      (select count(*) from slots s join claims l on l.campaign_id = s.campaign_id and l.slot = s.number
        and l.user_id = s.user_id and l.status <> 'rejected'
        where s.campaign_id = c.id and s.state = 'claimed') as claimed,
      (select count(*) from waiting_list where campaign_id = c.id) as waiting
    from campaigns c where c.id = ${campaign.id}`.execute(db)
  const [counts] = rows
  assert.ok(counts)
  assert.equal(counts.taken, counts.used, 'counted slots')
  assert.ok(counts.taken <= counts.total, `${counts.taken} of ${counts.total} slots`)
  assert.equal(counts.live, counts.claimed, 'live claims with their own slot')
  assert.ok(counts.waiting === 0 || counts.taken === counts.total, 'nobody waits while a slot is free')
}

/** Asserts that banned and deleted accounts have nothing that a ban takes away. Decided claims stay. */
export async function assertBansHold(db: Database): Promise<void> {
  const { rows } = await sql`
    select u.id, c.status as claim, s.state as slot, b.listed, w.ticket, x.created_at as session from users u
    left join claims c on c.user_id = u.id and c.decided_at is null
    left join slots s on s.user_id = u.id and s.state <> 'claimed'
    left join standings b on b.user_id = u.id and b.listed
    left join waiting_list w on w.user_id = u.id
    left join sessions x on x.user_id = u.id
    where u.banned_at is not null
      and coalesce(c.status, s.state, b.listed::text, w.ticket::text, x.created_at::text) is not null
    order by u.id`.execute(db)
  assert.deepEqual(rows, [], 'what banned accounts still have')
}
