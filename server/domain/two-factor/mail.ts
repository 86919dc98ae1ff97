import { letter, type Template } from '../mail/templates.ts'

const CHANGES: Record<string, string> = {
  enabled: 'Two-factor login was turned on. You now need a code from your authenticator app to log in.',
  disabled: 'Two-factor login was turned off. You now log in with your password alone.',
  reset:
    'The operator of the server turned off two-factor login and logged you out everywhere. You now log in with your password alone.',
}

/** The emails about two-factor login. */
export const twoFactorMails: Record<string, Template> = {
  'two-factor-changed': ({ username = '', what = '' }, context) =>
    letter(context, username, `Two-factor login at ${context.campaign.name} has changed`, [
      CHANGES[what] ?? '',
      'If that wasn’t you, set a new password right away:',
      { link: `${context.publicUrl}/forgot-password`, label: 'Set a new password' },
    ]),
}
