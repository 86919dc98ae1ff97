import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { checkToken } from '#contract/token-proofs/check-token.ts'
import { PROOF_CLAIMS } from '#contract/token-proofs/proof.ts'
import { subjectOf } from '#contract/token-proofs/subject.ts'
import type { TokenProof } from '#contract/token-proofs.ts'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import defaultCampaign from '#server/testing/campaign.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { COIN } from '#server/testing/chain/exchanges.ts'
import { advanceChecks } from '#server/testing/builders/token-checks.ts'
import { buildWorld, type TokenName, type World } from '#server/testing/chain/world.ts'
import { twoRoles } from '#server/testing/database/database.ts'
import { type Anvil, startAnvil } from '#server/testing/fakes/anvil.ts'
import { deadAddress } from '#server/testing/fakes/http-stub.ts'
import { startProgram } from '#server/testing/product.ts'
import { queuedMails } from '#server/testing/queued-mails.ts'
import { twoNodes } from '#server/testing/database/races.ts'
import { until } from '#server/testing/until.ts'
import { createRpc } from '../chain/rpc.ts'
import { createProofReader } from './read-proofs.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { runTokenCheck } from './run-token-check.ts'

const NAMES = ['owned', 'cooldown'] as const satisfies TokenName[]

let chain: Anvil
let world: World<(typeof NAMES)[number]>
before(async () => {
  chain = await startAnvil()
  world = await buildWorld(chain, NAMES)
})
after(() => chain.stop())

test('follows a token whose owner renounces it and then adds liquidity', async (t) => {
  const campaign = world.campaignOf(defaultCampaign, 'owned')
  // Two nodes, which take turns to check once a minute.
  const nodes = await twoNodes(t, campaign)
  const [one, other] = nodes
  await createUsers(one.db, campaign.id, 1, { role: 'admin' })
  const readers = nodes.map((node) => createProofReader(node))
  const rpc = createRpc(createHttpClient({ allow: [chain.url], timeoutMs: 20_000 }), chain.url)
  const ask = () => checkToken(rpc, subjectOf(campaign))
  let turns = 0
  /** Both nodes try to check, a minute later. @returns the claims that both then show as not proven. */
  const check = async () => {
    await advanceChecks(one.db, 60)
    turns += 1
    const order = turns % 2 === 0 ? [one, other] : [other, one]
    for (const node of order) await runTokenCheck(node, ask)
    const [shown, elsewhere] = await Promise.all(readers.map((read) => read()))
    assert.deepEqual(elsewhere, shown)
    return Object.fromEntries(
      shown
        ?.filter(({ verdict }) => verdict !== 'proven')
        .map(({ claim, verdict, reason }) => [claim, `${verdict}: ${reason}`]) ?? [],
    )
  }
  const readMails = async () =>
    (await queuedMails(one.db)).map(({ template, values }) => `${template} ${values['subject']}`)

  assert.deepEqual(await check(), { ownership: 'not_so: owned' })
  await world.deployer.send(world.tokens.owned, 'renounceOwnership')
  assert.deepEqual(await check(), {})
  assert.deepEqual(await readMails(), ['proof-proven PF, No owner'])
  // The deployer keeps this liquidity on another exchange, instead of burning it.
  await world.addPool(world.tokens.owned, { on: world.v2, amount: 10n ** 8n * COIN, coins: 50_000n * COIN })
  assert.deepEqual(await check(), { liquidity: 'not_so: partly_burned' })
  assert.deepEqual(await check(), { liquidity: 'not_so: partly_burned' })
  assert.deepEqual(await readMails(), ['proof-proven PF, No owner', 'proof-not-so PF, Liquidity burned'])
})

test('the program proves an honest token, and prices it while the price service is down', async (t) => {
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'campaign.json')
  const campaign = world.campaignOf(defaultCampaign, 'cooldown')
  await writeFile(file, JSON.stringify(campaign))
  const { env, owner } = await twoRoles(t)
  const outside = { CHAIN_RPC_URL: chain.url, PRICE_API_URL: await deadAddress(t) }
  const { url, output } = await startProgram(t, { ...env, ...outside, CAMPAIGN_CONFIG: file })
  assert.notEqual(url, '', output.join('\n'))
  const get = async (call: string) =>
    (await fetch(`${url}/api/v1${call}`, { headers: { connection: 'close' } })).json()
  /** Lets the program ask again at once if an answer came too late, as on a busy machine. */
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
