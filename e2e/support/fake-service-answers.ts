import campaign from '#server/testing/campaign.ts'
import { botRefusal, embedOf, memberOf } from '#server/testing/checks/recorded.ts'

/** A post on X; by default its author is the handle in the link and it has the campaign's hashtags. */
export type PostSays = { by?: string; text?: string; name?: string; id?: string }

/** The data of a wallet on the chain. */
export type WalletSays = { code?: string; count?: number; balance?: bigint }

/** A price in dollars, no pair, or an error. */
export type PriceSays = { usd: string } | 'no pair' | 'down'

/** A status of the Bot API, or a restricted member who is in the group or not. */
export type MemberSays = string | { restricted: boolean }

export type Answer = { status: number; body: unknown; headers?: Record<string, string> }

export function embed(link: string, posts: ReadonlyMap<string, PostSays>): Answer {
  const [, handle = '', id = ''] = /^https:\/\/x\.com\/(\w{1,15})\/status\/([0-9]{1,20})$/.exec(link) ?? []
  const says = posts.get(id) ?? posts.get('all') ?? {}
  if (handle === '') return { status: 404, body: { error: 'Not Found' } }
  const hashtags = campaign.airdrop.tasks.flatMap((task) => task.hashtags ?? []).join(' ')
  const comment = `Comment number ${id.slice(-7)} of mine. ${hashtags}`
  return { status: 200, body: embedOf({ by: handle, id, text: comment, ...says }) }
}

export function chatMember(body: string, says: MemberSays): Answer {
  const { user_id: userId } = JSON.parse(body) as { user_id: number }
  if (typeof says === 'object') return { status: 200, body: memberOf(userId, 'restricted', says.restricted) }
  if (says === 'user not found') return { status: 400, body: botRefusal(400, 'Bad Request: user not found') }
  return { status: 200, body: memberOf(userId, says) }
}

export function priceOf(contract: string, price: PriceSays) {
  if (price === 'down') return { status: 503, body: { error: 'Service Unavailable' } }
  const pairs = price === 'no pair' ? null : [pair(contract, price.usd)]
  return { status: 200, body: { schemaVersion: '1.0.0', pairs } }
}

/** A pair in DexScreener's format. */
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

type RpcCall = { id: unknown; method: string }

/** Answers a call or a batch. */
export function rpc(body: string, block: number | undefined, wallet: WalletSays) {
  if (block === undefined) return { status: 502, body: {} }
  const calls = JSON.parse(body) as RpcCall | RpcCall[]
  const answer = (call: RpcCall) => rpcAnswer(call, block, wallet)
  return { status: 200, body: Array.isArray(calls) ? calls.map(answer) : answer(calls) }
}

function rpcAnswer(
  { id, method }: RpcCall,
  block: number,
  { code = '0x', count = 3, balance = 0n }: WalletSays,
) {
  const results: Record<string, string> = {
    eth_blockNumber: `0x${block.toString(16)}`,
    eth_chainId: '0x171',
    eth_getCode: code,
    eth_getTransactionCount: `0x${count.toString(16)}`,
    eth_getBalance: `0x${balance.toString(16)}`,
  }
  const result = results[method]
  const outcome = result
    ? { result }
    : { error: { code: -32601, message: `the method ${method} does not exist/is not available` } }
  return { jsonrpc: '2.0', id, ...outcome }
}
