import type { Selectable } from 'kysely'
import type { Proof } from '#contract/claims/proof.ts'
import type { Claims } from '#server/platform/database/database.types.ts'

/** A proof as stored: with the id of the post, which no two claims may share. */
export type StoredProof = Proof & { postId: string }

/** The columns of `claims` that hold the proof. */
export const PROOF_COLUMNS = ['wallet', 'telegram', 'twitter', 'post_id', 'retweet_link'] as const
export type ProofColumns = Pick<Selectable<Claims>, (typeof PROOF_COLUMNS)[number]>

export function asColumns({ wallet, telegram, twitter, postId, retweetLink }: StoredProof): ProofColumns {
  return { wallet, telegram, twitter, post_id: postId, retweet_link: retweetLink }
}

export function fromColumns({ wallet, telegram, twitter, retweet_link }: ProofColumns): Proof {
  return { wallet, telegram, twitter, retweetLink: retweet_link }
}
