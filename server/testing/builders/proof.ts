import { randomBytes } from 'node:crypto'
import type { Proof } from '#contract/claims/proof.ts'
import { postIdAt, postLink } from '#contract/claims/x-post.ts'

const NEWEST_POST = Date.UTC(2026, 5, 1)

/** A proof that no other claim has. */
export function freshProof(): Proof {
  const unique = randomBytes(6)
  const name = unique.toString('hex')
  const twitter = `h${name}`
  const postedAt = NEWEST_POST - unique.readUInt32BE(0)
  return {
    wallet: `0x${randomBytes(20).toString('hex')}`,
    telegram: `@t${name}`,
    twitter: `@${twitter}`,
    retweetLink: postLink(twitter, postIdAt(postedAt, unique.readUInt16BE(4))),
  }
}

/** A new claim with this proof, without its id and the capital letters of the wallet's checksum. */
export const openTask = (proof: Proof) => ({
  ...proof,
  telegram: proof.telegram.slice(1),
  twitter: proof.twitter.slice(1),
  pfPoints: 0,
  plsPoints: 0,
  approved: false,
  underReview: false,
})
