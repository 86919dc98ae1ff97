import * as z from 'zod/mini'
import { Refusal } from './refusal.ts'

/**
 * The closed list of refusal codes with their HTTP status. The server's message catalog has a text for each.
 */
export const ERROR_STATUS = {
  // every call
  invalid_input: 400,
  malformed_json: 400,
  unknown_host: 400,
  unauthenticated: 401,
  forbidden: 403,
  foreign_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  body_too_large: 413,
  unsupported_media_type: 415,
  headers_too_large: 431,
  rate_limited: 429,
  challenge_refused: 429,
  internal: 500,
  unavailable: 503,
  // accounts and sessions
  username_taken: 409,
  unknown_referral_code: 400,
  code_invalid: 400,
  code_exhausted: 429,
  guesses_exhausted: 429,
  code_cooldown: 429,
  reset_token_invalid: 400,
  credentials_invalid: 401,
  email_unverified: 403,
  account_banned: 403,
  current_password_wrong: 400,
  // claims
  already_claimed: 409,
  attempts_over: 409,
  wallet_taken: 409,
  handle_taken: 409,
  post_taken: 409,
  slots_gone: 409,
  campaign_not_open: 409,
  campaign_closed: 409,
  wrong_points: 400,
  claim_not_found: 404,
  cluster_not_found: 404,
  claim_rejected: 409,
  claim_approved: 409,
  claim_held: 409,
  claim_changed: 409,
  claim_locked: 409,
  claim_superseded: 409,
  nothing_to_undo: 409,
  own_claim: 403,
  review_started: 409,
  not_appealable: 409,
  already_appealed: 409,
  // the waiting list
  slots_left: 409,
  slot_held: 409,
  // the Telegram account
  telegram_not_offered: 404,
  telegram_expired: 400,
  telegram_refused: 400,
  telegram_unreachable: 503,
  telegram_taken: 409,
  telegram_fixed: 409,
  // the proven wallet
  wallet_message_expired: 400,
  signature_wrong: 400,
  signature_length: 400,
  signature_unchecked: 503,
  wallet_proven: 409,
  wallet_fixed: 409,
  // the payout
  payout_not_set: 409,
  payout_busy: 409,
  payout_frozen: 409,
  payout_not_frozen: 409,
  payout_reconciled: 409,
  claims_undecided: 409,
  wallets_shared: 409,
  nothing_to_pay: 409,
  ledger_differs: 409,
  chain_unreadable: 503,
  chain_changed: 409,
  allocation_not_found: 404,
  // other
  unknown_contract: 404,
  referral_not_found: 404,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** The body of every refusal. */
export const ErrorBody = z.extend(Refusal, {
  /** Machine-readable: a key of {@link ERROR_STATUS}. */
  code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
})
export type ErrorBody = z.output<typeof ErrorBody>
