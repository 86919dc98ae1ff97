import { type Selectable, sql } from 'kysely'
import { hasReason, type Task } from '#contract/entities.ts'
import type { Proof } from '#contract/claims/proof.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Claims } from '#server/platform/database/database.types.ts'
import { rejectionFromColumns } from './claim-events.ts'

/** With the post's id, because several links lead to the same post. */
export type StoredProof = Proof & { postId: string }

export const PROOF_COLUMNS = ['wallet', 'telegram', 'twitter', 'post_id', 'retweet_link'] as const
export type ProofColumns = Pick<Selectable<Claims>, (typeof PROOF_COLUMNS)[number]>

export function asColumns({ wallet, telegram, twitter, postId, retweetLink }: StoredProof): ProofColumns {
  return { wallet, telegram, twitter, post_id: postId, retweet_link: retweetLink }
}

export function fromColumns({ wallet, telegram, twitter, retweet_link }: ProofColumns): Proof {
  return { wallet, telegram, twitter, retweetLink: retweet_link }
}

/** A claim with the points that the ledger credits it: `pf` in the token, `pls` in the chain's coin. */
export type ClaimRow = Pick<Selectable<Claims>, 'id' | 'status' | 'reason' | 'held_for'> &
  ProofColumns & { pf: number; pls: number }

/** A claim as the API shows it, which calls it a task. */
export function asTask(claim: ClaimRow): Task {
  return {
    _id: claim.id,
    ...fromColumns(claim),
    pfPoints: claim.pf,
    plsPoints: claim.pls,
    approved: claim.status === 'approved',
    underReview: claim.status === 'under_review' || claim.status === 'held',
    ...statusAndReason(claim),
  }
}

/** Empty unless a claim is held or rejected. The specification allows any other task only nine fields. */
function statusAndReason({ status, reason, held_for }: ClaimRow): Pick<Task, 'status' | 'reason'> {
  if (!hasReason(status)) return {}
  return { status, reason: status === 'held' ? (held_for ?? []).join(' ') : (reason ?? '') }
}

type Reasons = Pick<Selectable<Claims>, 'status' | 'reason_code' | 'reason' | 'held_for'>

export const reasonsOf = (claim: Reasons) => ({
  rejection: rejectionFromColumns(claim),
  heldFor: claim.status === 'held' ? (claim.held_for ?? []) : [],
})

type AppealedClaim = Reasons & { appeal: string | null; appealed_at: Date | null; answered_at: Date | null }

export const explanationOf = (claim: AppealedClaim) => ({
  ...reasonsOf(claim),
  appeal:
    claim.appeal === null || claim.appealed_at === null
      ? null
      : { text: claim.appeal, at: claim.appealed_at.toISOString(), isAnswered: claim.answered_at !== null },
})

export async function readTask(tx: Tx, claimId: string): Promise<Task> {
  const claim = await tx
    .selectFrom('claims as c')
    .selectAll('c')
    .select([credited('pf').as('pf'), credited('pls').as('pls')])
    .where('c.id', '=', claimId)
    .executeTakeFirstOrThrow()
  return asTask(claim)
}

/** The points credited to the participant of a claim `c`, without any reward credited to the referrer. */
const credited = (kind: 'pf' | 'pls') =>
  sql<number>`coalesce((select sum(amount) from ledger l
    where l.claim_id = c.id and l.user_id = c.user_id and l.kind = ${sql.lit(kind)}), 0)::int8`
