import type { CampaignFile } from '#contract/campaign-file.ts'
import type { HttpClient } from '#server/platform/outbound/http-client.ts'
import type { PairsReply } from './pair-cache.ts'
import { parsePairs } from './parse-pairs.ts'

export type FetchPrice = () => Promise<PairsReply>

/** @param apiUrl PRICE_API_URL, an API like DexScreener's, called at `/latest/dex/tokens/{contract}`. */
export function createPriceClient(http: HttpClient, apiUrl: string, campaign: CampaignFile): FetchPrice {
  const { contract } = campaign.token
  const address = `${apiUrl.replace(/\/+$/, '')}/latest/dex/tokens/${contract}`
  return async () => {
    const outcome = await http.request(address)
    if ('unclear' in outcome) return outcome
    if ('refused' in outcome) return { unclear: `answered ${outcome.refused}` }
    const pairs = parsePairs(outcome.answer, { contract, chainSlug: campaign.chain.slug })
    return pairs ? { pairs } : { unclear: 'answered without pairs' }
  }
}
