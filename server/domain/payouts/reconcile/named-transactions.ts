import type { Rpc } from '#contract/token-proofs/rpc.ts'
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
} from './chain-values.ts'
import { type PaidTokens, type Transfer, toTransfer } from './transfers.ts'

type NamedTransactions = {
  payer: string
  tokens: PaidTokens
  transactions: readonly string[]
  confirmed: number
}

/**
 * What a payer's own transactions have paid: the coin that they carry to their receiver, and token transfers
 * that they caused, also from a contract. What a contract passes on in coins is in no receipt.
 * @param confirmed the last block that counts.
 * @throws refusals `chain_unreadable`, and `invalid_input` for a transaction that failed, is too new or of
 * someone else.
 */
export async function readNamedTransactions(rpc: Rpc, named: NamedTransactions): Promise<Transfer[]> {
  const transfers: Transfer[] = []
  for (const hash of named.transactions) transfers.push(...(await readNamed(rpc, hash, named)))
  return transfers
}

async function readNamed(
  rpc: Rpc,
  hash: string,
  { payer, tokens, confirmed }: NamedTransactions,
): Promise<Transfer[]> {
  const replies = await rpc([
    { method: 'eth_getTransactionByHash', params: [hash] },
    { method: 'eth_getTransactionReceipt', params: [hash] },
  ])
  if (replies.some((reply) => 'failure' in reply)) throw refuse('chain_unreadable')
  const [transaction, receipt] = replies.map(resultOf)
  if (!isObject(transaction) || !isObject(receipt)) throw refuseField('transactions', 'transaction_unproven')
  const block = toNumber(receipt['blockNumber'])
  const isOurs =
    toHash(transaction['hash']) === hash &&
    toHash(receipt['transactionHash']) === hash &&
    toAddress(transaction['from']) === payer.toLowerCase()
  if (!isOurs || block === undefined || block > confirmed || toNumber(receipt['status']) !== 1)
    throw refuseField('transactions', 'transaction_unproven')
  await assertOnChain(rpc, block, toHash(receipt['blockHash']))
  return [...coinOf(transaction, hash, block), ...tokensOf(receipt, { hash, block, tokens })]
}

/** @throws refusal `chain_changed` when the block of that number is another one now. */
async function assertOnChain(rpc: Rpc, number: number, hash: string | undefined): Promise<void> {
  const [reply] = await rpc([blockCall(number)])
  const block = toBlock(resultOf(reply))
  if (!block) throw refuse('chain_unreadable')
  if (block.hash !== hash) throw refuse('chain_changed')
}

function coinOf(transaction: Record<string, unknown>, hash: string, block: number): Transfer[] {
  const [to, amount] = [toAddress(transaction['to']), toBigInt(transaction['value'])]
  if (to === undefined || amount === undefined || amount === 0n) return []
  return [{ transaction: hash, logIndex: -1, block, asset: 'pls', to, amount }]
}

type Receipt = { hash: string; block: number; tokens: PaidTokens }

function tokensOf({ logs }: Record<string, unknown>, { hash, block, tokens }: Receipt): Transfer[] {
  if (!Array.isArray(logs)) throw refuse('chain_unreadable')
  return logs
    .map((entry) => toTransfer(entry, tokens))
    .filter((transfer) => transfer?.transaction === hash && transfer.block === block) as Transfer[]
}
