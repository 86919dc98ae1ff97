import { reviewClaim } from '#contract/dashboard/review.ts'
import { submitProof } from '#contract/claims/claims.ts'
import { newProof } from '../support/people.ts'
import { expect, type Product, test } from '../support/product.ts'

/** Creates a claim with this reply of X for its post, and returns it as a reviewer sees it. */
async function claimOf(product: Product, says: Parameters<Product['services']['post']>[0]) {
  const proof = newProof()
  product.services.post(says, proof.retweetLink.split('/').at(-1))
  const { token, from } = await product.newParticipant()
  const { body } = await product.call(submitProof, { body: proof, token, from })
  const admin = await product.admin()
  const claimId = body.data._id
  return async () => {
    const answer = await product.call(reviewClaim, { token: admin.token, params: { claimId } })
    const { status, evidence } = answer.body.data
    return { status, ...Object.fromEntries(evidence.map(({ check, outcome }) => [check, outcome])) }
  }
}

const RIGHT = {
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
const UNKNOWN = { post: 'could_not_tell', 'post-author': 'could_not_tell', 'post-hashtags': 'could_not_tell' }

test('records evidence from X and the chain without deciding the claim', async ({ product }) => {
  const right = await claimOf(product, {})
  const borrowed = await claimOf(product, { by: 'somebodyelse', text: 'no hashtags at all' })
  await expect.poll(right).toEqual(RIGHT)
  await expect
    .poll(borrowed)
    .toEqual({ ...RIGHT, 'post-author': 'contradicted', 'post-hashtags': 'contradicted' })
})

test('accepts a claim and moves it to review however X fails', async ({ product }) => {
  const looks = []
  for (const says of ['not found', 'huge', 'redirects'] as const) looks.push(await claimOf(product, says))
  for (const look of looks) await expect.poll(look).toEqual({ ...RIGHT, ...UNKNOWN })
})
