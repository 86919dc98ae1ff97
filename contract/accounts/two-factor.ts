import * as z from 'zod/mini'
import { MessageReply } from '../entities.ts'
import { endpoint } from '../protocol/endpoint.ts'
import { Code, CurrentPassword, TwoFactorCode } from '../protocol/fields.ts'
import { PASSWORD_TRIES } from './accounts.ts'

export const RECOVERY_CODE_COUNT = 10

const TwoFactor = z.object({
  isOn: z.boolean(),
  /** Whether this site requires administrators to use it. */
  isRequired: z.boolean(),
  recoveryCodesLeft: z.number(),
})
export type TwoFactor = z.output<typeof TwoFactor>

const LIMITS = [{ per: 'account', take: 20, seconds: 60 }] as const

export const twoFactor = endpoint('GET /users/two-factor', {
  access: 'participant',
  summary: 'Whether logging in to the caller’s account requires a code from an authenticator app.',
  reply: z.object({ data: TwoFactor }),
})

export const beginTwoFactor = endpoint('POST /users/two-factor/begin', {
  access: 'participant',
  invalidatesCacheOf: [], // no public answer changes
  summary:
    'Create a secret for an authenticator app. It takes effect once a code from it has been confirmed.',
  limits: [...LIMITS, PASSWORD_TRIES],
  body: z.strictObject({ password: CurrentPassword }),
  reply: z.object({
    data: z.object({
      /** In Base32, to type into an authenticator. */
      secret: z.string(),
      /** `otpauth://…`, for a QR code. */
      uri: z.string(),
    }),
  }),
  refusals: ['current_password_wrong', 'two_factor_on'],
})

export const confirmTwoFactor = endpoint('POST /users/two-factor/confirm', {
  access: 'participant',
  invalidatesCacheOf: [],
  summary:
    'Turn on two-factor login with a code from the new secret. Ends every other session. Only this reply contains the recovery codes.',
  limits: LIMITS,
  body: z.strictObject({ otp: Code }),
  reply: z.extend(MessageReply, { recoveryCodes: z.array(z.string()) }),
  refusals: ['two_factor_wrong', 'two_factor_on', 'two_factor_not_begun'],
})

export const endTwoFactor = endpoint('POST /users/two-factor/end', {
  access: 'participant',
  invalidatesCacheOf: [],
  summary: 'Turn off two-factor login with the password and a code from the app or a recovery code.',
  limits: [...LIMITS, PASSWORD_TRIES],
  body: z.strictObject({ password: CurrentPassword, otp: TwoFactorCode }),
  reply: MessageReply,
  refusals: ['current_password_wrong', 'two_factor_wrong', 'two_factor_off', 'two_factor_needed'],
})

export const renewRecoveryCodes = endpoint('POST /users/two-factor/recovery-codes', {
  access: 'participant',
  invalidatesCacheOf: [],
  summary:
    'Replace the recovery codes, with a code from the app or a recovery code. Only this reply contains the new ones.',
  limits: LIMITS,
  body: z.strictObject({ otp: TwoFactorCode }),
  reply: z.extend(MessageReply, { recoveryCodes: z.array(z.string()) }),
  refusals: ['two_factor_wrong', 'two_factor_off'],
})
