import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/platform/refusal.ts'
import { saveAttempt, newAttempt } from './attempts.ts'
import type { TelegramLogin } from './provider.ts'
import { refuseIfApproved } from './refuse-if-approved.ts'

/** Seconds to wait after the provider was unreachable. */
export const RETRY_AFTER = 30

/** Begins an attempt. @returns Telegram's authorization URL. */
export async function beginConnection(
  deps: Deps,
  login: TelegramLogin | undefined,
  userId: string,
): Promise<{ url: string }> {
  if (!login) throw refuse('telegram_not_offered')
  await refuseIfApproved(deps.db, deps, userId)
  const attempt = newAttempt(deps.keys)
  const authorization = await login.authorizationUrl(attempt)
  if ('unclear' in authorization) {
    deps.log.warn({ why: authorization.unclear }, 'the Telegram login cannot be reached')
    throw refuse('telegram_unreachable', { retryAfter: RETRY_AFTER })
  }
  await saveAttempt(deps, userId, attempt)
  return { url: authorization.url }
}
