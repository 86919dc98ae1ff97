import type { Deps } from '../deps.ts'
import { refuse } from '../platform/refusal.ts'
import { saveAttempt, newAttempt } from './attempts.ts'
import type { TelegramLogin } from './provider.ts'
import { refuseIfClaimed } from './refuse-if-claimed.ts'

/** Seconds after which a provider that is away is asked again at the earliest. */
export const COME_AGAIN = 30

/** Begins to connect: where at Telegram the participant goes. @throws refusal where that cannot be told now. */
export async function beginConnection(
  deps: Deps,
  login: TelegramLogin | undefined,
  userId: string,
): Promise<{ url: string }> {
  if (!login) throw refuse('telegram_not_offered')
  await refuseIfClaimed(deps.db, deps, userId)
  const attempt = newAttempt(deps.keys)
  const address = await login.addressFor(attempt)
  if ('unclear' in address) {
    deps.log.warn({ why: address.unclear }, 'the Telegram login cannot be reached')
    throw refuse('telegram_unreachable', { retryAfter: COME_AGAIN })
  }
  await saveAttempt(deps, userId, attempt)
  return { url: address.url }
}
