import { sql } from 'kysely'
import type { TwoFactor } from '#contract/accounts/two-factor.ts'
import type { Deps } from '#server/deps.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { refuse } from '#server/platform/refusal.ts'
import { lockOwnAccount } from '../accounts/lock-account.ts'
import { mailUser } from '../mail/send-later.ts'
import { verifyCurrentPassword } from '../accounts/password/password.ts'
import { readEmail } from '../accounts/validate-fields.ts'
import { type Attribution, record } from '../journal/record.ts'
import { endSessions } from '../sessions/session.ts'
import {
  consumeTry,
  eraseSecondFactor,
  newSecret,
  replaceRecoveryCodes,
  resetTries,
  spendCode,
  totpOf,
} from './factor.ts'
import type { TwoFactorEvent } from './mail.ts'

type FactorDeps = Pick<Deps, 'db' | 'keys' | 'hasher' | 'campaign' | 'runSoon'>

export async function readTwoFactor(db: Database, userId: string): Promise<Omit<TwoFactor, 'isRequired'>> {
  const unused = sql<number>`(select count(*) from recovery_codes where user_id = f.user_id and used_at is null)`
  const factor = await db
    .selectFrom('second_factors as f')
    .select(unused.as('unused'))
    .where('f.user_id', '=', userId)
    .where('f.confirmed_at', 'is not', null)
    .executeTakeFirst()
  return { isOn: factor !== undefined, recoveryCodesLeft: factor?.unused ?? 0 }
}

/**
 * Creates a secret, which takes effect once it is confirmed. Replaces an unconfirmed one.
 * @throws refusals `current_password_wrong` and `two_factor_on`.
 */
export async function beginTwoFactor(
  deps: FactorDeps,
  { caller, password }: { caller: Caller; password: string },
): Promise<{ secret: string; uri: string }> {
  const { userId } = caller
  const { email } = await verifyCurrentPassword(deps, userId, password, 'password')
  const secret = await newSecret()
  const encrypted = deps.keys.encrypt('totp-secret', userId, secret)
  const begun = await inTransaction(deps.db, async (tx) => {
    await lockOwnAccount(tx, userId)
    return tx
      .insertInto('second_factors')
      .values({ user_id: userId, secret: encrypted })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ secret: encrypted, last_step: 0, created_at: NOW })
          .where('second_factors.confirmed_at', 'is', null),
      )
      .returning('user_id')
      .executeTakeFirst()
  })
  if (!begun) throw refuse('two_factor_on')
  // The URI separates the issuer from the label with a colon.
  const totp = await totpOf(secret, { issuer: deps.campaign.name.replaceAll(':', ' '), label: email })
  return { secret, uri: totp.toString() }
}

type CodeInput = { caller: Caller; network: string; otp: string }

/**
 * Turns two-factor login on with a code of the new secret, and ends the account's other sessions.
 * @returns the recovery codes.
 * @throws refusals `two_factor_wrong`, `two_factor_on` and `two_factor_not_begun`.
 */
export async function confirmTwoFactor(deps: FactorDeps, input: CodeInput): Promise<string[]> {
  const { userId, tokenHash } = input.caller
  const refuseUnlessUnconfirmed = (factor: Factor) => {
    if (!factor) throw refuse('two_factor_not_begun')
    if (factor.confirmed_at) throw refuse('two_factor_on')
  }
  return changeWithCode(deps, input, refuseUnlessUnconfirmed, async (tx) => {
    await tx.updateTable('second_factors').set({ confirmed_at: NOW }).where('user_id', '=', userId).execute()
    await endSessions(tx, userId, { except: tokenHash })
    await recordChange(tx, { actor: userId, userId, network: input.network }, 'enabled')
    return replaceRecoveryCodes(tx, deps, userId)
  })
}

/**
 * Replaces all recovery codes. `otp` may be one of the old ones.
 * @returns the new codes.
 * @throws refusals `two_factor_wrong` and `two_factor_off`.
 */
export async function renewRecoveryCodes(deps: FactorDeps, input: CodeInput): Promise<string[]> {
  const { userId } = input.caller
  return changeWithCode(deps, input, refuseUnlessOn, async (tx) => {
    await recordChange(tx, { actor: userId, userId, network: input.network }, 'codes_renewed')
    return replaceRecoveryCodes(tx, deps, userId)
  })
}

/**
 * @param input.isRequired whether the site requires two-factor login of administrators.
 * @throws refusals `current_password_wrong`, `two_factor_wrong`, `two_factor_off` and `two_factor_needed`.
 */
export async function endTwoFactor(
  deps: FactorDeps,
  { caller, network, password, otp, isRequired }: CodeInput & { password: string; isRequired: boolean },
): Promise<void> {
  const { userId } = caller
  if (isRequired && caller.role === 'admin') throw refuse('two_factor_needed')
  await verifyCurrentPassword(deps, userId, password, 'password')
  await changeWithCode(deps, { caller, network, otp }, refuseUnlessOn, async (tx) => {
    await eraseSecondFactor(tx, userId)
    await recordChange(tx, { actor: userId, userId, network }, 'disabled')
  })
}

type Factor = Awaited<ReturnType<typeof lockFactor>>

function refuseUnlessOn(factor: Factor) {
  if (!factor?.confirmed_at) throw refuse('two_factor_off')
}

/**
 * Makes a change that needs a code, and spends the code in the same transaction. The try is counted before,
 * so that parallel tries cannot exceed the limit. A right code resets the count.
 * @param refuseUnlessReady throws if the second factor is not in the state that the change needs.
 */
async function changeWithCode<Result>(
  deps: FactorDeps,
  { caller: { userId }, network, otp }: CodeInput,
  refuseUnlessReady: (factor: Factor) => void,
  change: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  await consumeTry(deps.db, { userId, network, code: otp })
  const result = await inTransaction(deps.db, async (tx) => {
    refuseUnlessReady(await lockFactor(tx, userId))
    await spendCode(tx, deps, userId, otp)
    return change(tx)
  })
  await resetTries(deps.db, userId)
  deps.runSoon('mail')
  return result
}

/**
 * Locks the account first, because a login locks it, too. A concurrent login without a code has either
 * committed, so that its session ends with the others, or waits for this transaction and asks for a code.
 */
async function lockFactor(tx: Tx, userId: string) {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  return tx
    .selectFrom('second_factors')
    .select('confirmed_at')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * For the command line: turns two-factor login off for someone who has lost both device and recovery codes,
 * and ends their sessions.
 * @returns the username; undefined if no account with that email has two-factor login on.
 * @throws refusal `invalid_input` naming `email`.
 */
export async function resetTwoFactor(db: Database, typedEmail: string): Promise<string | undefined> {
  return inTransaction(db, async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'username'])
      .where('email_key', '=', readEmail(typedEmail).key)
      .executeTakeFirst()
    if (!user) return undefined
    const removed = await tx
      .deleteFrom('second_factors')
      .where('user_id', '=', user.id)
      .returning('confirmed_at')
      .executeTakeFirst()
    if (!removed?.confirmed_at) return undefined
    await endSessions(tx, user.id)
    await resetTries(tx, user.id)
    await recordChange(tx, { actor: null, userId: user.id }, 'reset')
    return user.username
  })
}

type TwoFactorChange = Attribution & { userId: string }

async function recordChange(tx: Tx, { actor, userId, network }: TwoFactorChange, event: TwoFactorEvent) {
  await record(tx, { actor, action: `account.two_factor_${event}`, subject: userId, network })
  await mailUser(tx, userId, 'two-factor-changed', { what: event })
}
