import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { RejectionReason } from '#contract/claim-history.ts'
import type { Deps } from '../deps.ts'
import { approve } from '../claims/approve.ts'
import { reject } from '../claims/reject.ts'
import { lockClaim, unlockClaim } from '../claims/review-lock.ts'
import { undo } from '../claims/undo.ts'
import type { TestUser } from './create-users.ts'

/** What an administrator does on one node. */
export function reviewerOn(deps: Deps, { id: userId }: TestUser) {
  const of = (claimId: string) => ({
    claimId,
    reviewer: { userId, role: 'admin' as const, tokenHash: Buffer.alloc(0) },
    network: '192.0.2.1',
  })
  const grant = deps.campaign.airdrop.tasks.length * deps.campaign.airdrop.pointsPerTask
  const amounts = { pfPoints: grant, plsPoints: grant }
  return {
    approve: (claimId: string, revision?: string) => approve(deps, { ...of(claimId), revision, amounts }),
    reject: (claimId: string, text = '', reason: RejectionReason = 'post_missing', revision?: string) =>
      reject(deps, { ...of(claimId), reason, text, revision }),
    undo: (claimId: string) => undo(deps, of(claimId)),
    lock: (claimId: string) => lockClaim(deps, of(claimId)),
    unlock: (claimId: string) => unlockClaim(deps, of(claimId)),
  }
}

/** The slots are as many as are counted and no more than there are, and each live claim has one of its own. */
export async function assertSlotsFit({ db, campaign }: Pick<Deps, 'db' | 'campaign'>): Promise<void> {
  const { rows } = await sql<Record<'total' | 'taken' | 'held' | 'live' | 'claimed' | 'waiting', number>>`
    select c.slots_total as total, c.slots_taken as taken,
      (select count(*) from slots where campaign_id = c.id and state <> 'free') as held,
      (select count(*) from claims where campaign_id = c.id and status <> 'rejected') as live,
      (select count(*) from slots s join claims l on l.campaign_id = s.campaign_id and l.slot = s.number
        and l.user_id = s.user_id and l.status <> 'rejected'
        where s.campaign_id = c.id and s.state = 'claimed') as claimed,
      (select count(*) from waiting_list where campaign_id = c.id) as waiting
    from campaigns c where c.id = ${campaign.id}`.execute(db)
  const [seen] = rows
  assert.ok(seen)
  assert.equal(seen.taken, seen.held, 'slots that are counted')
  assert.ok(seen.taken <= seen.total, `${seen.taken} of ${seen.total} slots`)
  assert.equal(seen.live, seen.claimed, 'live claims with a slot of their own')
  assert.ok(seen.waiting === 0 || seen.taken === seen.total, 'nobody waits beside a free slot')
}
