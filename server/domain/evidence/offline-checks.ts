import type { CampaignFile } from '#contract/campaign-file.ts'
import { postTime } from '#contract/claims/x-post.ts'
import { isChecksumRight } from '#server/platform/eip55.ts'
import { canReceive } from '../claims/submission/validate-proof.ts'
import type { ClaimToCheck, Finding, Source } from './finding.ts'

/** Checks the time that the post's id encodes and the wallet's address. Sends no requests. */
export function claimSource(campaign: CampaignFile): Source {
  const opensAt = new Date(campaign.airdrop.opensAt)
  const { contract } = campaign.token
  return {
    name: 'the claim itself',
    checks: ['post-time', 'wallet'],
    run: async (claim) => ({ findings: [checkTime(claim, opensAt), checkWallet(claim, contract)] }),
  }
}

/** How far X's clock may be ahead of ours. */
const CLOCK_SKEW_MS = 5 * 60_000

export function checkTime(
  { post_id: postId, submitted_at: submittedAt }: Pick<ClaimToCheck, 'post_id' | 'submitted_at'>,
  opensAt: Date,
): Finding {
  const madeAt = postTime(postId)
  const isInTime = madeAt >= opensAt && madeAt.getTime() <= submittedAt.getTime() + CLOCK_SKEW_MS
  return {
    check: 'post-time',
    outcome: isInTime ? 'confirmed' : 'contradicted',
    found: { code: 'post_time', madeAt: madeAt.toISOString(), opensAt: opensAt.toISOString() },
    source: 'the id of the post',
  }
}

export function checkWallet({ wallet }: Pick<ClaimToCheck, 'wallet'>, tokenContract: string): Finding {
  const isRight = isChecksumRight(wallet) && canReceive(wallet, tokenContract)
  return {
    check: 'wallet',
    outcome: isRight ? 'confirmed' : 'contradicted',
    found: { code: isRight ? 'wallet_right' : 'wallet_wrong' },
    source: 'the address itself (EIP-55)',
  }
}
