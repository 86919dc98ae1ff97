import { decodeWords, type Hex, toAddress } from './abi.ts'
import { MAX_ANSWER_LENGTH, type AnsweredCall, type Reason } from './proof.ts'
import { type RpcCall, type RpcFailure, type RpcReply, startOf } from './rpc.ts'

export type Answer = { call: RpcCall; reply: RpcReply }

class CouldNotCheck extends Error {
  readonly reason: Reason
  constructor(reason: Reason) {
    super(reason.code)
    this.reason = reason
  }
}

/** Thrown when a claim can be neither proven nor contradicted; `reason` says why. */
export class Inconclusive extends CouldNotCheck {
  override name = 'Inconclusive'
}

/** Thrown when no answer of the node can be used, so that no claim can be checked. */
export class Unusable extends CouldNotCheck {
  override name = 'Unusable'
}

/** @throws {Inconclusive} if the call got no result. */
export function resultOf({ call: { method }, reply }: Answer): unknown {
  if ('failure' in reply) throw new Inconclusive({ code: 'no_answer', method, failure: reply.failure })
  return reply.result
}

/** Data of any length. @throws {Inconclusive} */
export function dataOf(answer: Answer): Hex {
  const result = resultOf(answer)
  if (typeof result === 'string' && /^0x([0-9a-f]{2})*$/i.test(result)) return result.toLowerCase()
  throw unexpectedAnswer(answer)
}

/** Exactly `count` words of 32 bytes. @throws {Inconclusive} */
export function wordsOf(answer: Answer, count: number): bigint[] {
  const words = decodeWords(resultOf(answer))
  if (words?.length !== count) throw unexpectedAnswer(answer)
  return words
}

/** @throws {Inconclusive} */
export function numberOf(answer: Answer): bigint {
  return wordsOf(answer, 1)[0] ?? 0n
}

/** In lower case. @throws {Inconclusive} */
export function addressOf(answer: Answer): Hex {
  const address = toAddress(numberOf(answer))
  if (address === undefined) throw unexpectedAnswer(answer)
  return address
}

export function unexpectedAnswer({ call: { method }, reply }: Answer): Inconclusive {
  return new Inconclusive({
    code: 'odd_answer',
    method,
    answer: truncate('result' in reply ? reply.result : reply),
  })
}

/**
 * Whether the contract itself refused, for example because it lacks the function. An empty result counts too:
 * it comes from a contract that takes any call, or from an address without code. Failures of the node or the
 * connection do not count.
 */
export function isRefusedByContract({ reply }: Answer): boolean {
  return 'result' in reply ? reply.result === '0x' : isRevert(reply.failure)
}

/** The codes of a revert are 3 (geth, formerly -32000) and -32015 (Nethermind). */
function isRevert(failure: RpcFailure): boolean {
  if (failure.kind !== 'error') return false
  const { code, message } = failure
  return code === 3 || ((code === -32000 || code === -32015) && /revert|invalid opcode/i.test(message))
}

export function toAnsweredCall({ call, reply }: Answer): AnsweredCall {
  return { ...call, answer: truncate('result' in reply ? reply.result : reply) }
}

function truncate(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > MAX_ANSWER_LENGTH ? `${startOf(text, MAX_ANSWER_LENGTH)}…` : text
}
