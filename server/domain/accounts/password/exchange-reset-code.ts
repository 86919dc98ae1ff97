import type { verifyOtp as endpoint } from '#contract/accounts/accounts.ts'
import type { BodyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { fromNow } from '#server/platform/database/times.ts'
import { hashToken, newToken } from '#server/platform/secrets.ts'
import { knownDevice } from '#server/domain/sessions/devices.ts'
import { flowBrowserOf } from '../flow-browser.ts'
import { lockEmail } from '../codes/one-time-codes.ts'
import { verifyCode, refuseCode } from '../codes/verify-code.ts'
import { findByEmail } from '../user.ts'
import { readEmail } from '../validate-fields.ts'
import { voidResetTokens } from './reset-password.ts'

const LIFETIME = '10 minutes'

/**
 * Exchanges a reset code for a reset token and voids the account's older tokens.
 * @param cookies unverified.
 * @returns the token; only its hash is stored.
 * @throws refusals `code_invalid`, `code_exhausted` and `guesses_exhausted`.
 */
export async function exchangeResetCode(
  deps: Deps,
  input: BodyOf<typeof endpoint>,
  cookies: { flow: string | undefined; device: string | undefined },
): Promise<string> {
  const email = readEmail(input.email)
  const browser = flowBrowserOf(deps.keys, email.key, cookies.flow)
  const token = newToken()
  const result = await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const device = knownDevice(deps.keys, await findByEmail(tx, email.key), cookies.device)
    const verifier = { purpose: 'reset-password', emailKey: email.key, browser, device } as const
    const attempt = await verifyCode(tx, deps.keys, verifier, input.otp)
    if ('rejected' in attempt) return attempt
    if (!attempt.accepted.userId) return { rejected: 'code_invalid' as const }
    await storeToken(tx, attempt.accepted.userId, token)
    return attempt
  })
  if ('rejected' in result) throw refuseCode(result)
  return token
}

async function storeToken(tx: Tx, userId: string, token: string): Promise<void> {
  await voidResetTokens(tx, userId)
  await tx
    .insertInto('reset_tokens')
    .values({ token_hash: hashToken(token), user_id: userId, expires_at: fromNow(LIFETIME) })
    .execute()
}
