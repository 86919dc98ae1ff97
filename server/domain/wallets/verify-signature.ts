import type { ProvenWallet } from '#contract/accounts/wallets.ts'
import type { Rpc } from '#contract/proofs/rpc.ts'
import { askContract } from './ask-contract.ts'
import type { OwnershipMessage } from './messages.ts'
import { ACCOUNT_SIGNATURE_BYTES, hashOfText, recoverSigner } from './recover-signer.ts'

/** What a signature shows. `unclear`: the chain could not be asked; a reason for the log, never a "no". */
export type Verdict =
  | { kind: ProvenWallet['kind'] }
  | { refused: 'signature_wrong' | 'signature_length' }
  | { unclear: string }

/**
 * Verifies that a wallet signed exactly this text. A regular account's signature needs no chain; anything else may be
 * that of a contract, which is asked (ERC-1271).
 * @param signature `0x` and pairs of hexadecimal digits.
 */
export async function verifySignature(
  rpc: Rpc,
  { address, text }: OwnershipMessage,
  signature: string,
): Promise<Verdict> {
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const hash = hashOfText(text)
  if ((await recoverSigner(hash, bytes)) === address) return { kind: 'account' }
  const answer = await askContract(rpc, address, hash, bytes)
  if (typeof answer === 'object') return answer
  if (answer === 'accepted') return { kind: 'contract' }
  const isOfContract = answer === 'rejected'
  return {
    refused:
      isOfContract || bytes.length === ACCOUNT_SIGNATURE_BYTES ? 'signature_wrong' : 'signature_length',
  }
}
