import { createWalletClient, defineChain, getAddress, http, parseUnits, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import campaign from '#server/testing/campaign.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { createDeployer, readArtifact } from '#server/testing/chain/deployer.ts'
import { type Anvil, startAnvil } from '#server/testing/fakes/anvil.ts'
import { writeCampaign } from './campaign-file.ts'
import { prepareProduct } from './operator.ts'
import { startFakeServices } from './fake-services.ts'
import { type Product, productOf, test as base } from './product.ts'

/** A launched campaign: its token is deployed on a test chain, and the holder owns the entire supply. */
export type Launch = { chain: Anvil; campaign: CampaignFile; holder: PrivateKeyAccount }

/** `test` for a campaign whose contract is not a placeholder. */
export const test = base.extend<object, { launch: Launch; product: Product }>({
  launch: [
    async ({}, use) => {
      const chain = await startAnvil()
      const holder = privateKeyToAccount(generatePrivateKey())
      const contract = await deploy(chain, holder)
      const token = { ...campaign.token, contract, placeholder: false }
      await use({ chain, holder, campaign: { ...campaign, token } })
      await chain.stop()
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ launch }, use, { workerIndex }) => {
      const services = await startFakeServices()
      const launched = await writeCampaign(launch.campaign)
      const operator = await prepareProduct(`launched-${workerIndex}`, {
        TRUST_PROXY: 'loopback',
        CAMPAIGN_CONFIG: launched.file,
        PRICE_API_URL: `${services.url}/price`,
        CHAIN_RPC_URL: launch.chain.url,
      })
      await operator.start()
      await use(productOf(operator, services))
      await operator.remove()
      await services.close()
      await launched.remove()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

/** A client that signs and sends transactions, and reads the chain. */
export function clientOf({ url }: Pick<Anvil, 'url'>, account: PrivateKeyAccount) {
  const { id, name, currency } = campaign.chain
  const chain = defineChain({ id, name, nativeCurrency: currency, rpcUrls: { default: { http: [url] } } })
  return createWalletClient({ account, chain, transport: http(url) }).extend(publicActions)
}

/** Deploys the token with the entire supply for the holder. @returns its checksummed address. */
async function deploy(chain: Anvil, holder: PrivateKeyAccount): Promise<string> {
  await chain.call('anvil_setBalance', [holder.address, `0x${(10n ** 18n).toString(16)}`])
  const artifact = await readArtifact('@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json')
  const { name, symbol, supply, decimals } = campaign.token
  const whole = parseUnits(supply.replaceAll(',', ''), decimals)
  const deployer = await createDeployer(chain)
  const { address } = await deployer.deploy(artifact, [name, symbol, whole, holder.address])
  return getAddress(address)
}
