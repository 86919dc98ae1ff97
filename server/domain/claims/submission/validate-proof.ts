import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { TELEGRAM_HANDLE } from '#contract/accounts/telegram.ts'
import { readPostLink, X_HANDLE } from '#contract/claims/x-post.ts'
import { trimTyped } from '#contract/protocol/fields.ts'
import { isChecksumRight, toChecksum } from '#server/platform/eip55.ts'
import { refuse } from '#server/platform/refusal.ts'
import type { StoredProof } from '../claim.ts'

/** Why fields are refused, by field. The functions that read a field add to it. */
type Reasons = Record<string, string>

/**
 * Validates the proof form and normalizes it: wallet with its checksum, handles without @, canonical link.
 * @throws refusal `invalid_input` with a reason for every invalid field.
 */
export function validateProof(input: Proof, campaign: CampaignFile): StoredProof {
  const reasons: Reasons = {}
  const wallet = readWallet(trimTyped(input.wallet), campaign.token.contract, reasons)
  const telegram = readHandle(input.telegram, TELEGRAM_HANDLE, 'telegram', reasons)
  const twitter = readHandle(input.twitter, X_HANDLE, 'twitter', reasons)
  const post = readPostLink(trimTyped(input.retweetLink))
  if (!post) reasons['retweetLink'] = 'retweet_link_format'
  else if (post.handle.toLowerCase() !== twitter.toLowerCase() && !('twitter' in reasons))
    reasons['retweetLink'] = 'retweet_link_handle'
  if (!post || Object.keys(reasons).length > 0) throw refuse('invalid_input', { fields: reasons })
  return { wallet, telegram, twitter, postId: post.id, retweetLink: post.link }
}

/**
 * Whether no one has the key of an address. No known key gives 32 leading zeros, which precompiled contracts
 * and all burn addresses that a campaign file may list have. 0xdEaD…2069 is another burn address.
 */
const isBurnAddress = (wallet: string) =>
  /^0x0{32}/.test(wallet) || wallet.toLowerCase() === '0xdead000000000000000042069420694206942069'

function readWallet(wallet: string, tokenContract: string, reasons: Reasons): string {
  const problem = walletProblem(wallet, tokenContract)
  if (!problem) return toChecksum(wallet)
  reasons['wallet'] = problem
  return wallet
}

/** The key of the reason why a wallet is refused. Undefined if it can belong to a participant. */
export function walletProblem(wallet: string, tokenContract: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(wallet)) return 'wallet_format'
  if (!isChecksumRight(wallet)) return 'wallet_checksum'
  if (canReceive(wallet, tokenContract)) return undefined
  return isBurnAddress(wallet) ? 'wallet_burn' : 'wallet_token'
}

export function canReceive(wallet: string, tokenContract: string): boolean {
  return !isBurnAddress(wallet) && wallet.toLowerCase() !== tokenContract.toLowerCase()
}

function readHandle(text: string, pattern: RegExp, field: 'telegram' | 'twitter', reasons: Reasons): string {
  const handle = trimTyped(text).replace(/^@/, '')
  if (!pattern.test(handle)) reasons[field] = `${field}_format`
  return handle
}
