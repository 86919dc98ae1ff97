import { randomBytes } from 'node:crypto'

let proofs = 0

/** A proof that is unique within this process. */
export function freshProof(): { wallet: string; telegram: string; twitter: string; retweetLink: string } {
  proofs += 1
  const twitter = `handle${proofs}`
  // A snowflake id of 2026.
  const id = (BigInt(Date.UTC(2026, 5, 1) - 1_288_834_974_657) << 22n) + BigInt(proofs)
  return {
    wallet: `0x${randomBytes(20).toString('hex')}`,
    telegram: `@telegram${proofs}`,
    twitter: `@${twitter}`,
    retweetLink: `https://x.com/${twitter}/status/${id}`,
  }
}
