import * as z from 'zod/mini'
import { endpoint } from './protocol/endpoint.ts'

/**
 * A market pair in DexScreener's format, which the price service uses; only `priceUsd` is always present.
 * `source` is `pool` if this server computed the price from a pool's reserves, and absent if the service
 * answered. All pairs of a reply have the same source.
 */
export const Pair = z.object({
  priceUsd: z.nullable(z.string()),
  chainId: z.optional(z.string()),
  dexId: z.optional(z.string()),
  pairAddress: z.optional(z.string()),
  url: z.optional(z.string()),
  liquidity: z.optional(z.object({ usd: z.optional(z.number()) })),
  source: z.optional(z.literal('pool')),
})
export type Pair = z.output<typeof Pair>

export const tokenPairs = endpoint('GET /latest/dex/tokens/:contract', {
  access: 'public',
  cache: 'public',
  summary: "The token's market pairs, best first; `pairs` is null if no price is known.",
  params: z.strictObject({ contract: z.string().check(z.toLowerCase()) }),
  reply: z.object({ pairs: z.nullable(z.array(Pair)) }),
  refusals: ['unknown_contract'],
})
