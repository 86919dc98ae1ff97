import type { Asset } from '#contract/allocation.ts'
import type { Rpc, RpcFailure } from '#contract/token-proofs/rpc.ts'
import {
  type Block,
  blockCall,
  isObject,
  resultOf,
  toAddress,
  toBigInt,
  toBlock,
  toHash,
  toNumber,
  toQuantity,
} from './chain-values.ts'

/** A transfer to anyone; hashes and addresses in lower case. `logIndex` is -1 for the coin itself. */
export type Transfer = {
  transaction: string
  logIndex: number
  block: number
  asset: Asset
  to: string
  /** What arrived: a token that takes a fee reports the rest. */
  amount: bigint
}

/** Which token pays which asset, by its address in lower case. */
export type PaidTokens = ReadonlyMap<string, Asset>

/** keccak256('Transfer(address,address,uint256)') */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

type Range = { from: number; to: number }
export type TransferPage = { transfers: Transfer[]; last: Block } | { failure: RpcFailure }

/**
 * The transfers that a payer made in a range of blocks, and the range's last block from the same request. One
 * entry that is not what was asked for makes the whole reply garbage.
 */
export async function readTransfers(
  rpc: Rpc,
  { tokens, payer, range }: { tokens: PaidTokens; payer: string; range: Range },
): Promise<TransferPage> {
  const filter = {
    fromBlock: toQuantity(range.from),
    toBlock: toQuantity(range.to),
    address: [...tokens.keys()],
    topics: [TRANSFER, `0x${payer.slice(2).padStart(64, '0')}`],
  }
  const [logs, block] = await rpc([{ method: 'eth_getLogs', params: [filter] }, blockCall(range.to)])
  for (const reply of [logs, block]) if (reply && 'failure' in reply) return reply
  const last = toBlock(resultOf(block))
  const entries = resultOf(logs)
  if (last?.number !== range.to || !Array.isArray(entries)) return GARBAGE
  const transfers = entries.map((entry) => {
    const transfer = toTransfer(entry, tokens)
    const isAsked = transfer !== undefined && transfer.block >= range.from && transfer.block <= range.to
    const isOnChain = transfer?.block !== last.number || transfer.blockHash === last.hash
    return isAsked && isOnChain && transfer.from === payer.toLowerCase() ? transfer : undefined
  })
  return transfers.every((transfer) => transfer !== undefined) ? { transfers, last } : GARBAGE
}

const GARBAGE: TransferPage = { failure: { kind: 'garbage' } }

/** A Transfer event of one of the tokens; undefined if it is anything else. */
export function toTransfer(
  entry: unknown,
  tokens: PaidTokens,
): (Transfer & { from: string; blockHash: string }) | undefined {
  if (!isObject(entry) || entry['removed'] === true) return undefined
  const { topics } = entry
  if (!Array.isArray(topics) || topics.length !== 3 || toHash(topics[0]) !== TRANSFER) return undefined
  const asset = tokens.get(toAddress(entry['address']) ?? '')
  const [from, to] = [addressIn(topics[1]), addressIn(topics[2])]
  const [transaction, blockHash] = [toHash(entry['transactionHash']), toHash(entry['blockHash'])]
  const [block, logIndex] = [toNumber(entry['blockNumber']), toNumber(entry['logIndex'])]
  const amount = toHash(entry['data']) && toBigInt(entry['data'])
  if (!asset || !from || !to || !transaction || !blockHash) return undefined
  if (block === undefined || logIndex === undefined || typeof amount !== 'bigint') return undefined
  return { transaction, blockHash, logIndex, block, asset, from, to, amount }
}

/** The address in a topic, whose other bytes are zero. */
function addressIn(topic: unknown): string | undefined {
  const word = toHash(topic)
  return word?.startsWith(`0x${'0'.repeat(24)}`) ? `0x${word.slice(26)}` : undefined
}
