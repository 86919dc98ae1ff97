import * as z from 'zod/mini'
import { Refusal } from './refusal.ts'

/** All refusal codes with their HTTP status. The server's message catalog has a text for each. */
export const ERROR_STATUS = {
  // every call
  invalid_input: 400,
  malformed_json: 400,
  unknown_host: 400,
  unauthenticated: 401,
  forbidden: 403,
  foreign_origin: 403, // called from another website
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
  code_exhausted: 429, // too many wrong guesses at one code
  guesses_exhausted: 429, // too many wrong guesses in a day
  code_cooldown: 429,
  reset_token_invalid: 400,
  credentials_invalid: 401,
  email_unverified: 403,
  account_banned: 403,
  current_password_wrong: 400,
  // two-factor login
  two_factor_required: 403, // at a login: its code is missing
  two_factor_wrong: 403,
  two_factor_on: 409,
  two_factor_off: 409,
  two_factor_not_begun: 409,
  two_factor_needed: 403, // this site requires it of administrators
  // claims
  already_claimed: 409,
  attempts_over: 409, // the participant may not claim again
  wallet_taken: 409,
  handle_taken: 409,
  post_taken: 409,
  slots_gone: 409,
  campaign_not_open: 409,
  campaign_closed: 409,
  campaign_paused: 409,
  campaign_not_paused: 409,
  campaign_open: 409,
  campaign_unsettled: 409, // claims or appeals are undecided, or slots are still reserved
  campaign_archived: 409,
  campaign_not_found: 404,
  wrong_points: 400, // other than the campaign grants
  claim_not_found: 404,
  cluster_not_found: 404,
  claim_rejected: 409,
  claim_approved: 409,
  claim_held: 409, // to be decided on its own
  claim_changed: 409,
  claim_locked: 409,
  claim_superseded: 409, // by a newer one of its participant
  nothing_to_undo: 409,
  own_claim: 403,
  review_started: 409, // too late to edit the claim
  edited_elsewhere: 409, // by the participant, after this form was opened
  edits_over: 409,
  not_appealable: 409,
  already_appealed: 409,
  // people
  person_not_found: 404,
  person_deleted: 409,
  participant_banned: 409,
  already_banned: 409,
  not_banned: 409,
  own_account: 403,
  last_administrator: 409,
  administrator_account: 409,
  role_unchanged: 409,
  no_role_offer: 409,
  // the waiting list
  slots_left: 409,
  slot_held: 409, // one is kept or reserved for the participant
  // the Telegram account
  telegram_not_offered: 404,
  telegram_expired: 400,
  telegram_refused: 400,
  telegram_unreachable: 503,
  telegram_taken: 409,
  telegram_fixed: 409, // by an approved claim
  // the proven wallet
  wallet_message_expired: 400,
  signature_wrong: 400,
  signature_length: 400,
  signature_unchecked: 503,
  wallet_proven: 409,
  wallet_fixed: 409, // by an approved claim
  // the payout
  payout_not_set: 409,
  payout_busy: 409, // with another run
  payout_frozen: 409,
  payout_not_frozen: 409,
  payout_reconciled: 409, // too late to undo the freeze: payments are recorded
  terms_changed: 409, // the settings that decide the amounts
  claims_undecided: 409,
  wallets_shared: 409,
  nothing_to_pay: 409,
  amounts_too_large: 409,
  ledger_differs: 409, // from the amounts to freeze
  chain_unreadable: 503,
  chain_changed: 409, // a block with payments is no longer on it
  allocation_not_found: 404,
  // the first administrator
  setup_link_wrong: 400,
  setup_link_used: 400,
  setup_link_expired: 400,
  setup_done: 409,
  // logo and mascot
  picture_unknown_format: 400,
  picture_svg: 400,
  picture_unreadable: 400,
  picture_too_many_pixels: 400,
  picture_too_small: 400,
  picture_too_large: 413,
  // webhooks
  webhook_not_found: 404,
  webhooks_full: 409,
  // the settings
  settings_changed: 409,
  promise_broken: 409, // what participants were promised may not change
  // emails and announcements
  mail_not_found: 404,
  mail_not_resendable: 409,
  suppression_not_found: 404,
  announcement_not_found: 404,
  announcement_started: 409,
  announcement_changed: 409,
  announcement_sent: 409,
  announcement_not_sending: 409,
  announcement_busy: 409,
  announcement_for_nobody: 409,
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
