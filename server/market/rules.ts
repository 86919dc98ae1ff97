import type { Pair } from '#contract/market.ts'

type Token = {
  contract: string
  /** The price service's name of the chain. */
  chainSlug: string
}

/**
 * The pairs of a reply that tell our token's price, deepest liquidity first. A pair in which our token is
 * the quote would tell the other token's price. A reply whose pairs name no chain (or no base token) is
 * taken as it is: there is nothing to choose by.
 * @returns undefined for what is not a reply of that service at all.
 */
export function readPairs(reply: unknown, { contract, chainSlug }: Token): Pair[] | undefined {
  const list = isObject(reply) && 'pairs' in reply ? (reply['pairs'] ?? []) : undefined
  if (!Array.isArray(list)) return undefined
  const pairs = (list as unknown[]).filter(isObject)
  return pairs
    .filter(namesIn(pairs, (pair) => text(pair['chainId']), chainSlug))
    .filter(namesIn(pairs, baseOf, contract))
    .flatMap(asPair)
    .toSorted((a, b) => depthOf(b) - depthOf(a))
}

type Thing = Record<string, unknown>

const isObject = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Passes what names `wanted`, or everything when nothing is named. */
function namesIn(pairs: readonly Thing[], nameOf: (pair: Thing) => string | undefined, wanted: string) {
  if (pairs.every((pair) => nameOf(pair) === undefined)) return () => true
  return (pair: Thing) => nameOf(pair)?.toLowerCase() === wanted.toLowerCase()
}

function baseOf({ baseToken }: Thing): string | undefined {
  return isObject(baseToken) ? text(baseToken['address']) : undefined
}

/** Field by field, so that nothing else of the reply reaches a visitor. */
function asPair(pair: Thing): Pair[] {
  const priceUsd = readPrice(pair['priceUsd'])
  if (priceUsd === undefined) return []
  const { liquidity } = pair
  const usd = isObject(liquidity) ? amount(liquidity['usd']) : undefined
  return [
    {
      priceUsd,
      ...named('chainId', text(pair['chainId'])),
      ...named('dexId', text(pair['dexId'])),
      ...named('pairAddress', text(pair['pairAddress'])),
      ...named('url', webAddress(pair['url'])),
      ...named('liquidity', usd === undefined ? undefined : { usd }),
    },
  ]
}

const depthOf = (pair: Pair) => pair.liquidity?.usd ?? 0

/** No exponents: `1e999` is not a price. No token of a billion in supply costs a billion dollars. */
const DECIMAL = /^[0-9]{1,9}(\.[0-9]{1,40})?$/

/** A positive decimal number as text, as it came; undefined for anything else. */
function readPrice(value: unknown): string | undefined {
  return typeof value === 'string' && DECIMAL.test(value) && Number(value) > 0 ? value : undefined
}

const named = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [key in Name]?: Value }

const text = (value: unknown) =>
  typeof value === 'string' && value.length > 0 && value.length <= 200 ? value : undefined

const amount = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

const webAddress = (value: unknown) => {
  const address = text(value)
  return address && URL.canParse(address) && new URL(address).protocol === 'https:' ? address : undefined
}
