import path from 'node:path'
import { encodeFunctionData, type Hex } from 'viem'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Reason, TokenCheck } from '#contract/token-proofs/proof.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { createRpc } from '../../domain/chain/rpc.ts'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import type { Anvil } from '../fakes/anvil.ts'
import { type Contract, readArtifact } from './deployer.ts'
import { buildExchanges, COIN, DEAD, type Exchanges, ZERO } from './exchanges.ts'
import { type Artifact, compileSolidity } from './solidity.ts'

/** A chain with two exchanges and some of the tokens below, by name. */
export type World<Name extends TokenName = TokenName> = Exchanges & {
  tokens: Record<Name, Contract>
  campaignOf(campaign: CampaignFile, name: Name): CampaignFile
}

/** Deploys exchanges and tokens on a new chain, in half a second for all tokens. */
export async function buildWorld<Name extends TokenName>(
  chain: Anvil,
  names: readonly Name[],
): Promise<World<Name>> {
  const exchanges = await buildExchanges(chain)
  const source = path.join(import.meta.dirname, 'tokens.sol')
  const contracts = await compileSolidity(source, { optimize: false })
  const tokens = {} as Record<Name, Contract>
  // One by one, because each transaction of an account needs the next nonce.
  for (const name of names) tokens[name] = await TOKENS[name]({ ...exchanges, contracts })
  return {
    ...exchanges,
    tokens,
    campaignOf: (campaign, name) => ({
      ...campaign,
      token: { ...campaign.token, contract: tokens[name].address, placeholder: false },
      chain: { ...campaign.chain, markets: exchanges.markets },
    }),
  }
}

export const rpcAt = (url: string, timeoutMs = 20_000): Rpc =>
  createRpc(createHttpClient({ allow: [url], timeoutMs }), url)

export const reasonOf = ({ proofs }: TokenCheck, claim: string): Reason | undefined =>
  proofs.find((proof) => proof.claim === claim)?.reason

type Workshop = Exchanges & { contracts: Record<string, Artifact> }
type Recipe = (workshop: Workshop) => Promise<Contract>

/** The supply that the campaign of the tests states, in the token's smallest unit. */
const SUPPLY = 10n ** 9n * COIN
const HALF = SUPPLY / 2n
const DECIMALS = 18
/** The coins in a pool, in the smallest unit: worth 500 dollars. */
const COINS = 100_000n * COIN

const OPENZEPPELIN = '@openzeppelin/contracts/build/contracts'

/**
 * Each token differs from an honest one, whose claims are all proven, in what its name says. Unless stated
 * otherwise, half of the supply is in a pool with the coin on the first exchange, and the pool's liquidity is
 * burned.
 */
