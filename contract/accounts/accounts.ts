import * as z from 'zod/mini'
import { endpoint } from '../protocol/endpoint.ts'
import { MessageReply, User } from '../entities.ts'
import {
  Code,
  CurrentPassword,
  Email,
  NewPassword,
  ReferralCode,
  ResetToken,
  Username,
} from '../protocol/fields.ts'

/**
 * Shared by calls that can email unknown addresses. Known ones count too, or the limit would reveal them.
 * Beyond the limit, each call needs a proof of work, which has tripled after `forWork` calls.
 */
const NEW_ADDRESS_LIMIT = {
  per: 'global',
  of: 'emails to new addresses',
  take: 1000,
  seconds: 3600,
  forWork: 3000,
} as const

export const register = endpoint('POST /users/register', {
  access: 'public',
  invalidatesCacheOf: [], // no public answer changes
  summary:
    'Register an account; emails a verification code. The reply is the same whether or not the email is known.',
  limits: [{ per: 'network', take: 3, seconds: 3600, forWork: 57 }, NEW_ADDRESS_LIMIT],
  body: z.strictObject({
    username: Username,
    email: Email,
    password: NewPassword,
    referralCode: z.optional(ReferralCode),
    /** Opts in to news of the campaign by email; absent means no. */
    announcements: z.optional(z.boolean()),
    /** The host of the page that led here; anything else is ignored. */
    arrivedFrom: z.optional(z.string()),
  }),
  status: 201,
  reply: MessageReply,
  refusals: ['username_taken', 'unknown_referral_code'],
})

export const verifyEmail = endpoint('POST /users/verify-email', {
  access: 'public',
  summary: 'Verify an email address with the code sent to it, which activates the registration.',
  limits: [{ per: 'network', take: 30, seconds: 300 }],
  body: z.strictObject({ email: Email, otp: Code }),
  reply: MessageReply,
  refusals: ['code_invalid', 'code_exhausted', 'guesses_exhausted'],
})

export const CODE_PURPOSES = ['verify-email', 'reset-password'] as const
export type CodePurpose = (typeof CODE_PURPOSES)[number]

export const resendCode = endpoint('POST /users/resend-otp', {
  access: 'public',
  summary: 'Send a new code; at most one per minute for each email and purpose.',
  limits: [{ per: 'network', take: 3, seconds: 60, forWork: 12 }, NEW_ADDRESS_LIMIT],
  body: z.strictObject({
    email: Email,
    purpose: z._default(z.enum(CODE_PURPOSES), 'verify-email'),
  }),
  reply: MessageReply,
  refusals: ['code_cooldown'],
})

export const forgotPassword = endpoint('POST /users/forgot-password', {
  access: 'public',
  summary: 'Send a password reset code. The reply is the same for an unknown email.',
  limits: [{ per: 'network', take: 3, seconds: 60, forWork: 12 }],
  body: z.strictObject({ email: Email }),
  reply: MessageReply,
  refusals: ['code_cooldown'],
})

export const verifyOtp = endpoint('POST /users/verify-otp', {
  access: 'public',
  summary: 'Exchange a reset code for a reset token, valid for ten minutes and one reset.',
  limits: [{ per: 'network', take: 30, seconds: 300 }],
  body: z.strictObject({ email: Email, otp: Code }),
  reply: z.extend(MessageReply, { resetPasswordToken: z.string() }),
  refusals: ['code_invalid', 'code_exhausted', 'guesses_exhausted'],
})

export const resetPassword = endpoint('POST /users/reset-password', {
  access: 'public',
  summary: 'Set a new password; ends every session of the account.',
  limits: [{ per: 'network', take: 10, seconds: 60 }],
  body: z.strictObject({ email: Email, newPassword: NewPassword, resetPasswordToken: ResetToken }),
  reply: MessageReply,
  refusals: ['reset_token_invalid'],
})

/** Shared by all calls that take the caller's password, so that no one guesses it. Correct ones count too. */
export const PASSWORD_TRIES = { per: 'account', of: 'passwords', take: 10, seconds: 900 } as const

export const changePassword = endpoint('POST /users/change-password', {
  access: 'participant',
  summary: 'Change the password; ends every other session of the account.',
  limits: [PASSWORD_TRIES],
  body: z.strictObject({ currentPassword: CurrentPassword, newPassword: NewPassword }),
  reply: MessageReply,
  refusals: ['current_password_wrong'],
})

export const Profile = z.extend(User, {
  /** The place on the leaderboard; null for administrators, who are not on it. */
  rank: z.nullable(z.number()),
})
export type Profile = z.output<typeof Profile>

export const profile = endpoint('GET /users/profile', {
  access: 'participant',
  summary: "The caller's account with points, rank, referral statistics and the latest claim.",
  reply: z.object({ data: Profile }),
})
