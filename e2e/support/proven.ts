import type { RequestListener } from 'node:http'
import campaign from '#server/testing/campaign.ts'
import { buildWorld, type World } from '#server/testing/chain/world.ts'
import { type Anvil, startAnvil } from '#server/testing/fakes/anvil.ts'
import { type LocalServer, serve } from '#server/testing/fakes/http-stub.ts'
import { jsonRpcNode, methodNotFound } from '#server/testing/fakes/json-rpc.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { tokenProofs } from '#contract/token-proofs.ts'
import type { Answer } from './caller.ts'
import { expect, type Product, test as base, withProduct } from './product.ts'

/** A chain with the token `fair`, about which everything that the site claims is true. */
type HonestWorld = World<'fair'> & { chain: Anvil; campaign: CampaignFile }

/**
 * `test` for a product that has checked its token on a real chain. A test that breaks a claim about the token
 * has to restore it and to check the token again.
 */
export const test = base.extend<object, { world: HonestWorld; product: Product }>({
  world: [
    async ({}, use) => {
      const chain = await startAnvil()
      try {
        const world = await buildWorld(chain, ['fair'])
        await use({ ...world, chain, campaign: world.campaignOf(campaign, 'fair') })
      } finally {
        await chain.stop()
      }
    },
    { scope: 'worker' },
  ],
  product: [
    ({ world }, use, { workerIndex }) => {
      const { campaign: fairCampaign, chain } = world
      const options = { campaign: fairCampaign, env: { CHAIN_RPC_URL: chain.url } }
      return withProduct(`proven-${workerIndex}`, options, async (product) => {
        await expect(async () => {
          await product.checkToken(fairCampaign, { rpcUrl: chain.url })
          expect(verdictsOf(await product.call(tokenProofs))).toEqual(['proven'])
          // Pages are cached for a second, and longer while the database is busy.
          for (const path of ['/', '/tokenomics'])
            expect(await shownVerdictsOf(product, path), path).toEqual(['proven'])
        }).toPass({ intervals: [200] })
        await use(product)
      })
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

async function shownVerdictsOf({ url }: Product, path: string) {
  const page = await (await fetch(url + path)).text()
  return [...new Set([...page.matchAll(/data-verdict="(\w+)"/g)].map(([, verdict]) => verdict))]
}

const verdictsOf = ({ body }: Answer<typeof tokenProofs>) => [
  ...new Set(body.data.map(({ verdict }) => verdict)),
]

/**
 * Starts a fake node of a chain.
 * @param answers the result of each known method, or one text for every request
 * @param options.isReadableByPages whether web pages of other origins may read the answers (CORS)
 */
export function startFakeNode(
  answers: Record<string, unknown> | string,
  { isReadableByPages = true } = {},
): Promise<LocalServer> {
  const reply: RequestListener =
    typeof answers === 'string'
      ? (_request, response) => void response.end(answers)
      : jsonRpcNode((method) => (method in answers ? { result: answers[method] } : methodNotFound(method)))
  return serve((request, response) => {
    if (isReadableByPages) {
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-allow-headers', '*')
    }
    if (request.method === 'OPTIONS') response.end()
    else reply(request, response)
  })
}
