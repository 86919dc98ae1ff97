import { randomBytes } from 'node:crypto'
import type { Proof } from '#contract/proof.ts'
import { postIdAt, postLink } from '#contract/x-post.ts'

let proofs = 0

/** A proof that is unique within this process. */
export function freshProof(): Proof {
  proofs += 1
  const twitter = `handle${proofs}`
  return {
    wallet: `0x${randomBytes(20).toString('hex')}`,
    telegram: `@telegram${proofs}`,
    twitter: `@${twitter}`,
    retweetLink: postLink(twitter, postIdAt(Date.UTC(2026, 5, 1), proofs)),
  }
}

/** What a new claim shows of a proof, apart from the claim's id and the capitals of the wallet's checksum. */
export const openTask = (proof: Proof) => ({
  ...proof,
  telegram: proof.telegram.slice(1),
  twitter: proof.twitter.slice(1),
  pfPoints: 0,
  plsPoints: 0,
  approved: false,
  underReview: false,
})
