import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { PROOF_CLAIMS } from '#contract/token-proofs/proof.ts'
import type { TokenProof } from '#contract/token-proofs.ts'
import defaultCampaign from '#server/testing/campaign.ts'
import { buildWorld } from '#server/testing/chain/world.ts'
import { twoRoles } from '#server/testing/database/database.ts'
import { startAnvil } from '#server/testing/fakes/anvil.ts'
import { deadAddress } from '#server/testing/fakes/http-stub.ts'
import { startProgram } from '#server/testing/product.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { until } from '#server/testing/until.ts'

test('the program proves an honest token, and prices it while the price service is down', async (t) => {
  const chain = await startAnvil()
  t.after(() => chain.stop())
  // An honest token that cannot be sold in the block of its purchase.
  const world = await buildWorld(chain, ['cooldown'])
  const campaign = world.campaignOf(defaultCampaign, 'cooldown')
  const file = path.join(await scratchFolder(t), 'campaign.json')
  await writeFile(file, JSON.stringify(campaign))
  const { env, owner } = await twoRoles(t)
  const outsideServices = { CHAIN_RPC_URL: chain.url, PRICE_API_URL: await deadAddress(t) }
  const { url, output } = await startProgram(t, { ...env, ...outsideServices, CAMPAIGN_CONFIG: file })
  assert.notEqual(url, '', output.join('\n'))
  const get = async (route: string) =>
    (await fetch(`${url}/api/v1${route}`, { headers: { connection: 'close' } })).json()
  /** Lets the program ask again at once, if an answer came too late on a busy machine. */
  const endMinute = () =>
    owner.query(`
      update token_checks set asked_at = asked_at - interval '1 minute' where answered_at > asked_at;
      update market_prices set asked_at = asked_at - interval '1 minute' where failed_at > asked_at;
      update pool_prices set asked_at = asked_at - interval '1 minute' where failed_at > asked_at`)
  let proofs: TokenProof[] = []
  await until('all claims are proven', async () => {
    await endMinute()
    proofs = ((await get('/proofs')) as { data: TokenProof[] }).data
    return proofs.every(({ verdict }) => verdict === 'proven')
  })
  const claims = proofs.map(({ claim }) => claim)
  assert.deepEqual(claims, PROOF_CLAIMS)

  let pairs: unknown = null
  await until('there is a price', async () => {
    await endMinute()
    ;({ pairs } = (await get(`/latest/dex/tokens/${campaign.token.contract}`)) as { pairs: unknown })
    return pairs !== null
  })
  assert.partialDeepStrictEqual(pairs, [{ priceUsd: '0.000001', source: 'pool', dexId: 'pulsex-v1' }])
})
