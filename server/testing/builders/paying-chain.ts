import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Asset } from '#contract/allocation.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { payout, payoutRows, type Payout, type PayoutEntry } from '#contract/dashboard/payouts.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { marketsOf } from '#contract/token-proofs/subject.ts'
import {
  CONFIRMATIONS,
  reconcile,
  type ReconcileOptions,
} from '#server/domain/payouts/reconcile/reconcile.ts'
import { createScanRpc } from '#server/domain/payouts/reconcile/transfers.ts'
import { type Contract, createDeployer, readArtifact } from '../chain/deployer.ts'
import { type Anvil, startAnvil } from '../fakes/anvil.ts'
import { freezeNow, payoutApi, payoutCampaign, readPaidMails } from './payouts.ts'

/** A chain with a token and the wrapped coin, which the payer holds, and a campaign that names them. */
export async function startPayingChain(t: TestContext) {
  const chain = await startAnvil()
  t.after(() => chain.stop())
  const deployer = await createDeployer(chain)
  const preset = await readArtifact('@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json')
  const token = await deployer.deploy(preset, ['Pocket Future', 'PF', 2n ** 200n, deployer.address])
  const wrapped = await deployer.deploy(await readArtifact('@uniswap/v2-periphery/build/WETH9.json'))
  await deployer.send(wrapped, 'deposit', [], 10n ** 24n)
  return { chain, deployer, token, wrapped, campaign: campaignOf(token, wrapped) }
}

function campaignOf(token: Contract, wrapped: Contract): CampaignFile {
  const campaign = payoutCampaign()
  const markets = marketsOf(campaign.chain) ?? assert.fail()
  return {
    ...campaign,
    token: { ...campaign.token, contract: token.address },
    chain: { ...campaign.chain, markets: { ...markets, wrappedCoin: wrapped.address } },
  }
}

export type PayingChain = Awaited<ReturnType<typeof startPayingChain>>

/** A frozen campaign in a database of its own. @param names of participants, each with an approved claim. */
export async function startFrozenCampaign<const Name extends string>(
  t: TestContext,
  { chain, deployer, campaign }: PayingChain,
  names: readonly Name[],
) {
  const api = await payoutApi(t, campaign)
  const people = {} as Record<Name, Awaited<ReturnType<typeof api.approveNewClaim>>>
  for (const name of names) people[name] = await api.approveNewClaim()
  await freezeNow(api.deps)
  const rpc = createScanRpc(chain.url)
  const run = (changes: Partial<ReconcileOptions> = {}, through: Rpc = rpc) =>
    reconcile(api.deps, through, { actor: null, payer: deployer.address, transactions: [], ...changes })
  const readReconciled = async () => {
    const { body } = await api.call(payout, { token: api.adm.token })
    return (body.data as Payout).frozen?.reconciled
  }
  const listWallets = async (list: string, asset: Asset = 'pf') => {
    const { body } = await api.call(payoutRows, { token: api.adm.token, query: { list, asset } })
    return (body.data as PayoutEntry[]).map(({ wallet }) => wallet).toSorted()
  }
  const readMails = () => readPaidMails(api.db)
  return { ...api, people, rpc, reconcile: run, readReconciled, listWallets, readMails }
}

export const confirm = (chain: Anvil) => chain.mine(CONFIRMATIONS)
