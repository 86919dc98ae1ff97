import type { Markets } from '#contract/campaign-file.ts'
import { type Contract, createDeployer, type Deployer, readArtifact } from './deployer.ts'
import type { Anvil } from '../fakes/anvil.ts'

export type Exchange = { name: string; factory: Contract; router: Contract }

/** Two exchanges as on PulseChain, the wrapped coin, a dollar, and the account that created them. */
export type Exchanges = {
  deployer: Deployer
  markets: Markets
  v1: Exchange
  v2: Exchange
  wrappedCoin: Contract
  dollar: Contract
  /**
   * Adds the deployer's tokens, and coins or dollars, to their pool, which is created if there is none. The
   * deployer gets the liquidity. @returns the pool.
   */
  addPool(token: Contract, deposit: Deposit): Promise<Contract>
  poolOf(exchange: Pick<Exchange, 'factory'>, a: Contract, b: Contract): Promise<Contract>
}

/** Amounts of the token and what prices it, in the smallest units; `on` is the first exchange by default. */
type Deposit = { on?: Exchange; amount: bigint } & ({ coins: bigint } | { dollars: bigint })

export const ZERO = `0x${'0'.repeat(40)}`
export const DEAD = `0x${'dead'.padStart(40, '0')}`
const COMMUNITY_BURN = `0x${'369'.padStart(40, '0')}`
/** In seconds since 1970: never reached. */
const DEADLINE = 2n ** 40n
export const COIN = 10n ** 18n

/** Deploys Uniswap's own exchange twice; takes a quarter of a second. */
export async function buildExchanges(chain: Anvil): Promise<Exchanges> {
  const deployer = await createDeployer(chain)
  const artifacts = await readArtifacts()
  const wrappedCoin = await deployer.deploy(artifacts.wrappedCoin)
  const supply = 10n ** 12n * COIN
  const dollar = await deployer.deploy(artifacts.fixedSupply, ['Dollar', 'DAI', supply, deployer.address])
  const buildExchange = async (name: string): Promise<Exchange> => {
    const factory = await deployer.deploy(artifacts.factory, [deployer.address])
    const router = await deployer.deploy(artifacts.router, [factory.address, wrappedCoin.address])
    return { name, factory, router }
  }
  const v1 = await buildExchange('PulseX V1')
  const v2 = await buildExchange('PulseX V2')
  const poolOf: Exchanges['poolOf'] = async ({ factory }, a, b) => {
    const address = await deployer.read(factory, 'getPair', [a.address, b.address])
    return { address: String(address).toLowerCase(), abi: artifacts.pair.abi }
  }
  const addPool: Exchanges['addPool'] = async (token, deposit) => {
    const { on: { factory, router } = v1, amount } = deposit
    await deployer.send(token, 'approve', [router.address, amount])
    if ('coins' in deposit) {
      const args = [token.address, amount, 0n, 0n, deployer.address, DEADLINE]
      await deployer.send(router, 'addLiquidityETH', args, deposit.coins)
      return poolOf({ factory }, token, wrappedCoin)
    }
    const { dollars } = deposit
    await deployer.send(dollar, 'approve', [router.address, dollars])
    const args = [token.address, dollar.address, amount, dollars, 0n, 0n, deployer.address, DEADLINE]
    await deployer.send(router, 'addLiquidity', args)
    return poolOf({ factory }, token, dollar)
  }
  const exchanges = {
    deployer,
    v1,
    v2,
    wrappedCoin,
    dollar,
    addPool,
    poolOf,
    markets: marketsOf([v1, v2], wrappedCoin, dollar),
  }
  // A coin is worth half a cent; a shallow pool says otherwise.
  await addPool(dollar, { amount: 5_000n * COIN, coins: 1_000_000n * COIN })
  await addPool(dollar, { on: v2, amount: 5_000n * COIN, coins: 1_000n * COIN })
  return exchanges
}

async function readArtifacts() {
  const [factory, pair, router, wrappedCoin, fixedSupply] = await Promise.all([
    readArtifact('@uniswap/v2-core/build/UniswapV2Factory.json'),
    readArtifact('@uniswap/v2-core/build/UniswapV2Pair.json'),
    readArtifact('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
    readArtifact('@uniswap/v2-periphery/build/WETH9.json'),
    readArtifact('@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json'),
  ])
  return { factory, pair, router, wrappedCoin, fixedSupply }
}

function marketsOf(exchanges: Exchange[], wrappedCoin: Contract, dollar: Contract): Markets {
  return {
    exchanges: exchanges.map(({ name, factory, router }) => ({
      name,
      factory: factory.address,
      router: router.address,
    })),
    wrappedCoin: wrappedCoin.address,
    dollar: { symbol: 'DAI', address: dollar.address, decimals: 18 },
    quotes: [],
    burnAddresses: [ZERO, DEAD, COMMUNITY_BURN],
  }
}
