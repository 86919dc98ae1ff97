import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Pair } from '#contract/market.ts'
import type { HttpClient } from '#server/platform/outbound/http-client.ts'
import { isObject } from '../chain/rpc-values.ts'
import type { FetchPairs } from './read-price.ts'

/** @param apiUrl PRICE_API_URL, an API like DexScreener's, called at `/latest/dex/tokens/{contract}`. */
export function createPriceClient(http: HttpClient, apiUrl: string, campaign: CampaignFile): FetchPairs {
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

type Token = {
  contract: string
  /** The price service's name of the chain. */
  chainSlug: string
}

/**
 * The pairs of our token on our chain, deepest liquidity first. Our token must be a pair's base, because the
 * price is the base's. If no pair in the reply names a chain, the chain is not compared; likewise the base.
 * @returns undefined if this is not a reply of the price service.
 */
export function parsePairs(reply: unknown, { contract, chainSlug }: Token): Pair[] | undefined {
  const list = isObject(reply) && 'pairs' in reply ? (reply['pairs'] ?? []) : undefined
  if (!Array.isArray(list)) return undefined
  const pairs = (list as unknown[]).filter(isObject)
  return pairs
    .filter(matchName(pairs, (pair) => asText(pair['chainId']), chainSlug))
    .filter(matchName(pairs, baseOf, contract))
    .flatMap(toPairs)
    .toSorted((a, b) => depthOf(b) - depthOf(a))
}

type JsonObject = Record<string, unknown>

/** Makes a filter for pairs with the wanted name. It accepts all pairs if none has a name. */
function matchName(
  pairs: readonly JsonObject[],
  nameOf: (pair: JsonObject) => string | undefined,
  wanted: string,
) {
  if (pairs.every((pair) => nameOf(pair) === undefined)) return () => true
  return (pair: JsonObject) => nameOf(pair)?.toLowerCase() === wanted.toLowerCase()
}

function baseOf({ baseToken }: JsonObject): string | undefined {
  return isObject(baseToken) ? asText(baseToken['address']) : undefined
}

/** Copies only known fields, so that visitors get nothing else. */
function toPairs(pair: JsonObject): Pair[] {
  const priceUsd = asPrice(pair['priceUsd'])
  if (priceUsd === undefined) return []
  const { liquidity } = pair
  const usd = isObject(liquidity) ? asAmount(liquidity['usd']) : undefined
  return [
    {
      priceUsd,
      ...optional('chainId', asText(pair['chainId'])),
      ...optional('dexId', asText(pair['dexId'])),
      ...optional('pairAddress', asText(pair['pairAddress'])),
      ...optional('url', asHttpsUrl(pair['url'])),
      ...optional('liquidity', usd === undefined ? undefined : { usd }),
    },
  ]
}

const depthOf = (pair: Pair) => pair.liquidity?.usd ?? 0

/** A number below a billion, without an exponent: `1e999` would be infinite. */
const DECIMAL = /^[0-9]{1,9}(\.[0-9]{1,40})?$/

function asPrice(value: unknown): string | undefined {
  return typeof value === 'string' && DECIMAL.test(value) && Number(value) > 0 ? value : undefined
}

const optional = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [key in Name]?: Value }

/** Control characters and lone surrogates, some of which PostgreSQL cannot store. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u

const asText = (value: unknown) =>
  typeof value === 'string' && value.length > 0 && value.length <= 200 && !UNSTORABLE.test(value)
    ? value
    : undefined

const asAmount = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

const asHttpsUrl = (value: unknown) => {
  const address = asText(value)
  return address && URL.canParse(address) && new URL(address).protocol === 'https:' ? address : undefined
}