const TOKENS = {
  /** OpenZeppelin's, without an owner function. */
  fixed: async (workshop) => {
    const args = ['Pocket Future', 'PF', SUPPLY, workshop.deployer.address]
    const token = await deployPublished(workshop, `${OPENZEPPELIN}/ERC20PresetFixedSupply`, args)
    return withBurnedPool(workshop, token)
  },
  fair: withBurned('FairToken'),
  renounced: async (workshop) => {
    const token = await withBurnedPool(workshop, await deploy(workshop, 'OwnedToken'))
    await workshop.deployer.send(token, 'renounceOwnership')
    return token
  },
  /** Honest, but cannot be sent in the block in which it arrived, so a sale right after a purchase fails. */
  cooldown: withBurned('CooldownToken'),
  /** Honest, but cannot be sent for ten minutes after it was received. */
  pause: withBurned('PauseToken'),

  owned: withBurned('OwnedToken'),
  getOwner: withBurned('GetOwnerToken'),
  /** Someone has a role, and there is no function that creates tokens. */
  role: withBurned('RoleToken'),
  /** The default role (0), which is the only one, was given up. */
  formerRole: async (workshop) => {
    const token = await withBurnedPool(workshop, await deploy(workshop, 'RoleToken'))
    await workshop.deployer.send(token, 'renounceRole', [`0x${'0'.repeat(64)}`, workshop.deployer.address])
    return token
  },
  /** OpenZeppelin's, with roles and a function that creates tokens. */
  presetMinter: async (workshop) => {
    const { deployer } = workshop
    const args = ['Pocket Future', 'PF']
    const token = await deployPublished(workshop, `${OPENZEPPELIN}/ERC20PresetMinterPauser`, args)
    await deployer.send(token, 'mint', [deployer.address, SUPPLY])
    return withBurnedPool(workshop, token)
  },
  /** Without owner and roles, but a hidden developer can create more. */
  hiddenMinter: withBurned('MintingToken'),
  proxy: async (workshop) => {
    const implementation = await deploy(workshop, 'UpgradeableToken', [])
    const start = encodeFunctionData({ abi: implementation.abi, functionName: 'start', args: [SUPPLY] })
    const args = [implementation.address, start]
    const { address } = await deployPublished(workshop, `${OPENZEPPELIN}/ERC1967Proxy`, args)
    return withBurnedPool(workshop, { address, abi: implementation.abi })
  },
  clone: async (workshop) => {
    const { deployer } = workshop
    const implementation = await deploy(workshop, 'UpgradeableToken', [])
    const { address } = await deployer.deploy({ abi: [], bytecode: cloneOf(implementation.address) })
    const token = { address, abi: implementation.abi }
    await deployer.send(token, 'start', [SUPPLY])
    return withBurnedPool(workshop, token)
  },
  /** A proxy that keeps the address of its implementation where no standard looks. */
  hiddenProxy: withBurned('HiddenProxyToken'),

  otherDecimals: async (workshop) => {
    const token = await deploy(workshop, 'FairToken', [10n ** (9n + 8n), 8])
    return withBurnedPool(workshop, token, 10n ** (9n + 8n) / 2n)
  },
  larger: withBurned('FairToken', [SUPPLY + 1n, DECIMALS]),
  smaller: withBurned('FairToken', [SUPPLY - 1n, DECIMALS]),

  unburned: async (workshop) => {
    const token = await deploy(workshop, 'FairToken')
    await workshop.addPool(token, { amount: HALF, coins: COINS })
    return token
  },
  /** Only one unit of liquidity is burned. */
  dustBurned: async (workshop) => {
    const token = await deploy(workshop, 'FairToken')
    const pool = await workshop.addPool(token, { amount: HALF, coins: COINS })
    await workshop.deployer.send(pool, 'transfer', [DEAD, 1n])
    return token
  },
  /** Three quarters of the liquidity are burned, at two addresses. */
  partlyBurned: async (workshop) => {
    const token = await deploy(workshop, 'FairToken')
    const pool = await workshop.addPool(token, { amount: HALF, coins: COINS })
    const quarter = (await liquidityOf(workshop, pool)) / 4n
    await workshop.deployer.send(pool, 'transfer', [DEAD, 2n * quarter])
    await workshop.deployer.send(pool, 'transfer', [ZERO, quarter])
    return token
  },
  /** The pool with the coin is burned. An equal pool with the dollar, on the other exchange, is not. */
  secondPool: async (workshop) => {
    const token = await deploy(workshop, 'FairToken')
    await addBurnedPool(workshop, token, HALF / 2n)
    await workshop.addPool(token, { on: workshop.v2, amount: HALF / 2n, dollars: 500n * COIN })
    return token
  },
  /** Honest: its only pool, with the dollar on the other exchange, is burned. */
  dollarPool: async (workshop) => {
    const token = await deploy(workshop, 'FairToken')
    const pool = await workshop.addPool(token, { on: workshop.v2, amount: HALF, dollars: 500n * COIN })
    await workshop.deployer.send(pool, 'transfer', [DEAD, await liquidityOf(workshop, pool)])
    return token
  },
  noPool: (workshop) => deploy(workshop, 'FairToken'),

  sellTax: taxed({ sellBps: 500n }),
  bothTaxes: taxed({ buyBps: 500n, sellBps: 1_000n }),
  /** A check tries to sell half of what it bought, but the tax leaves it less. */
  highTax: taxed({ buyBps: 9_000n }),
  transferTax: taxed({ transferBps: 300n }),
  /** Takes a tax of 5 % from sales and sells it at once, so that the pool gets as much as was sold. */
  swapBack: (workshop) => {
    const { v1, wrappedCoin } = workshop
    return poolAware('SwapBackToken', [SUPPLY, DECIMALS, v1.router.address, wrappedCoin.address])(workshop)
  },
  /** Takes a fifth of purchases, but shows the buyer the full amount. */
  phantomBuy: poolAware('PhantomToken', [SUPPLY, DECIMALS, 2_000n, 0n]),
  /** Takes a fifth of what is sent, but shows the recipient the full amount. */
  phantomSend: poolAware('PhantomToken', [SUPPLY, DECIMALS, 0n, 2_000n]),
  /** Takes a fifth of purchases, but shows everyone, buyer or not, a balance larger than a purchase. */
  crowd: poolAware('CrowdToken'),
  /** Uniswap's: burns 1 % of every transfer. */
  deflating: async (workshop) => {
    const token = await deployPublished(workshop, '@uniswap/v2-periphery/build/DeflatingERC20', [SUPPLY])
    return withBurnedPool(workshop, token)
  },
  /** Only its developer can sell, and its `owner()` says 0x0. */
  honeypot: poolAware('HoneypotToken'),
  /** A trap that is harmless during calls without a gas price, which it takes for simulations. */
  shyTrap: poolAware('ShyTrapToken'),
  /** Cannot be bought yet. */
  closed: withBurned('ClosedToken'),
} satisfies Record<string, Recipe>

