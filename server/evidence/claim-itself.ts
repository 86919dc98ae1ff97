import type { CampaignFile } from '#contract/campaign-file.ts'
import { isChecksumRight } from '../platform/eip55.ts'
import { isReceivable, postTime } from '../claims/rules.ts'
import type { Finding, Source, Subject } from './finding.ts'
import { FINDING_WORDS } from './words.ts'

/** What a claim says by itself: when its post was made, and whether its wallet is one. No network. */
export function claimItself(campaign: CampaignFile): Source {
  const opensAt = new Date(campaign.airdrop.opensAt)
  const { contract } = campaign.token
  return {
    name: 'the claim itself',
    checks: ['post-time', 'wallet'],
    look: async (claim) => ({ findings: [judgeTime(claim, opensAt), judgeWallet(claim, contract)] }),
  }
}

/** The clock of whoever made the id may be ahead of ours a little. */
const TOLERANCE = 5 * 60_000

/** Pure: whether the post was made between the opening and the claim. */
export function judgeTime(
  { post_id: postId, submitted_at: submittedAt }: Pick<Subject, 'post_id' | 'submitted_at'>,
  opensAt: Date,
): Finding {
  const madeAt = postTime(postId)
  const isInTime = madeAt >= opensAt && madeAt.getTime() <= submittedAt.getTime() + TOLERANCE
  return {
    check: 'post-time',
    outcome: isInTime ? 'confirmed' : 'contradicted',
    detail: FINDING_WORDS.postTime(madeAt, opensAt),
    source: 'the id of the post',
  }
}

/** Pure: whether anybody could hold the key of the address. */
export function judgeWallet({ wallet }: Pick<Subject, 'wallet'>, token: string): Finding {
  const isRight = isChecksumRight(wallet) && isReceivable(wallet, token)
  return {
    check: 'wallet',
    outcome: isRight ? 'confirmed' : 'contradicted',
    detail: isRight ? FINDING_WORDS.walletRight : FINDING_WORDS.walletWrong,
    source: 'the address itself (EIP-55)',
  }
}
