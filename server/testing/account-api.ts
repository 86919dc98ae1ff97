import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import * as accounts from '#contract/accounts/accounts.ts'
import { login } from '#contract/accounts/sessions.ts'
import { hashToken, newToken } from '#server/platform/secrets.ts'
import { MAIL_JOB } from '../domain/mail/send-later.ts'
import { runDue } from '../platform/jobs/jobs.ts'
import { type Answer, NEW_PASSWORD, PASSWORD, testApi } from './api.ts'
import { advanceTime } from './advance-time.ts'
import { createUserWithPassword } from './builders/users-with-password.ts'

export const EMAIL = 'al@mail.example'

export type AccountApi = Awaited<ReturnType<typeof accountApi>>

/** The test API with calls for an account, by default that of {@link EMAIL}. */
export async function accountApi(t: TestContext, options: Parameters<typeof testApi>[1] = {}) {
  const api = await testApi(t, options)
  const { call, codeFor, pool } = api
  const register = (changes: Record<string, unknown> = {}, cookie?: string) => {
    const body = { username: 'alice', email: EMAIL, password: PASSWORD, ...changes }
    return call(accounts.register, { body, cookie })
  }
  const verify = (otp: string, email = EMAIL, cookie?: string) =>
    call(accounts.verifyEmail, { body: { email, otp }, cookie })
  const resend = (email = EMAIL, purpose?: string, cookie?: string) => {
    const body = { email, ...(purpose ? { purpose } : {}) }
    return call(accounts.resendCode, { body, cookie })
  }
  const forgot = (email = EMAIL, cookie?: string) =>
    call(accounts.forgotPassword, { body: { email }, cookie })
  /** Exchanges a code for a reset token. */
  const exchange = (otp: string, email = EMAIL, cookie?: string) =>
    call(accounts.verifyOtp, { body: { email, otp }, cookie })
  const reset = (resetPasswordToken: string, newPassword = NEW_PASSWORD, email = EMAIL) =>
    call(accounts.resetPassword, { body: { email, newPassword, resetPasswordToken } })
  /** @returns `logged_in`, or the code of the refusal */
  const loginOutcome = async (password: string, email = EMAIL) =>
    (await call(login, { body: { email, password } })).body.code ?? 'logged_in'
  return {
    ...api,
    register,
    verify,
    resend,
    forgot,
    exchange,
    reset,
    loginOutcome,
    /** A verified account with {@link PASSWORD}, without registering. */
    createAccount: (username = 'alice', email = EMAIL) =>
      createUserWithPassword(api, { username: () => username, email: () => email }),
    /** A new reset token, as if its account had entered a code. */
    createResetToken: async (email = EMAIL): Promise<string> => {
      const token = newToken()
      await pool.query(
        `insert into reset_tokens (token_hash, user_id, expires_at)
         select $1, id, now() + interval '10 minutes' from users where email_key = lower($2)`,
        [hashToken(token), email],
      )
      return token
    },
    /** A reset token for a code that was mailed. */
    exchangedToken: async (email = EMAIL): Promise<string> => {
      await forgot(email)
      return (await exchange(await codeFor(email), email)).body['resetPasswordToken'] as string
    },
    /** Marks every email that is due as delivered. */
    deliver: () => runDue(api.db, MAIL_JOB, async () => ({ done: true })),
    /** Gives every code of an email exactly this age, such as `10 minutes`. The lifetime stays. */
    backdateCodes: (age: string, email = EMAIL) =>
      pool.query(
        `update codes set starts_at = now() - $1::interval, expires_at = now() - $1::interval + (expires_at - starts_at)
         where email_key = $2`,
        [age, email],
      ),
    advance: (time: string) => advanceTime(pool, time),
    /** Counts more calls toward a rate limit without making them. @param key a LIKE pattern. */
    addToCount: async (key: string, calls: number) => {
      const raising = 'update rate_limits set count = count + $2 where key like $1'
      const { rowCount } = await pool.query(raising, [key, calls])
      assert.equal(rowCount, 1, `limits like ${key}`)
    },
    /** Passes the minute after a code, in which no other code is sent. */
    passCooldown: () => advanceTime(pool, '61 seconds'),
    /** Emails scheduled for later, with the seconds until then. */
    scheduledMails: async () => {
      const { rows } = await pool.query<{ username: string; template: string; seconds: number }>(
        `select payload->'values'->>'username' as username, payload->>'template' as template,
           round(extract(epoch from run_at - now()))::int as seconds
         from jobs where kind = 'mail' and done_at is null and run_at > now() order by run_at`,
      )
      return rows
    },
    /** The usernames of registrations, oldest first. */
    pendingNames: async () => {
      const rows = await api.db.selectFrom('registrations').select('username').orderBy('created_at').execute()
      return rows.map(({ username }) => username)
    },
  }
}

/** {@link accountApi} with alice's account. */
export async function apiWithAccount(t: TestContext): Promise<AccountApi> {
  const api = await accountApi(t)
  await api.createAccount()
  return api
}

export const cookieOf = ({ headers }: Answer) => String(headers['set-cookie']).split(';')[0] ?? ''

/** A wrong code of six digits: the right one plus `by`. */
export const wrongCode = (code: string, by = 1): string =>
  String((Number(code) + by) % 1_000_000).padStart(6, '0')
