import { letter } from '../mail/letter.ts'
import type { Template } from '../mail/templates.ts'
import { codeOf } from './codes.ts'

const LIFETIME_WORDS = 'ten minutes'

/** The mails of accounts. No link is ever made from what a request said its host was. */
export const accountMails: Record<string, Template> = {
  'verify-email': ({ username = '', nonce = '' }, context) =>
    letter(context, username, `Your code for ${context.campaign.name}`, [
      { say: `Enter this code to verify the email of the account “${username}”:` },
      { code: codeOf(context.keys, nonce) },
      { say: `It works for ${LIFETIME_WORDS}, and only once. Nobody of our team will ever ask you for it.` },
      {
        say: `If you did not ask for an account named “${username}”, ignore this mail: without the code nothing happens.`,
      },
    ]),

  'account-exists': ({ username = '' }, context) =>
    letter(context, username, `You already have an account at ${context.campaign.name}`, [
      { say: `Somebody tried to register with this email. You already have an account: “${username}”.` },
      {
        say: 'If that was you, log in instead. If you do not remember your password, you can set a new one.',
      },
      { link: `${context.publicUrl}/login`, label: 'Log in' },
      { link: `${context.publicUrl}/forgot-password`, label: 'Set a new password' },
      { say: 'If it was not you, there is nothing to do: your account did not change.' },
    ]),

  'reset-password': ({ username = '', nonce = '' }, context) =>
    letter(context, username, `Your password reset code for ${context.campaign.name}`, [
      { say: `Enter this code to set a new password for the account “${username}”:` },
      { code: codeOf(context.keys, nonce) },
      { say: `It works for ${LIFETIME_WORDS}, and only once. Nobody of our team will ever ask you for it.` },
      { say: 'If you did not ask for it, ignore this mail: your password stays as it is.' },
    ]),

  'wrong-codes': ({ username = '' }, context) =>
    letter(context, username, `Wrong codes were entered for your account at ${context.campaign.name}`, [
      { say: `Twenty wrong codes were entered for the account “${username}”. Nobody got in.` },
      { say: 'Whoever entered them can try no more codes for 24 hours.' },
      {
        say: 'If it was not you, there is nothing to do: a code that you ask for in your own browser works as always.',
      },
    ]),

  'password-changed': ({ username = '' }, context) =>
    letter(context, username, `Your password at ${context.campaign.name} was changed`, [
      { say: `The password of the account “${username}” was changed, and its other sessions have ended.` },
      { say: 'If that was not you, set a new password at once:' },
      { link: `${context.publicUrl}/forgot-password`, label: 'Set a new password' },
    ]),
}
