import { PASSWORD_LENGTH } from '#contract/protocol/fields.ts'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import { letter, type MailContext, type Template } from '../mail/templates.ts'
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

  'account-banned': ({ username = '', reason = '' }, context) =>
    letter(context, username, `Your account at ${context.campaign.name} has been suspended`, [
      'We have suspended your account for this reason:',
      reason,
      'You can no longer log in, and you are not on the leaderboard. A claim that was waiting for a decision has been rejected, and points you have earned are not paid while you are suspended.',
      `If you think we made a mistake, write to ${contactOf(context)} from this email address and say why. A person reads it and can lift the suspension. You can also ask there for a copy of your data or for its deletion.`,
    ]),

  'account-unbanned': ({ username = '' }, context) =>
    letter(context, username, `Your account at ${context.campaign.name} is open again`, [
      'We have lifted the suspension of your account. You can log in again, and your points count as before.',
      'If a claim of yours was waiting for a decision, your profile shows what has become of it.',
      { link: `${context.publicUrl}/login`, label: 'Log in' },
    ]),

  'account-deleted': ({ username = '' }, context) =>
    letter(context, username, `Your account at ${context.campaign.name} has been deleted`, [
      'Your account and your personal data have been deleted. What had to stay, such as amounts without your name, is listed on our privacy page.',
      { link: `${context.publicUrl}/privacy`, label: 'Read what stays' },
      `If you did not ask for this, write to ${contactOf(context)} right away. The account itself cannot be restored.`,
    ]),

  'email-held': (_values, context) =>
    letter(context, 'there', `This email cannot register at ${context.campaign.name} yet`, [
      `Someone tried to register with this email. Its former account was deleted less than ${SLOT_HOURS} hours ago; after that time, it can register again.`,
      'If that was not you, there is nothing to do.',
    ]),

  'role-offered': ({ username = '' }, context) =>
    letter(context, username, `You are asked to become an administrator of ${context.campaign.name}`, [
      'An administrator asks you to review claims and run the campaign with them. You decide: log in and accept or decline on your profile.',
      `To accept, you set a new password of at least ${PASSWORD_LENGTH.adminMin} characters. You then leave the leaderboard.`,
      { link: `${context.publicUrl}/profile`, label: 'Answer on your profile' },
      'If you do not know what this is about, decline.',
    ]),

  'role-withdrawn': ({ username = '' }, context) =>
    letter(context, username, `You are no longer an administrator of ${context.campaign.name}`, [
      'Another administrator has withdrawn the role. Your account stays, with the same password, and you have been logged out everywhere.',
    ]),
}

const contactOf = ({ campaign }: MailContext) => campaign.smallPrint.contact
