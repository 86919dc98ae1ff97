import type { Rpc } from '#contract/token-proofs/rpc.ts'
import type { ProvenWallet } from '#contract/accounts/wallets.ts'
import { trimTyped } from '#contract/protocol/fields.ts'
import type { Deps } from '#server/deps.ts'
import { toChecksum } from '#server/platform/eip55.ts'
import { refuse, refuseField } from '#server/platform/refusal.ts'
import { walletProblem } from '../claims/submission/validate-proof.ts'
import { consumeMessage, issueMessage } from './messages.ts'
import { refuseIfFixed, saveWallet } from './proven-wallet.ts'
import { verifySignature } from './verify-signature.ts'

/** When to try again if the chain could not be asked. */
const RETRY_AFTER_SECONDS = 30

/**
 * Composes the message for the wallet to sign. Reveals nothing about the wallet, because anyone can ask.
 * @throws refusals of the field `wallet`, and `wallet_fixed`.
 */
export async function beginProvingWallet(
  deps: Deps,
  publicUrl: string,
  { userId, wallet }: { userId: string; wallet: string },
): Promise<{ nonce: string; message: string }> {
  const trimmed = trimTyped(wallet)
  const problem = walletProblem(trimmed, deps.campaign.token.contract)
  if (problem) throw refuseField('wallet', problem)
  await refuseIfFixed(deps.db, deps, userId)
  return issueMessage(deps, publicUrl, { userId, address: toChecksum(trimmed) })
}

type FinishInput = { userId: string; network: string; nonce: string; signature: string }

/**
 * Proves a wallet by its signature of the message with this nonce. The message is used up before the
 * signature is verified, so that each attempt needs a new message.
 * @param rpc fails if the node serves another chain than the campaign's.
 * @throws refusals `wallet_message_expired`, `signature_unchecked` if the chain could not be asked,
 * `signature_wrong`, `signature_length`, and those of {@link saveWallet}.
 */
export async function finishProvingWallet(deps: Deps, rpc: Rpc, input: FinishInput): Promise<ProvenWallet> {
  const { userId, network, nonce, signature } = input
  const message = await consumeMessage(deps, userId, nonce)
  if (!message) throw refuse('wallet_message_expired')
  const verdict = await verifySignature(rpc, message, signature)
  if ('unclear' in verdict) {
    deps.log.warn({ why: verdict.unclear }, 'the signature of a wallet cannot be verified')
    throw refuse('signature_unchecked', { retryAfter: RETRY_AFTER_SECONDS })
  }
  if ('refused' in verdict) throw refuse(verdict.refused)
  return saveWallet(deps, { userId, network }, { address: message.address, kind: verdict.kind })
}
