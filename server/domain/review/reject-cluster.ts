import { sql } from 'kysely'
import type { Locale } from '#contract/locales.ts'
import type { BodyOf, ReplyOf } from '#contract/protocol/endpoint.ts'
import { MAX_BULK_CLAIMS, type rejectCluster as endpoint } from '#contract/dashboard/review.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { refuse } from '#server/platform/refusal.ts'
import { hasOpenAppeal } from '../claims/appeal.ts'
import { recordEvent } from '../claims/claim-events.ts'
import { lockClaimForReview, type ReviewAction } from '../claims/decisions/lock-claim.ts'
import { latestClaim } from '../claims/latest-claim.ts'
import { announce, announceClaim } from '../events/announce.ts'
import { record } from '../journal/record.ts'
import { mailUser } from '../mail/send-later.ts'
import { freeSlot } from '../slots/keep-or-free-slot.ts'
import { decideClaims } from './decide-claims.ts'

type Request = {
  clusterId: string
  decision: BodyOf<typeof endpoint>
  reviewer: Caller
  network: string
  locale: Locale
}
type Reply = ReplyOf<typeof endpoint>['data']

/**
 * Rejects the waiting claims of a cluster (accounts that signals link), at most {@link MAX_BULK_CLAIMS} in
 * one call. Frees the slots that its claims rejected earlier keep, except those of claims under appeal.
 * @throws refusal `cluster_not_found`.
 */
export async function rejectCluster(deps: Deps, request: Request): Promise<Reply> {
  const { clusterId, decision, reviewer, network, locale } = request
  const members = await readMembers(deps, clusterId)
  if (members.length === 0) throw refuse('cluster_not_found')
  const waitingIds = members.filter(({ isWaiting }) => isWaiting).map(({ id }) => id)
  // Only another administrator may withdraw the reviewer's own slot.
  const slotKeepingIds = members
    .filter(({ keepsSlot, userId }) => keepsSlot && userId !== reviewer.userId)
    .map(({ id }) => id)
  const outcomes = await decideClaims(deps, {
    decision: { decision: 'reject', claimIds: waitingIds.slice(0, MAX_BULK_CLAIMS), clusterId, ...decision },
    reviewer,
    network,
    locale,
  })
  let withdrawn = 0
  for (const claimId of slotKeepingIds)
    if (await withdrawSlot(deps, { claimId, reviewer, network })) withdrawn += 1
  if (withdrawn > 0) deps.runSoon('slots')
  const rejected = outcomes.filter(({ outcome }) => outcome === 'done').length
  // The contract accepts only final reasons, so each rejection has freed a slot.
  return { outcomes, freed: rejected + withdrawn, left: waitingIds.length - rejected }
}

type Member = { id: string; userId: string; isWaiting: boolean; keepsSlot: boolean }

/** The latest claim of each member, oldest first. Uses `clusters_members` and `claims_by_user`. */
async function readMembers({ db, campaign }: Deps, clusterId: string): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select c.id, c.user_id as "userId", c.decided_at is null as "isWaiting",
      c.status = 'rejected' and coalesce(s.state = 'kept', false) as "keepsSlot"
    from clusters k
    join lateral ${latestClaim(sql.ref('k.campaign_id'), sql.ref('k.user_id'))} c on true
    left join slots s on s.campaign_id = k.campaign_id and s.user_id = k.user_id
    where k.campaign_id = ${campaign.id} and k.cluster_id = ${clusterId}
    order by c.submitted_at, c.id`.execute(db)
  return rows
}

/** @returns false if the claim keeps no slot, or has been reopened or appealed meanwhile. */
function withdrawSlot(deps: Deps, action: ReviewAction): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    const claim = await lockClaimForReview(tx, deps, action)
    if (claim.status !== 'rejected' || (await hasOpenAppeal(tx, claim.id))) return false
    if (!(await freeSlot(tx, claim.campaign_id, claim.user_id, 'kept'))) return false
    await recordEvent(tx, { claimId: claim.id, what: 'slot_freed' })
    await record(tx, {
      actor: action.reviewer.userId,
      action: 'claim.slot_withdrawn',
      subject: claim.id,
      network: action.network,
    })
    await mailUser(tx, claim.user_id, 'claim-slot-withdrawn')
    await announce(tx, 'slots')
    await announceClaim(tx, claim.id)
    return true
  })
}
