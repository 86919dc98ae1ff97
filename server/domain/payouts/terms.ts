import type { CampaignFile } from '#contract/campaign-file.ts'
import { marketsOf } from '#contract/token-proofs/subject.ts'
import { refuse } from '#server/platform/refusal.ts'

/** How points become amounts. A freeze stores its terms, so that it can be recomputed. */
export type Terms = {
  campaign: { id: string; name: string }
  chain: { id: number; name: string; explorerUrl: string }
  token: { symbol: string; decimals: number; contract: string }
  /** `wrapped`: the address of the coin as a token, for tools that only pay tokens; null if none is known. */
  coin: { symbol: string; decimals: number; wrapped: string | null }
} & NonNullable<CampaignFile['payout']>

/** @throws refusal `payout_not_set` when the campaign file has no rates. */
export function readTerms({ id, name, chain, token, payout }: CampaignFile): Terms {
  if (!payout) throw refuse('payout_not_set')
  const wrapped = marketsOf(chain)?.wrappedCoin ?? null
  return {
    campaign: { id, name },
    chain: { id: chain.id, name: chain.name, explorerUrl: chain.explorerUrl },
    token: { symbol: token.symbol, decimals: token.decimals, contract: token.contract },
    coin: { symbol: chain.currency.symbol, decimals: chain.currency.decimals, wrapped },
    ...payout,
  }
}
