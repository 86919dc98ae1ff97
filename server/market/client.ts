import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Pair } from '#contract/market.ts'
import type { HttpClient } from '../platform/http-client.ts'
import { readPairs } from './rules.ts'

/** What the price service said: the pairs that tell our price (none is an answer), or why it could not be told. */
export type Asked = { pairs: Pair[] } | { unclear: string }

export type AskPrice = () => Promise<Asked>

/**
 * The one who asks the price service.
 * @param base PRICE_API_URL; asked at `/latest/dex/tokens/{contract}`, as DexScreener is.
 */
export function createPriceClient(outbound: HttpClient, base: string, campaign: CampaignFile): AskPrice {
  const { contract } = campaign.token
  const address = `${base.replace(/\/+$/, '')}/latest/dex/tokens/${contract}`
  return async () => {
    const outcome = await outbound.request(address)
    if ('unclear' in outcome) return outcome
    if ('refused' in outcome) return { unclear: `answered ${outcome.refused}` }
    const pairs = readPairs(outcome.answer, { contract, chainSlug: campaign.chain.slug })
    return pairs ? { pairs } : { unclear: 'answered something without pairs' }
  }
}
