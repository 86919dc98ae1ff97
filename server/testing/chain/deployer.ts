import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Abi, decodeFunctionResult, encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import type { Anvil } from '../fakes/anvil.ts'
import type { Artifact } from './solidity.ts'

export type Deployer = Awaited<ReturnType<typeof createDeployer>>

/** @property address in lower case */
export type Contract = { address: string; abi: Abi }

/** Enough coins for any pool, in the smallest unit. */
const FUNDS = 10n ** 30n

/** Uses the first of anvil's own accounts, which sign without a key. */
export async function createDeployer(chain: Anvil) {
  const [address = ''] = (await chain.call('eth_accounts')) as string[]
  await chain.call('anvil_setBalance', [address, hex(FUNDS)])
  const sendTransaction = async (transaction: { to?: string; data: Hex; value?: bigint }) => {
    const value = hex(transaction.value ?? 0n)
    const request = { gas: hex(10_000_000n), ...transaction, from: address, value }
    // This method answers once the transaction is in a block.
    const receipt = (await chain.call('eth_sendTransactionSync', [request])) as Receipt
    if (receipt.status !== '0x1') throw new Error(`The transaction ${receipt.transactionHash} failed`)
    return receipt
  }
  return {
    address,
    async deploy({ abi, bytecode }: Artifact, args: Args = []): Promise<Contract> {
      const { contractAddress } = await sendTransaction({ data: encodeDeployData({ abi, bytecode, args }) })
      return { address: contractAddress ?? '', abi }
    },
    /** Calls a function of a contract in a transaction of its own. @throws if it reverts. */
    async send({ address: to, abi }: Contract, functionName: string, args: Args = [], value = 0n) {
      await sendTransaction({ to, data: encodeFunctionData({ abi, functionName, args }), value })
    },
    /** Calls a function without a transaction. @returns its decoded result. */
    async read({ address: to, abi }: Contract, functionName: string, args: Args = []): Promise<unknown> {
      const data = (await chain.call('eth_call', [
        { to, data: encodeFunctionData({ abi, functionName, args }) },
        'latest',
      ])) as Hex
      return decodeFunctionResult({ abi, functionName, args, data })
    },
  }
}

type Args = readonly unknown[]
type Receipt = { transactionHash: string; status: string; contractAddress: string | null }

const hex = (number: bigint): Hex => `0x${number.toString(16)}`

/** Reads a package's compiled contract. @param file as in `@uniswap/v2-core/build/UniswapV2Pair.json`. */
export async function readArtifact(file: string): Promise<Artifact> {
  const json = await readFile(fileURLToPath(import.meta.resolve(file)), 'utf8')
  const { abi, bytecode } = JSON.parse(json) as { abi: Abi; bytecode: string }
  return { abi, bytecode: bytecode.startsWith('0x') ? (bytecode as Hex) : `0x${bytecode}` }
}
