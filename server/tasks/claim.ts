import type { Selectable } from 'kysely'
import type { Task } from '#contract/entities.ts'
import type { Claims } from '../platform/database.types.ts'

/** A claim as the ledger left it: the points it was credited, by kind. */
export type ClaimRow = Pick<
  Selectable<Claims>,
  'id' | 'wallet' | 'telegram' | 'twitter' | 'retweet_link' | 'status'
> & { pf: number; pls: number }

/** The claim as participants and administrators see it. */
export function asTask(claim: ClaimRow): Task {
  return {
    _id: claim.id,
    wallet: claim.wallet,
    telegram: claim.telegram,
    twitter: claim.twitter,
    retweetLink: claim.retweet_link,
    pfPoints: claim.pf,
    plsPoints: claim.pls,
    approved: claim.status === 'approved',
    underReview: claim.status === 'under_review',
  }
}
