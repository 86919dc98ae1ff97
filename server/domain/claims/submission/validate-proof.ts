import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { TELEGRAM_HANDLE } from '#contract/accounts/telegram.ts'
import { readPostLink, X_HANDLE } from '#contract/claims/x-post.ts'
import { isChecksumRight, toChecksum } from '#server/platform/eip55.ts'
import { refuse } from '#server/platform/refusal.ts'
import type { StoredProof } from '../claim.ts'

type Reasons = Record<string, string>

/**
 * Validates the proof form and normalizes it: wallet with its checksum, handles without @, canonical link.
 * @throws refusal `invalid_input` with a reason for every invalid field.
 */
export function validateProof(typed: Proof, campaign: CampaignFile): StoredProof {
  const reasons: Reasons = {}
  const wallet = readWallet(typed.wallet.trim(), campaign.token.contract, reasons)
  const telegram = readHandle(typed.telegram, TELEGRAM_HANDLE, 'telegram', reasons)
  const twitter = readHandle(typed.twitter, X_HANDLE, 'twitter', reasons)
  const post = readPostLink(typed.retweetLink.trim())
  if (!post) reasons['retweetLink'] = 'retweet_link_format'
  else if (post.handle.toLowerCase() !== twitter.toLowerCase() && !('twitter' in reasons)) {
    reasons['retweetLink'] = 'retweet_link_handle'
  }
  if (!post || Object.keys(reasons).length > 0) throw refuse('invalid_input', { fields: reasons })
  return { wallet, telegram, twitter, postId: post.id, retweetLink: post.link }
}

/**
 * Whether no one has the key of an address. No key is known to give 32 leading zeros, which precompiled
 * contracts and most burn addresses have, among them those of the campaign file.
 */
const isBurnAddress = (wallet: string) =>
  /^0x0{32}/.test(wallet) || wallet.toLowerCase() === '0xdead000000000000000042069420694206942069'

function readWallet(wallet: string, tokenContract: string, reasons: Reasons): string {
  const problem = walletProblem(wallet, tokenContract)
  if (!problem) return toChecksum(wallet)
  reasons['wallet'] = problem
  return wallet
}

/** Why a wallet is refused, as the reason at its field; undefined if it can be a participant's. */
export function walletProblem(wallet: string, tokenContract: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(wallet)) return 'wallet_format'
  if (!isChecksumRight(wallet)) return 'wallet_checksum'
  if (canReceive(wallet, tokenContract)) return undefined
  return isBurnAddress(wallet) ? 'wallet_burn' : 'wallet_token'
}

/** Whether an address can belong to a participant: not a burn address, not the token's own. */
export function canReceive(wallet: string, tokenContract: string): boolean {
  return !isBurnAddress(wallet) && wallet.toLowerCase() !== tokenContract.toLowerCase()
}

function readHandle(typed: string, pattern: RegExp, field: 'telegram' | 'twitter', reasons: Reasons): string {
  const handle = typed.trim().replace(/^@/, '')
  if (!pattern.test(handle)) reasons[field] = `${field}_format`
  return handle
}
