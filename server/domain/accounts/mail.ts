import { letter, type Template } from '../mail/templates.ts'
import { codeOf } from './codes/codes.ts'

const LIFETIME_WORDS = 'ten minutes'

/** The emails about accounts. Links are built from `PUBLIC_URL`, never from a request's host. */
export const accountMails: Record<string, Template> = {
  'verify-email': ({ username = '', nonce = '' }, context) =>
    letter(context, username, `Your code for ${context.campaign.name}`, [
      `Enter this code to verify the email of the account “${username}”:`,
      { code: codeOf(context.keys, nonce) },
      `It is valid for ${LIFETIME_WORDS} and works once. No one on our team will ever ask you for it.`,
      `If you did not sign up as “${username}”, ignore this email: nothing happens without the code.`,
    ]),

  'account-exists': ({ username = '' }, context) =>
    letter(context, username, `You already have an account at ${context.campaign.name}`, [
      `Someone tried to register with this email. You already have an account: “${username}”.`,
      'If that was you, log in instead. If you have forgotten your password, you can set a new one.',
      { link: `${context.publicUrl}/login`, label: 'Log in' },
      { link: `${context.publicUrl}/forgot-password`, label: 'Set a new password' },
      'If it was not you, there is nothing to do: your account has not changed.',
    ]),

  'reset-password': ({ username = '', nonce = '' }, context) =>
    letter(context, username, `Your password reset code for ${context.campaign.name}`, [
      `Enter this code to set a new password for the account “${username}”:`,
      { code: codeOf(context.keys, nonce) },
      `It is valid for ${LIFETIME_WORDS} and works once. No one on our team will ever ask you for it.`,
      'If you did not request it, ignore this email: your password stays as it is.',
    ]),

  'wrong-codes': ({ username = '' }, context) =>
    letter(context, username, `Wrong codes were entered for your account at ${context.campaign.name}`, [
      `Twenty wrong codes were entered for the account “${username}”. No one got in.`,
      'The person who entered them cannot try any more codes for 24 hours.',
      'If it was not you, there is nothing to do: codes that you request in your own browser still work.',
    ]),

  'password-changed': ({ username = '' }, context) =>
    letter(context, username, `Your password at ${context.campaign.name} was changed`, [
      `The password of the account “${username}” was changed, and it was logged out everywhere else.`,
      'If that was not you, set a new password right away:',
      { link: `${context.publicUrl}/forgot-password`, label: 'Set a new password' },
    ]),
}
