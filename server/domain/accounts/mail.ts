import { PASSWORD_LENGTH } from '#contract/protocol/fields.ts'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import { letter, type MailContext, type Template } from '../mail/templates.ts'
import { codeOf } from './codes/codes.ts'

const LIFETIME_WORDS = 'ten minutes'

/** The emails about accounts. Links are built from `PUBLIC_URL`, never from a request's host. */
export const accountMails: Record<string, Template> = {
  'verify-email': ({ username = '', nonce = '' }, context) =>
    letter(context, username, `Your code for ${context.campaign.name}`, [
      `Enter this code to verify the email address of your account “${username}”:`,
      { code: codeOf(context.keys, nonce) },
      `It is valid for ${LIFETIME_WORDS} and works once. No one on our team will ever ask you for it.`,
      `If you didn’t sign up as “${username}”, ignore this email. Nothing happens without the code.`,
    ]),

  'account-exists': ({ username = '' }, context) =>
    letter(context, username, `You already have an account at ${context.campaign.name}`, [
      `Someone tried to register with this email. You already have an account: “${username}”.`,
      'If that was you, log in instead. If you’ve forgotten your password, you can set a new one.',
      { link: `${context.publicUrl}/login`, label: 'Log in' },
      { link: `${context.publicUrl}/forgot-password`, label: 'Set a new password' },
      'If it wasn’t you, you can ignore this email. Your account hasn’t changed.',
    ]),

  'reset-password': ({ username = '', nonce = '' }, context) =>
    letter(context, username, `Your password reset code for ${context.campaign.name}`, [
      `Enter this code to set a new password for your account “${username}”:`,
      { code: codeOf(context.keys, nonce) },
      `It is valid for ${LIFETIME_WORDS} and works once. No one on our team will ever ask you for it.`,
      'If you didn’t request it, ignore this email. Your password stays the same.',
    ]),

  'wrong-codes': ({ username = '' }, context) =>
    letter(context, username, `Wrong codes were entered for your account at ${context.campaign.name}`, [
      `Someone entered twenty wrong codes for your account “${username}”. They didn’t get in.`,
      'They can’t try any more codes for 24 hours.',
      'If it wasn’t you, you don’t need to do anything. Codes you request in your own browser still work.',
    ]),

  'password-changed': ({ username = '' }, context) =>
    letter(context, username, `Your password at ${context.campaign.name} was changed`, [
      `The password of your account “${username}” was changed, and you were logged out everywhere else.`,
      'If that wasn’t you, set a new password right away:',
      { link: `${context.publicUrl}/forgot-password`, label: 'Set a new password' },
    ]),

  'account-banned': ({ username = '', reason = '' }, context) =>
    letter(context, username, `Your account at ${context.campaign.name} has been suspended`, [
      'We have suspended your account for this reason:',
      reason,
      'You can no longer log in, and you’re off the leaderboard. If a claim of yours was waiting for a decision, it has been rejected. Points you’ve earned aren’t paid out while you’re suspended.',
      `If you think we made a mistake, write to ${contactOf(context)} from this email address and tell us why. A person will read it and can lift the suspension. You can also ask for a copy of your data or for its deletion.`,
    ]),

  'account-unbanned': ({ username = '' }, context) =>
    letter(context, username, `Your account at ${context.campaign.name} is open again`, [
      'We have lifted the suspension of your account. You can log in again, and your points count as before.',
      'If a claim of yours was waiting for a decision, your profile shows where it stands now.',
      { link: `${context.publicUrl}/login`, label: 'Log in' },
    ]),

  'account-deleted': ({ username = '' }, context) =>
    letter(context, username, `Your account at ${context.campaign.name} has been deleted`, [
      'Your account and your personal data have been deleted. Our privacy page lists what we have to keep, such as amounts without your name.',
      { link: `${context.publicUrl}/privacy`, label: 'See what we keep' },
      `If you didn’t ask for this, write to ${contactOf(context)} right away. The account itself can’t be restored.`,
    ]),

  'email-held': (_values, context) =>
    letter(context, 'there', `This email cannot register at ${context.campaign.name} yet`, [
      `Someone tried to register with this email address. Its previous account was deleted less than ${SLOT_HOURS} hours ago. Once that time is over, you can register again.`,
      'If that wasn’t you, you can ignore this email.',
    ]),

  'role-offered': ({ username = '' }, context) =>
    letter(context, username, `You’ve been asked to become an administrator of ${context.campaign.name}`, [
      'An administrator would like you to review claims and run the campaign with them. Log in, then accept or decline on your profile.',
      `If you accept, you’ll set a new password of at least ${PASSWORD_LENGTH.adminMin} characters, and you’ll leave the leaderboard.`,
      { link: `${context.publicUrl}/profile`, label: 'Answer on your profile' },
      'If you don’t know what this is about, decline the offer.',
    ]),

  'role-withdrawn': ({ username = '' }, context) =>
    letter(context, username, `You’re no longer an administrator of ${context.campaign.name}`, [
      'Another administrator has removed your administrator role. You keep your account and password, and you’ve been logged out everywhere.',
    ]),
}

const contactOf = ({ campaign }: MailContext) => campaign.smallPrint.contact
