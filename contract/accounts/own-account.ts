import * as z from 'zod/mini'
import { MessageReply } from '../entities.ts'
import { PASSWORD_TRIES } from './accounts.ts'
import { endpoint } from '../protocol/endpoint.ts'
import { CurrentPassword, NewAdminPassword } from '../protocol/fields.ts'
import { LOCALE_PATH, LOCALES } from '../locales.ts'

const OwnAccount = z.object({
  /** Whether the caller can accept the role of an administrator. */
  isOfferedRole: z.boolean(),
  /** The caller has an approved claim, perhaps in an archived campaign. Deletion would forfeit its payout. */
  hasApprovedClaim: z.boolean(),
  /** The caller's wallet in an allocation fixed for payment, public even after deletion; null without one. */
  frozenWallet: z.nullable(z.string()),
  /** The language of the account, as a BCP 47 tag; null until one was chosen. */
  locale: z.nullable(z.string()),
})

export type OwnAccount = z.output<typeof OwnAccount>

export const ownAccount = endpoint('GET /users/me', {
  access: 'participant',
  summary:
    'What deleting your account would forfeit or leave public, whether you have been offered the administrator role, and the language of your account.',
  reply: z.object({ data: OwnAccount }),
})

export const PersonalData = z.record(z.string(), z.unknown())
export type PersonalData = z.output<typeof PersonalData>

export const exportOwnData = endpoint('POST /users/me/export', {
  access: 'participant',
  summary: 'A copy of everything that is stored about you.',
  limits: [PASSWORD_TRIES],
  body: z.strictObject({ password: CurrentPassword }),
  reply: z.object({ data: PersonalData }),
  refusals: ['current_password_wrong'],
})

export const deleteOwnAccount = endpoint('POST /users/me/delete', {
  access: 'participant',
  summary: 'Delete your account. Cannot be undone.',
  limits: [PASSWORD_TRIES],
  body: z.strictObject({
    password: CurrentPassword,
    /** The caller's username, typed. */
    confirmation: z.string().check(z.maxLength(100, 'text_long')),
  }),
  reply: MessageReply,
  refusals: ['current_password_wrong', 'administrator_account'],
})

export const answerRoleOffer = endpoint('POST /users/me/role', {
  access: 'participant',
  summary:
    'Accept the offer to become an administrator with a new password of at least 15 characters, which ends all sessions; or decline it.',
  limits: [PASSWORD_TRIES],
  // Not `z.discriminatedUnion`, whose code every visitor would load.
  body: z
    .strictObject({
      answer: z.enum(['accept', 'decline']),
      currentPassword: z.optional(CurrentPassword),
      newPassword: z.optional(NewAdminPassword),
    })
    // Accepting takes both passwords, declining neither.
    .check(
      z.refine(({ answer, newPassword }) => (answer === 'accept') === (newPassword !== undefined), {
        error: 'required',
        path: ['newPassword'],
      }),
      z.refine(({ answer, currentPassword }) => (answer === 'accept') === (currentPassword !== undefined), {
        error: 'required',
        path: ['currentPassword'],
      }),
    ),
  reply: MessageReply,
  refusals: ['current_password_wrong', 'no_role_offer'],
})

export const chooseLocale = endpoint(`PUT ${LOCALE_PATH}`, {
  access: 'participant',
  invalidatesCacheOf: [], // no public answer changes
  summary:
    'Choose the language of the caller’s account: that of emails, and of replies where the call names no other.',
  body: z.strictObject({ locale: z.enum(LOCALES) }),
  reply: MessageReply,
})
