import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createTelegramProvider, type TelegramProvider } from '#server/testing/fakes/telegram-provider.ts'
import {
  type Answer,
  chatMember,
  embed,
  type MemberSays,
  type PostSays,
  priceOf,
  type PriceSays,
  rpc,
  type WalletSays,
} from './fake-service-answers.ts'

/** Fakes of the outside services that the product calls, with replies in recorded formats. */
export type FakeServices = {
  url: string
  /** Sets the reply of the price service. */
  price: (says: PriceSays) => void
  /** Sets the latest block; undefined makes the chain unreachable. */
  block: (number: number | undefined) => void
  /** The number of calls to the price service. */
  countPriceCalls: () => number
  /** Sets X's reply for the post with this id; without an id, for all other posts. */
  post: (says: PostSays, id?: string) => void
  /** Sets the Bot API's reply for group members. */
  member: (says: MemberSays) => void
  /** Telegram's login, below `/login`. */
  telegram: TelegramProvider
  /** Sets the data of all wallets on the chain. */
  wallet: (says: WalletSays) => void
  close: () => Promise<void>
}

export async function startFakeServices(): Promise<FakeServices> {
  let price: PriceSays = { usd: '0.000123' }
  let block: number | undefined = 24_500_000
  let calls = 0
  let member: MemberSays = 'member'
  let wallet: WalletSays = {}
  const posts = new Map<string, PostSays>()

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://services')
    const [, contract] = /^\/price\/latest\/dex\/tokens\/(0x[0-9a-fA-F]{40})$/.exec(pathname) ?? []
    if (contract) {
      calls += 1
      return priceOf(contract, price)
    }
    if (pathname === '/rpc') return rpc(await text(request), block, wallet)
    if (pathname === '/oembed') return embed(searchParams.get('url') ?? '', posts)
    if (/^\/telegram\/bot[^/]+\/getChatMember$/.test(pathname)) return chatMember(await text(request), member)
    return { status: 404, body: {} }
  }
  let url = ''
  const telegram = await createTelegramProvider(() => `${url}/login`)
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/login/')) telegram.listener(request, response)
    else void answer(request).then((said) => reply(response, said))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    telegram,
    price: (says) => (price = says),
    block: (number) => (block = number),
    countPriceCalls: () => calls,
    post: (says, id = 'all') => posts.set(id, says),
    member: (says) => (member = says),
    wallet: (says) => (wallet = says),
    close: () => {
      // Hanging connections would keep the server open.
      server.closeAllConnections()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}

function reply(response: ServerResponse, said: Answer) {
  response
    .writeHead(said.status, { 'content-type': 'application/json; charset=utf-8', ...said.headers })
    .end(JSON.stringify(said.body))
}
