import type { Rpc, RpcFailure, RpcReply } from '#contract/token-proofs/rpc.ts'
import { describeRpcFailure, isPlainAccount } from '../chain/rpc.ts'

/** Whether an address is a contract and accepts a signature; `unclear` is for the log, never a "no". */
export type ContractAnswer = 'no contract' | 'accepted' | 'rejected' | { unclear: string }

/**
 * Checks an ERC-1271 signature on the chain, in one request.
 * @param rpc answers for the campaign's chain only.
 */
export async function askContract(
  rpc: Rpc,
  address: string,
  hash: Uint8Array,
  signature: Uint8Array,
): Promise<ContractAnswer> {
  const call = { to: address, data: isValidSignature(hash, signature) }
  const [code, verdict] = await rpc([
    { method: 'eth_getCode', params: [address, 'latest'] },
    { method: 'eth_call', params: [call, 'latest'] },
  ])
  const account = readCode(code)
  return account === 'contract' ? readVerdict(verdict) : account
}

function readCode(reply: RpcReply | undefined): 'contract' | 'no contract' | { unclear: string } {
  const code = readHex(reply)
  if (typeof code !== 'string') return code
  return isPlainAccount(code) ? 'no contract' : 'contract'
}

function readVerdict(reply: RpcReply | undefined): ContractAnswer {
  if (reply && 'failure' in reply && isRevert(reply.failure)) return 'rejected'
  const answer = readHex(reply)
  if (typeof answer !== 'string') return answer
  return answer.slice(0, ACCEPTED.length).toLowerCase() === ACCEPTED ? 'accepted' : 'rejected'
}

function readHex(reply: RpcReply | undefined): string | { unclear: string } {
  if (!reply || 'failure' in reply)
    return { unclear: reply ? describeRpcFailure(reply.failure) : 'gave no reply' }
  const { result } = reply
  return typeof result === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(result)
    ? result
    : { unclear: 'did not answer with bytes' }
}

/** A revert: error code 3 or, from nodes without a code for it, the word in the message. */
function isRevert(failure: RpcFailure): boolean {
  return failure.kind === 'error' && (failure.code === 3 || /revert/i.test(failure.message))
}

/** `isValidSignature(bytes32,bytes)` of ERC-1271; its reply to a valid signature is the selector, padded. */
const SELECTOR = '1626ba7e'
const ACCEPTED = `0x${SELECTOR.padEnd(64, '0')}`

function isValidSignature(hash: Uint8Array, signature: Uint8Array): string {
  const word = (number: number) => number.toString(16).padStart(64, '0')
  const bytes = Buffer.from(signature).toString('hex')
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
  return `0x${SELECTOR}${Buffer.from(hash).toString('hex')}${word(64)}${word(signature.length)}${padded}`
}
