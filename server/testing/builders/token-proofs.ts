import type { CampaignFile } from '#contract/campaign-file.ts'
import type { ProofClaim, Reason } from '#contract/token-proofs/proof.ts'
import { bodyOf } from '#contract/token-proofs/rpc.ts'
import type { ProofWithReasons } from '#contract/token-proofs.ts'
import { answerOf, limitsOf, questionOf } from '#web/content/site/proofs.ts'
import { checkOf } from './token-checks.ts'

const BLOCK = 24_500_123

/** The proofs of an honest token as the server has read them, with `changes` for some claims. */
export function tokenProofs(
  campaign: CampaignFile,
  changes: Partial<Record<ProofClaim, Reason>> = {},
): ProofWithReasons[] {
  return checkOf(BLOCK, changes).proofs.map(({ claim, verdict, reason, asked }) => {
    const isAsked = reason.code !== 'placeholder'
    return {
      claim,
      verdict,
      reason: reason.code,
      fullReason: reason,
      asked: questionOf(claim, campaign),
      answer: answerOf(reason, campaign),
      limits: limitsOf(claim, reason),
      block: isAsked ? BLOCK : null,
      checkedAt: isAsked ? '2026-11-22T15:04:12.000Z' : null,
      explorer: `${campaign.chain.explorerUrl}/address/${campaign.token.contract}`,
      calls: isAsked ? asked.map(bodyOf) : [],
      history: [],
    }
  })
}