export type TokenName = keyof typeof TOKENS
export const TOKEN_NAMES = Object.keys(TOKENS) as TokenName[]

async function withBurnedPool(workshop: Workshop, token: Contract, amount = HALF): Promise<Contract> {
  await addBurnedPool(workshop, token, amount)
  return token
}

/** A token of tokens.sol with a burned pool. */
function withBurned(name: string, args?: readonly unknown[]): Recipe {
  return async (workshop) => withBurnedPool(workshop, await deploy(workshop, name, args))
}

function taxed({ buyBps = 0n, sellBps = 0n, transferBps = 0n }): Recipe {
  return poolAware('TaxToken', [SUPPLY, DECIMALS, buyBps, sellBps, transferBps])
}

/** A token that treats its pool differently, and is told the pool's address. */
function poolAware(name: string, args?: readonly unknown[]): Recipe {
  return async (workshop) => {
    const token = await deploy(workshop, name, args)
    const pool = await addBurnedPool(workshop, token)
    await workshop.deployer.send(token, 'addPool', [pool.address])
    return token
  }
}

async function addBurnedPool(workshop: Workshop, token: Contract, amount = HALF): Promise<Contract> {
  const { deployer, addPool } = workshop
  const pool = await addPool(token, { amount, coins: COINS })
  await deployer.send(pool, 'transfer', [DEAD, await liquidityOf(workshop, pool)])
  return pool
}

async function liquidityOf({ deployer }: Workshop, pool: Contract): Promise<bigint> {
  return (await deployer.read(pool, 'balanceOf', [deployer.address])) as bigint
}

async function deploy(
  { deployer, contracts }: Workshop,
  name: string,
  args: readonly unknown[] = [SUPPLY, DECIMALS],
) {
  const artifact = contracts[name]
  if (!artifact) throw new Error(`tokens.sol has no ${name}`)
  return deployer.deploy(artifact, args)
}

async function deployPublished({ deployer }: Workshop, name: string, args: readonly unknown[]) {
  return deployer.deploy(await readArtifact(`${name}.json`), args)
}

/** Creation code of a minimal proxy. */
const cloneOf = (target: string): Hex =>
  `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`
