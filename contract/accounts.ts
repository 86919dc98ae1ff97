import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MessageReply, User } from './entities.ts'
import { Code, Email, GivenPassword, NewPassword, ReferralCode, ResetToken, Username } from './fields.ts'

/** Calls that may mail to an e-mail without an account: the same for one that has one, so that it does not tell. */
const MAILS_TO_NEW = {
  per: 'everybody',
  of: 'mails to new addresses',
  take: 1000,
  seconds: 3600,
  forWork: 3000,
} as const

export const register = endpoint({
  method: 'POST',
  path: '/users/register',
  access: 'public',
  summary: 'Ask for an account; a code is mailed. The answer is the same whether or not the e-mail is known.',
  limits: [{ per: 'network', take: 3, seconds: 3600, forWork: 57 }, MAILS_TO_NEW],
  body: z.strictObject({
    username: Username,
    email: Email,
    password: NewPassword,
    referralCode: z.optional(ReferralCode),
    /** Whether news of the campaign may be mailed; absent means no. */
    announcements: z.optional(z.boolean()),
  }),
  reply: { status: 201, body: MessageReply },
  refusals: ['username_taken', 'unknown_referral_code'],
})

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/users/verify-email',
  access: 'public',
  summary: 'Activate the registration that the code was mailed for.',
  limits: [{ per: 'network', take: 30, seconds: 300 }],
  body: z.strictObject({ email: Email, otp: Code }),
  reply: { status: 200, body: MessageReply },
  refusals: ['code_invalid', 'code_exhausted', 'guesses_exhausted'],
})

export const resendCode = endpoint({
  method: 'POST',
  path: '/users/resend-otp',
  access: 'public',
  summary: 'Mail a new code; at most one a minute for each e-mail and purpose.',
  limits: [{ per: 'network', take: 3, seconds: 60, forWork: 12 }, MAILS_TO_NEW],
  body: z.strictObject({
    email: Email,
    purpose: z._default(z.enum(['verify-email', 'reset-password']), 'verify-email'),
  }),
  reply: { status: 200, body: MessageReply },
  refusals: ['code_cooldown'],
})

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/users/forgot-password',
  access: 'public',
  summary: 'Mail a reset code. The answer is the same for an unknown e-mail.',
  limits: [{ per: 'network', take: 3, seconds: 60, forWork: 12 }],
  body: z.strictObject({ email: Email }),
  reply: { status: 200, body: MessageReply },
  refusals: ['code_cooldown'],
})

export const verifyOtp = endpoint({
  method: 'POST',
  path: '/users/verify-otp',
  access: 'public',
  summary: 'Exchange a reset code for a reset token, valid for ten minutes and one reset.',
  limits: [{ per: 'network', take: 30, seconds: 300 }],
  body: z.strictObject({ email: Email, otp: Code }),
  reply: { status: 200, body: z.extend(MessageReply, { resetPasswordToken: z.string() }) },
  refusals: ['code_invalid', 'code_exhausted', 'guesses_exhausted'],
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/users/reset-password',
  access: 'public',
  summary: 'Set a new password; every session of that account ends.',
  limits: [{ per: 'network', take: 10, seconds: 60 }],
  body: z.strictObject({ email: Email, newPassword: NewPassword, resetPasswordToken: ResetToken }),
  reply: { status: 200, body: MessageReply },
  refusals: ['reset_token_invalid'],
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/users/change-password',
  access: 'participant',
  summary: 'Set a new password; every other session of the account ends.',
  limits: [{ per: 'account', take: 10, seconds: 300 }],
  body: z.strictObject({ currentPassword: GivenPassword, newPassword: NewPassword }),
  reply: { status: 200, body: MessageReply },
  refusals: ['current_password_wrong'],
})

export const profile = endpoint({
  method: 'GET',
  path: '/users/profile',
  access: 'participant',
  summary: 'The account of the caller with points, referral figures and the last claim.',
  reply: { status: 200, body: z.object({ data: User }) },
  refusals: [],
})
