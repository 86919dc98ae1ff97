import { keccak_256 } from '@noble/hashes/sha3.js'
import type { ProvenWallet } from '#contract/accounts/wallets.ts'
import { encode } from '#contract/token-proofs/abi.ts'
import type { Rpc, RpcFailure, RpcReply } from '#contract/token-proofs/rpc.ts'
import { toChecksum } from '#server/platform/eip55.ts'
import { describeRpcFailure, isPlainAccount } from '../chain/rpc.ts'
import { toBytes } from '../chain/rpc-values.ts'
import type { OwnershipMessage } from './messages.ts'

/** `unclear` says for the log why the chain could not be asked. */
type Verdict =
  | { kind: ProvenWallet['kind'] }
  | { refused: 'signature_wrong' | 'signature_length' }
  | { unclear: string }

/**
 * Verifies that a wallet signed exactly this text. Needs no chain for a regular account's signature. For any
 * other signature, asks the contract at the wallet's address (ERC-1271).
 * @param signature `0x` and pairs of hexadecimal digits.
 */
export async function verifySignature(
  rpc: Rpc,
  { address, text }: OwnershipMessage,
  signature: string,
): Promise<Verdict> {
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const hash = personalMessageHash(text)
  if ((await recoverSigner(hash, bytes)) === address) return { kind: 'account' }
  return askContract(rpc, address, hash, bytes)
}

/** The hash that a wallet signs with `personal_sign` (EIP-191, version 0x45). */
export function personalMessageHash(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'utf8')
  return keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]))
}

/** r, s and v. */
const ACCOUNT_SIGNATURE_BYTES = 65

/** Which of the two possible keys signed, by `v`: 27 or 28 in Ethereum, 0 or 1 from some hardware wallets. */
const RECOVERY_IDS: Partial<Record<number, number>> = { 27: 0, 28: 1, 0: 0, 1: 1 }

/**
 * The checksummed address whose key made the signature. Undefined for a wrong length, an unknown `v`, numbers
 * out of range, a point that does not exist, or a high `s`, which anyone can derive from a signature (EIP-2).
 */
export async function recoverSigner(hash: Uint8Array, signature: Uint8Array): Promise<string | undefined> {
  const recovery = RECOVERY_IDS[signature.at(-1) ?? -1]
  if (signature.length !== ACCOUNT_SIGNATURE_BYTES || recovery === undefined) return undefined
  // Loaded on first use, to save memory on a node where no one proves a wallet.
  const { secp256k1 } = await import('@noble/curves/secp256k1.js')
  try {
    const parsed = secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact')
    if (parsed.hasHighS()) return undefined
    return addressOf(parsed.addRecoveryBit(recovery).recoverPublicKey(hash).toBytes(false))
  } catch {
    return undefined
  }
}

/** The last 20 of the 32 bytes of the key's hash. @param publicKey uncompressed: 0x04, then 64 bytes. */
function addressOf(publicKey: Uint8Array): string {
  return toChecksum(`0x${Buffer.from(keccak_256(publicKey.subarray(1))).toString('hex', 12)}`)
}

/** Enough to verify many signatures. Without a limit, a contract could keep the chain's node busy. */
const MAX_GAS = 5_000_000

/** Asks the contract at an address whether it accepts a signature (ERC-1271), in one request. */
async function askContract(
  rpc: Rpc,
  address: string,
  hash: Uint8Array,
  signature: Uint8Array,
): Promise<Verdict> {
  const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`
  const data = `0x${SELECTOR}${encode([hex(hash), { bytes: hex(signature) }])}`
  const call = { to: address, data, gas: `0x${MAX_GAS.toString(16)}` }
  const [codeReply, verdictReply] = await rpc([
    { method: 'eth_getCode', params: [address, 'latest'] },
    { method: 'eth_call', params: [call, 'latest'] },
  ])
  const code = readBytes(codeReply)
  // No usable answer: the address may be a contract or a plain account.
  if (typeof code !== 'string') return code
  if (!isPlainAccount(code)) return readVerdict(verdictReply)
  return { refused: signature.length === ACCOUNT_SIGNATURE_BYTES ? 'signature_wrong' : 'signature_length' }
}

function readVerdict(reply: RpcReply | undefined): Verdict {
  if (reply && 'failure' in reply && hasContractFailed(reply.failure)) return { refused: 'signature_wrong' }
  const answer = readBytes(reply)
  if (typeof answer !== 'string') return answer
  const isAccepted = answer.slice(0, ACCEPTED.length).toLowerCase() === ACCEPTED
  return isAccepted ? { kind: 'contract' } : { refused: 'signature_wrong' }
}

function readBytes(reply: RpcReply | undefined): string | { unclear: string } {
  if (!reply || 'failure' in reply)
    return { unclear: reply ? describeRpcFailure(reply.failure) : 'gave no reply' }
  return toBytes(reply.result) ?? { unclear: 'did not answer with bytes' }
}

/** Some nodes report a revert or a lack of gas by error code 3, others only in the message. */
function hasContractFailed(failure: RpcFailure): boolean {
  return failure.kind === 'error' && (failure.code === 3 || /revert|out ?of ?gas/i.test(failure.message))
}

/** `isValidSignature(bytes32,bytes)` of ERC-1271. Its reply to a valid signature is the padded selector. */
const SELECTOR = '1626ba7e'
const ACCEPTED = `0x${SELECTOR.padEnd(64, '0')}`
