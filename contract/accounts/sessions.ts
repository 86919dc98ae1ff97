import * as z from 'zod/mini'
import { endpoint } from '../protocol/endpoint.ts'
import { MessageReply, User } from '../entities.ts'
import { CurrentPassword, Email, TwoFactorCode } from '../protocol/fields.ts'

export const login = endpoint('POST /users/login', {
  access: 'public',
  invalidatesCacheOf: [], // no public answer changes
  summary:
    'Log in. The reply is the same for an unknown email and a wrong password; a two-factor code is requested only after the right password.',
  body: z.strictObject({
    email: Email,
    password: CurrentPassword,
    otp: z.optional(TwoFactorCode),
  }),
  reply: z.extend(MessageReply, {
    token: z.string(),
    data: User,
  }),
  refusals: [
    'credentials_invalid',
    'email_unverified',
    'account_banned',
    'two_factor_required',
    'two_factor_wrong',
  ],
})

export const logout = endpoint('POST /users/logout', {
  access: 'participant',
  summary: 'Log out: end this session and revoke its token.',
  reply: MessageReply,
})

export const logoutAll = endpoint('POST /users/logout-all', {
  access: 'participant',
  summary: 'Log out everywhere: end every session of the account, including this one.',
  reply: MessageReply,
})
