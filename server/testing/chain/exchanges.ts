import type { Markets } from '#contract/campaign-file.ts'
import { type Contract, createDeployer, readArtifact } from './deployer.ts'
import type { Anvil } from '../fakes/anvil.ts'

type Exchange = { name: string; factory: Contract; router: Contract }

/** Two exchanges as on PulseChain, the wrapped coin, a dollar, and the account that created them. */
export type Exchanges = Awaited<ReturnType<typeof buildExchanges>>

/** Amounts of a token and of the coin or the dollar, in smallest units. `on` is the first exchange by default. */
type Deposit = { on?: Exchange; amount: bigint } & ({ coins: bigint } | { dollars: bigint })

export const ZERO = `0x${'0'.repeat(40)}`
export const DEAD = `0x${'dead'.padStart(40, '0')}`
const COMMUNITY_BURN = `0x${'369'.padStart(40, '0')}`
/** Seconds since 1970, in the far future. */
export const DEADLINE = 2n ** 40n
export const COIN = 10n ** 18n

/** Deploys Uniswap's own exchange twice, in a quarter of a second. */
export async function buildExchanges(chain: Anvil) {
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
  const poolOf = async ({ factory }: Exchange, a: Contract, b: Contract): Promise<Contract> => {
    const address = await deployer.read(factory, 'getPair', [a.address, b.address])
    return { address: String(address).toLowerCase(), abi: artifacts.pair.abi }
  }
  /** Adds the deployer's tokens and coins or dollars to their pool, which is created if missing. */
  const addPool = async (token: Contract, deposit: Deposit) => {
    const { on = v1, amount } = deposit
    await deployer.send(token, 'approve', [on.router.address, amount])
    if ('coins' in deposit) {
      const args = [token.address, amount, 0n, 0n, deployer.address, DEADLINE]
      await deployer.send(on.router, 'addLiquidityETH', args, deposit.coins)
      return poolOf(on, token, wrappedCoin)
    }
    const { dollars } = deposit
    await deployer.send(dollar, 'approve', [on.router.address, dollars])
    const args = [token.address, dollar.address, amount, dollars, 0n, 0n, deployer.address, DEADLINE]
    await deployer.send(on.router, 'addLiquidity', args)
    return poolOf(on, token, dollar)
  }
  // A coin is worth half a cent. A shallow pool says otherwise.
  await addPool(dollar, { amount: 5_000n * COIN, coins: 1_000_000n * COIN })
  await addPool(dollar, { on: v2, amount: 5_000n * COIN, coins: 1_000n * COIN })
  const markets = marketsOf([v1, v2], wrappedCoin, dollar)
  return { deployer, v1, v2, wrappedCoin, dollar, addPool, poolOf, markets }
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
