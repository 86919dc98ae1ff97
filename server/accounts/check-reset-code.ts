import { sql } from 'kysely'
import type { verifyOtp as endpoint } from '#contract/accounts.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import { inTransaction, type Tx } from '../platform/database.ts'
import { hashToken, newToken } from '../platform/secrets.ts'
import { knownDevice } from '../sessions/devices.ts'
import { flowBrowserOf } from './flow-browser.ts'
import { lockEmail } from './codes.ts'
import { verifyCode, refuseCode } from './verify-code.ts'
import { readEmail } from './rules.ts'

const LIFETIME = '10 minutes'

/**
 * Exchanges a reset code for a reset token; an older token of that account is void.
 * @param kept what the browser keeps of the code it asked for and of earlier logins, as it came.
 * @returns the token, of which only a hash is kept.
 */
export async function checkResetCode(
  deps: Deps,
  input: BodyOf<typeof endpoint>,
  kept: { keepsake: string | undefined; device: string | undefined },
): Promise<string> {
  const email = readEmail(input.email)
  const browser = flowBrowserOf(deps.keys, email.key, kept.keepsake)
  const token = newToken()
  const result = await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const user = await tx
      .selectFrom('users')
      .select(['id', 'password_hash'])
      .where('email_key', '=', email.key)
      .executeTakeFirst()
    const device = knownDevice(deps.keys, user, kept.device)
    const guesser = { purpose: 'reset-password', emailKey: email.key, browser, device } as const
    const guessed = await verifyCode(tx, deps.keys, guesser, input.otp)
    if ('wrong' in guessed) return guessed
    if (!guessed.right.userId) return { wrong: 'code_invalid' as const }
    await keepToken(tx, guessed.right.userId, token)
    return guessed
  })
  if ('wrong' in result) throw refuseCode(result)
  return token
}

async function keepToken(tx: Tx, userId: string, token: string): Promise<void> {
  await tx.deleteFrom('reset_tokens').where('user_id', '=', userId).execute()
  await tx
    .insertInto('reset_tokens')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      expires_at: sql<Date>`now() + ${sql.lit(LIFETIME)}::interval`,
    })
    .execute()
}
