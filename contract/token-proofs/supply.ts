import type { Hex } from './abi.ts'
import { type Answer, numberOf, unexpectedAnswer } from './rpc-answers.ts'
import type { CodeScan } from './code.ts'
import { findMint, isReadable } from './ownership.ts'
import type { Reason } from './proof.ts'
import type { Reader } from './reader.ts'
import type { RpcCall } from './rpc.ts'
import type { TokenSubject } from './subject.ts'

/** The answers to {@link supplyCalls}. */
type SupplyAnswers = { decimals: Answer; supply: Answer }

export function supplyCalls({ viewCall }: Reader, token: Hex): [decimals: RpcCall, supply: RpcCall] {
  return [viewCall(token, 'decimals()'), viewCall(token, 'totalSupply()')]
}

/**
 * Proven if the supply and decimals are as the campaign says, or the supply is smaller after burns, and the
 * code has no function that creates tokens.
 * @throws {Inconclusive}
 */
export function judgeSupply(scan: CodeScan, answers: SupplyAnswers, subject: TokenSubject): Reason {
  const decimals = Number(readDecimals(answers.decimals))
  if (decimals !== subject.decimals) return { code: 'decimals_differ', decimals, stated: subject.decimals }
  const supply = numberOf(answers.supply)
  const stated = BigInt(subject.supply) * 10n ** BigInt(decimals)
  const amounts = { supply: String(supply), stated: String(stated), decimals }
  if (supply > stated) return { code: 'supply_larger', ...amounts }
  if (supply === 0n) throw unexpectedAnswer(answers.supply) // There would be no token at all.
  // An `escape` is an instruction such as DELEGATECALL, which every kind of proxy contains.
  if (scan.escape) return { code: 'changeable_code', supply: amounts.supply, decimals }
  if (!isReadable(scan)) return { code: 'unreadable_code' }
  const signature = findMint(scan)
  if (signature) return { code: 'mintable', supply: amounts.supply, decimals, signature }
  return supply === stated
    ? { code: 'supply_as_stated', supply: amounts.supply, decimals }
    : { code: 'supply_smaller', ...amounts }
}

function readDecimals(answer: Answer): bigint {
  const decimals = numberOf(answer)
  if (decimals > 255n) throw unexpectedAnswer(answer) // The function returns a uint8.
  return decimals
}
