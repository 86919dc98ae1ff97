import type { ErrorCode } from '#contract/protocol/errors.ts'
import { violatedCheck, violatedUnique } from '#server/platform/database/database.ts'
import { refuse, type Refusal } from '#server/platform/refusal.ts'

const REFUSALS: Record<string, ErrorCode> = {
  claims_one_live: 'already_claimed',
  claims_campaign_id_user_id_attempt_key: 'already_claimed',
  slots_one_a_person: 'already_claimed',
  claims_wallet: 'wallet_taken',
  claims_telegram: 'handle_taken',
  claims_twitter: 'handle_taken',
  claims_post: 'post_taken',
}

export function refusalForViolation(error: unknown): Refusal | undefined {
  // The account was banned during the call.
  if (violatedCheck(error) === 'claims_not_banned') return refuse('account_banned')
  const code = REFUSALS[violatedUnique(error) ?? '']
  return code && refuse(code)
}
