import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import campaign from '#server/testing/campaign.ts'
import { embedOf, memberOf } from '#server/testing/checks/recorded.ts'
import { serve } from '#server/testing/fakes/http-stub.ts'
import { jsonRpcNode, methodNotFound, type RpcAnswer } from '#server/testing/fakes/json-rpc.ts'
import { CLIENT, createTelegramProvider } from '#server/testing/fakes/telegram-provider.ts'

/** Starts fakes of the outside services that the product calls, with replies in recorded formats. */
export async function startFakeServices() {
  let hasPrice = true
  let block: number | undefined = 24_500_000

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://services')
    const [, contract] = /^\/price\/latest\/dex\/tokens\/(0x[0-9a-fA-F]{40})$/.exec(pathname) ?? []
    if (contract)
      return { status: 200, body: { schemaVersion: '1.0.0', pairs: hasPrice ? [pairOf(contract)] : null } }
    if (pathname === '/rpc') return { status: 502, body: {} } // while the chain is unreachable
    if (pathname === '/oembed') return embed(searchParams.get('url') ?? '')
    if (/^\/telegram\/bot[^/]+\/getChatMember$/.test(pathname)) return chatMember(await text(request))
    return { status: 404, body: {} }
  }
  const telegram = await createTelegramProvider(() => `${server.url}/login`)
  const node = jsonRpcNode((method) => rpcAnswer(method, block ?? 0))
  const server = await serve((request, response) => {
    if (request.url?.startsWith('/login/')) telegram.listener(request, response)
    else if (request.url === '/rpc' && block !== undefined) node(request, response)
    else
      void answer(request).then(({ status, body }) =>
        response
          .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
          .end(JSON.stringify(body)),
      )
  })
  const { url, close } = server
  return {
    /** The environment for a product that calls the fakes. */
    env: {
      PRICE_API_URL: `${url}/price`,
      CHAIN_RPC_URL: `${url}/rpc`,
      OEMBED_URL: `${url}/oembed`,
      TELEGRAM_API_URL: `${url}/telegram`,
      TELEGRAM_BOT_TOKEN: `${CLIENT.clientId}:AA-a-token`,
      TELEGRAM_ISSUER_URL: `${url}/login`,
      TELEGRAM_CLIENT_ID: CLIENT.clientId,
      TELEGRAM_CLIENT_SECRET: CLIENT.clientSecret,
    },
    /** Telegram's login, below `/login`. */
    telegram,
    removePrice: () => void (hasPrice = false),
    /** @param number undefined makes the chain unreachable */
    setBlock: (number: number | undefined) => void (block = number),
    close,
  }
}

export type FakeServices = Awaited<ReturnType<typeof startFakeServices>>

type Answer = { status: number; body: unknown }

/** X's answer about a post: written by the handle in its link, with the campaign's hashtags. */
function embed(link: string): Answer {
  const [, handle = '', id = ''] = /^https:\/\/x\.com\/(\w{1,15})\/status\/([0-9]{1,20})$/.exec(link) ?? []
  if (handle === '') return { status: 404, body: { error: 'Not Found' } }
  const hashtags = campaign.airdrop.tasks.flatMap((task) => task.hashtags ?? []).join(' ')
  const comment = `Comment number ${id.slice(-7)} of mine. ${hashtags}`
  return { status: 200, body: embedOf({ by: handle, id, text: comment }) }
}

function chatMember(body: string): Answer {
  const { user_id: userId } = JSON.parse(body) as { user_id: number }
  return { status: 200, body: memberOf(userId, 'member') }
}

/** A pair in DexScreener's format. */
function pairOf(contract: string) {
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
    priceUsd: '0.000123',
    txns: { h24: { buys: 31, sells: 22 } },
    volume: { h24: 1843.21, h6: 402.9, h1: 77.1, m5: 0 },
    liquidity: { usd: 48_211.4, base: 196_004_211, quote: 1_021_004_233 },
    pairCreatedAt: 1_767_225_600_000,
  }
}

function rpcAnswer(method: string, block: number): RpcAnswer {
  const results: Record<string, string> = {
    eth_blockNumber: `0x${block.toString(16)}`,
    eth_chainId: '0x171', // 369
    eth_getCode: '0x',
    eth_getTransactionCount: '0x3',
    eth_getBalance: '0x0',
  }
  const result = results[method]
  return result ? { result } : methodNotFound(method)
}
