import { type Argument, encodeCall, type Hex, type Signature } from './abi.ts'
import { type Answer, Unusable } from './rpc-answers.ts'
import type { Block } from './proof.ts'
import { BATCH_SIZE, inChunks, isQuantity, forChain, type Rpc, type RpcCall } from './rpc.ts'

export type Reader = {
  block: Block
  /** The block's number in hexadecimal, as calls take it. */
  tag: Hex
  /** The block's base fee, in the smallest unit of the coin; undefined on a chain without one. */
  baseFee: bigint | undefined
  /**
   * Makes calls, in several requests if there are many. Each request also asks for the chain id and the
   * block, since another node may answer it.
   * @throws {Unusable} if the node is on another chain, or does not answer with the same block.
   */
  read(calls: readonly RpcCall[]): Promise<Answer[]>
  /** A call of a contract's function, to be passed to `read`. */
  viewCall(to: Hex, signature: Signature, ...values: readonly Argument[]): RpcCall
}

/** Adds answers to those that a verdict rests on. */
export type RecordAnswers = (answers: readonly Answer[]) => void

/** Leaves room for the block and the chain id, which is asked twice if `rpc` itself comes from `forChain`. */
const CALLS_PER_REQUEST = BATCH_SIZE - 3

/**
 * @param blocksBehind how far before the newest block to read.
 * @throws {Unusable} if the node is on another chain or names no block.
 */
export async function openReader(rpc: Rpc, chainId: number, blocksBehind: number): Promise<Reader> {
  const ask = askOn(rpc, chainId)
  const newest = await readBlock(ask, 'latest')
  const { baseFee, ...block } =
    blocksBehind === 0 ? newest : await readBlock(ask, toQuantity(Math.max(0, newest.number - blocksBehind)))
  const tag = toQuantity(block.number)
  return {
    block,
    tag,
    baseFee,
    read: (calls) =>
      inChunks(calls, CALLS_PER_REQUEST, async (chunk) => {
        const [blockAnswer, ...answers] = await ask([blockCall(tag), ...chunk])
        if (parseBlock(blockAnswer)?.hash === block.hash) return answers
        if (isSilent(blockAnswer)) throw new Unusable({ code: 'no_answer', ...failureOf(blockAnswer) })
        throw new Unusable({ code: 'heads_differ', block: block.number })
      }),
    viewCall: (to, signature, ...values) => ({
      method: 'eth_call',
      params: [{ to, data: encodeCall(signature, ...values) }, tag],
    }),
  }
}

type Ask = (calls: readonly RpcCall[]) => Promise<Answer[]>

function askOn(rpc: Rpc, chainId: number): Ask {
  const guarded = forChain(rpc, chainId)
  return async (calls) => {
    const replies = await guarded(calls)
    return calls.map((call, index) => {
      const reply = replies[index] ?? { failure: { kind: 'garbage' } }
      if ('failure' in reply && reply.failure.kind === 'other_chain')
        throw new Unusable({ code: 'other_chain', expected: chainId, answered: reply.failure.answered })
      return { call, reply }
    })
  }
}

type FullBlock = Block & { baseFee: bigint | undefined }

async function readBlock(ask: Ask, tag: string): Promise<FullBlock> {
  const [answer] = await ask([blockCall(tag)])
  const block = parseBlock(answer)
  if (!block) throw new Unusable({ code: 'no_answer', ...failureOf(answer) })
  return block
}

const blockCall = (tag: string): RpcCall => ({ method: 'eth_getBlockByNumber', params: [tag, false] })

function parseBlock(answer: Answer | undefined): FullBlock | undefined {
  const result = answer && 'result' in answer.reply ? answer.reply.result : undefined
  if (typeof result !== 'object' || result === null) return undefined
  const { number, hash, timestamp, baseFeePerGas } = result as Record<string, unknown>
  if (!isQuantity(number) || !isQuantity(timestamp)) return undefined
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash)) return undefined
  const baseFee = isFee(baseFeePerGas) ? BigInt(baseFeePerGas) : undefined
  return { number: Number(number), hash, time: Number(timestamp), baseFee }
}

/** At most 80 bits: a million coins for a unit of gas. */
const isFee = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-f]{1,20}$/i.test(value)

function failureOf(answer: Answer | undefined) {
  const failure = answer && 'failure' in answer.reply ? answer.reply.failure : ({ kind: 'garbage' } as const)
  return { method: 'eth_getBlockByNumber', failure }
}

/** A number as JSON-RPC writes it. */
export const toQuantity = (number: number | bigint): Hex => `0x${number.toString(16)}`

/** Whether no JSON-RPC reply came. A node that does not know the block gives one. */
function isSilent(answer: Answer | undefined): boolean {
  const kind = answer && 'failure' in answer.reply ? answer.reply.failure.kind : undefined
  return kind === 'unreachable' || kind === 'status'
}
