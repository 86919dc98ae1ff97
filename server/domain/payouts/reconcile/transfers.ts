import type { Asset } from '#contract/allocation.ts'
import type { Block } from '#contract/token-proofs/proof.ts'
import type { Rpc, RpcFailure } from '#contract/token-proofs/rpc.ts'
import { createRpc } from '#server/domain/chain/rpc.ts'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import { refuse, refuseField } from '#server/platform/refusal.ts'
import {
  blockCall,
  isObject,
  resultOf,
  toAddress,
  toBigInt,
  toBlock,
  toHash,
  toNumber,
  toQuantity,
} from '#server/domain/chain/rpc-values.ts'

/** Calls a node of any chain. One block may have thousands of transfers, so replies may be large and slow. */
export function createScanRpc(url: string): Rpc {
  const http = createHttpClient({
    allow: [url],
    timeoutMs: 20_000,
    maxBytes: 32 * 1024 * 1024,
    concurrency: 1,
  })
  return createRpc(http, url)
}

/** A transfer to any address; hashes and addresses in lower case. `logIndex` is -1 for the coin itself. */
export type Transfer = {
  transaction: string
  logIndex: number
  block: number
  asset: Asset
  to: string
  /** What arrived, in base units: a token that keeps a tax reports the amount without it. */
  amount: bigint
}

/** Which token pays which asset, by its address in lower case. */
export type PaidTokens = ReadonlyMap<string, Asset>

/** keccak256('Transfer(address,address,uint256)') */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

type Range = { from: number; to: number }
type RangeTransfers = { transfers: Transfer[]; last: Block } | { failure: RpcFailure }

/** Gets transfers and the last block in one reply, which is garbage if an entry does not match the filter. */
export async function readTransfers(
  rpc: Rpc,
  { tokens, payer, range }: { tokens: PaidTokens; payer: string; range: Range },
): Promise<RangeTransfers> {
  const filter = {
    fromBlock: toQuantity(range.from),
    toBlock: toQuantity(range.to),
    address: [...tokens.keys()],
    topics: [TRANSFER_TOPIC, `0x${payer.slice(2).padStart(64, '0')}`],
  }
  const [logsReply, blockReply] = await rpc([
    { method: 'eth_getLogs', params: [filter] },
    blockCall(range.to),
  ])
  for (const reply of [logsReply, blockReply]) if (reply && 'failure' in reply) return reply
  const last = toBlock(resultOf(blockReply))
  const entries = resultOf(logsReply)
  if (last?.number !== range.to || !Array.isArray(entries)) return GARBAGE
  const transfers = entries.map((entry) => {
    const transfer = toTransfer(entry, tokens)
    if (transfer?.from !== payer.toLowerCase()) return undefined
    if (transfer.block < range.from || transfer.block > range.to) return undefined
    // The hashes of the other blocks are not known here.
    return transfer.block === last.number && transfer.blockHash !== last.hash ? undefined : transfer
  })
  return transfers.every((transfer) => transfer !== undefined) ? { transfers, last } : GARBAGE
}

const GARBAGE: RangeTransfers = { failure: { kind: 'garbage' } }

/** A Transfer event of one of the tokens; undefined if it is anything else. */
function toTransfer(
  entry: unknown,
  tokens: PaidTokens,
): (Transfer & { from: string; blockHash: string }) | undefined {
  if (!isObject(entry) || entry['removed'] === true) return undefined
  const { topics } = entry
  if (!Array.isArray(topics) || topics.length !== 3 || toHash(topics[0]) !== TRANSFER_TOPIC) return undefined
  const asset = tokens.get(toAddress(entry['address']) ?? '')
  const [from, to] = [addressIn(topics[1]), addressIn(topics[2])]
  const [transaction, blockHash] = [toHash(entry['transactionHash']), toHash(entry['blockHash'])]
  const [block, logIndex] = [toNumber(entry['blockNumber']), toNumber(entry['logIndex'])]
  // The data is one word, as long as a hash.
  const amount = toBigInt(toHash(entry['data']))
  if (!asset || !from || !to || !transaction || !blockHash) return undefined
  if (block === undefined || logIndex === undefined || amount === undefined) return undefined
  return { transaction, blockHash, logIndex, block, asset, from, to, amount }
}

/** The address in a topic, whose other bytes are zero. */
function addressIn(topic: unknown): string | undefined {
  const word = toHash(topic)
  return word?.startsWith(`0x${'0'.repeat(24)}`) ? `0x${word.slice(26)}` : undefined
}

type NamedTransactions = {
  payer: string
  tokens: PaidTokens
  transactions: readonly string[]
  lastConfirmed: number
}

/**
 * What the transactions that a caller names have paid: the coins that they carry to their receivers, and the
 * token transfers that they cause, even from a contract. Coins that a contract passes on are in no receipt.
 * @throws refusals `chain_unreadable`, `chain_changed`, and `invalid_input` for a transaction that failed, is
 * too new, or is not the payer's.
 */
export async function readNamedTransactions(rpc: Rpc, named: NamedTransactions): Promise<Transfer[]> {
  const transfers: Transfer[] = []
  for (const hash of named.transactions) transfers.push(...(await readNamedTransaction(rpc, hash, named)))
  return transfers
}

async function readNamedTransaction(
  rpc: Rpc,
  hash: string,
  { payer, tokens, lastConfirmed }: NamedTransactions,
): Promise<Transfer[]> {
  const replies = await rpc([
    { method: 'eth_getTransactionByHash', params: [hash] },
    { method: 'eth_getTransactionReceipt', params: [hash] },
  ])
  if (replies.some((reply) => 'failure' in reply)) throw refuse('chain_unreadable')
  const [transaction, receipt] = replies.map(resultOf)
  if (!isObject(transaction) || !isObject(receipt)) throw refuseField('transactions', 'transaction_unproven')
  const block = toNumber(receipt['blockNumber'])
  const isByPayer =
    toHash(transaction['hash']) === hash &&
    toHash(receipt['transactionHash']) === hash &&
    toAddress(transaction['from']) === payer.toLowerCase()
  if (!isByPayer || block === undefined || block > lastConfirmed || toNumber(receipt['status']) !== 1)
    throw refuseField('transactions', 'transaction_unproven')
  await assertOnChain(rpc, block, toHash(receipt['blockHash']))
  const { logs } = receipt
  if (!Array.isArray(logs)) throw refuse('chain_unreadable')
  const tokenTransfers = logs
    .map((entry) => toTransfer(entry, tokens))
    .filter((transfer) => transfer?.transaction === hash && transfer.block === block) as Transfer[]
  return [...coinTransfers(transaction, hash, block), ...tokenTransfers]
}

/** @throws refusal `chain_changed` if the block at that number now has another hash. */
async function assertOnChain(rpc: Rpc, number: number, hash: string | undefined): Promise<void> {
  const [reply] = await rpc([blockCall(number)])
  const block = toBlock(resultOf(reply))
  if (!block) throw refuse('chain_unreadable')
  if (block.hash !== hash) throw refuse('chain_changed')
}

function coinTransfers(transaction: Record<string, unknown>, hash: string, block: number): Transfer[] {
  const [to, amount] = [toAddress(transaction['to']), toBigInt(transaction['value'])]
  if (to === undefined || amount === undefined || amount === 0n) return []
  return [{ transaction: hash, logIndex: -1, block, asset: 'pls', to, amount }]
}
