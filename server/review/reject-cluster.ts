import { sql } from 'kysely'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import { BULK_LIMIT, type rejectCluster as endpoint } from '#contract/review.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from '../platform/http/route.ts'
import { refuse } from '../platform/refusal.ts'
import { latestClaim } from '../claims/latest-claim.ts'
import { withdrawSlot } from '../claims/withdraw-slot.ts'
import { decideClaims } from './decide-claims.ts'

type Rejecting = { clusterId: string; decision: BodyOf<typeof endpoint>; reviewer: Caller; network: string }
type Rejected = ReplyOf<typeof endpoint>['data']

/**
 * Rejects the claims of a cluster that wait, as several decisions are made, and frees the slots that its rejected
 * claims keep: whoever holds slots with many accounts loses them at once. Called again it goes on.
 */
export async function rejectCluster(deps: Deps, rejecting: Rejecting): Promise<Rejected> {
  const { clusterId, decision, reviewer, network } = rejecting
  const members = await readMembers(deps, clusterId)
  if (members.length === 0) throw refuse('cluster_not_found')
  const waiting = members.filter(({ waits }) => waits).map(({ id }) => id)
  const keeping = members.filter(({ keeps, own }) => keeps && own !== reviewer.userId).map(({ id }) => id)
  const outcomes = await decideClaims(deps, {
    decision: { decision: 'reject', claimIds: waiting.slice(0, BULK_LIMIT), clusterId, ...decision },
    reviewer,
    network,
  })
  let withdrawn = 0
  for (const claimId of keeping) if (await withdrawSlot(deps, { claimId, reviewer, network })) withdrawn += 1
  if (withdrawn > 0) deps.wake('slots')
  const done = outcomes.filter(({ outcome }) => outcome === 'done').length
  return { outcomes, freed: done + withdrawn, left: waiting.length - done }
}

type Member = { id: string; waits: boolean; keeps: boolean; own: string }

/** The newest claim of each, the oldest first. */
async function readMembers({ db, campaign }: Deps, clusterId: string): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select c.id, c.user_id as own, c.decided_at is null as waits,
      c.status = 'rejected' and coalesce(s.state = 'kept', false) as keeps
    from clusters k
    join lateral ${latestClaim(sql.ref('k.campaign_id'), sql.ref('k.user_id'))} c on true
    left join slots s on s.campaign_id = k.campaign_id and s.user_id = k.user_id
    where k.campaign_id = ${campaign.id} and k.cluster_id = ${clusterId}
    order by c.submitted_at, c.id`.execute(db)
  return rows
}
