import { submitProof } from '#contract/claims/claims.ts'
import { reviewOf } from '../steps/dashboard-steps.ts'
import { newProof } from '../support/people.ts'
import { expect, type Product, test } from '../support/product.ts'

/**
 * Submits a claim with a post; `post` is what X says about it.
 * @returns a function that reads the claim's status and evidence, as a reviewer sees them.
 */
async function claimWithPost(product: Product, post: Parameters<Product['services']['setPost']>[0]) {
  const proof = newProof()
  product.services.setPost(post, proof.retweetLink.split('/').at(-1))
  const who = await product.newParticipant()
  await product.callOrFail(submitProof, { body: proof, token: who.token, from: who.from })
  return async () => {
    const { status, evidence } = await reviewOf(product, who)
    return { status, ...Object.fromEntries(evidence.map(({ check, outcome }) => [check, outcome])) }
  }
}

/** What a reviewer reads of a claim whose post is by the participant. */
const UNSUSPICIOUS = {
  status: 'under_review',
  post: 'confirmed',
  'post-author': 'confirmed',
  'post-hashtags': 'confirmed',
  'post-time': 'confirmed',
  telegram: 'could_not_tell',
  'telegram-handle': 'could_not_tell',
  wallet: 'confirmed',
  'wallet-owned': 'could_not_tell',
  'wallet-kind': 'confirmed',
  'wallet-used': 'confirmed',
}

test('records evidence from X and the chain without deciding the claim', async ({ product }) => {
  const readUnsuspicious = await claimWithPost(product, {})
  const readBorrowed = await claimWithPost(product, { by: 'somebodyelse', text: 'no hashtags at all' })
  await expect.poll(readUnsuspicious).toEqual(UNSUSPICIOUS)
  await expect
    .poll(readBorrowed)
    .toEqual({ ...UNSUSPICIOUS, 'post-author': 'contradicted', 'post-hashtags': 'contradicted' })
})
