import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** The services that the product asks, as far as it asks them, in the shapes in which they were recorded. */
export type Outside = {
  url: string
  /** What the price service says from now on: a price in dollars, no pair, or nothing but an error. */
  price: (says: { usd: string } | 'no pair' | 'down') => void
  /** The number of the newest block; undefined takes the chain away. */
  block: (number: number | undefined) => void
  /** How often the price was asked for. */
  pricesAsked: () => number
  close: () => Promise<void>
}

export async function startOutside(): Promise<Outside> {
  let price: Parameters<Outside['price']>[0] = { usd: '0.000123' }
  let block: number | undefined = 24_500_000
  let asked = 0

  const answer = async (request: IncomingMessage): Promise<{ status: number; body: unknown }> => {
    const [, contract] = /^\/price\/latest\/dex\/tokens\/(0x[0-9a-fA-F]{40})$/.exec(request.url ?? '') ?? []
    if (contract) {
      asked += 1
      return priceOf(contract, price)
    }
    if (request.url === '/rpc') return rpc(await text(request), block)
    return { status: 404, body: {} }
  }
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    price: (says) => (price = says),
    block: (number) => (block = number),
    pricesAsked: () => asked,
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

function priceOf(contract: string, price: Parameters<Outside['price']>[0]) {
  if (price === 'down') return { status: 503, body: { error: 'Service Unavailable' } }
  const pairs = price === 'no pair' ? null : [pair(contract, price.usd)]
  return { status: 200, body: { schemaVersion: '1.0.0', pairs } }
}

/** As DexScreener describes a pair. */
function pair(contract: string, usd: string) {
  const pairAddress = '0x1b45b9148791d3a104184Cd5DFE5CE57193a3ee9'
  return {
    chainId: 'pulsechain',
    dexId: 'pulsex',
    url: `https://dexscreener.com/pulsechain/${pairAddress.toLowerCase()}`,
    pairAddress,
    labels: ['v2'],
    baseToken: { address: contract, name: 'Pocket Future', symbol: 'PF' },
    quoteToken: {
      address: '0xA1077a294dDE1B09bB078844df40758a5D0f9a27',
      name: 'Wrapped Pulse',
      symbol: 'WPLS',
    },
    priceNative: '2.4113',
    priceUsd: usd,
    txns: {
      m5: { buys: 0, sells: 0 },
      h1: { buys: 4, sells: 1 },
      h6: { buys: 9, sells: 6 },
      h24: { buys: 31, sells: 22 },
    },
    volume: { h24: 1843.21, h6: 402.9, h1: 77.1, m5: 0 },
    priceChange: { h1: 0.42, h6: -1.1, h24: 3.4 },
    liquidity: { usd: 48_211.4, base: 196_004_211, quote: 1_021_004_233 },
    fdv: 123_000,
    marketCap: 123_000,
    pairCreatedAt: 1_767_225_600_000,
  }
}

function rpc(body: string, block: number | undefined) {
  const { id, method } = JSON.parse(body) as { id: unknown; method: string }
  if (block === undefined) return { status: 502, body: {} }
  const known = method === 'eth_blockNumber'
  const outcome = known
    ? { result: `0x${block.toString(16)}` }
    : { error: { code: -32601, message: `the method ${method} does not exist/is not available` } }
  return { status: 200, body: { jsonrpc: '2.0', id, ...outcome } }
}
