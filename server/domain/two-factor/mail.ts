import { letter, type Template } from '../mail/templates.ts'

const CHANGES: Record<string, string> = {
  enabled: 'Two-factor login was turned on: logging in now takes a code of your authenticator app.',
  disabled: 'Two-factor login was turned off: logging in takes your password only.',
  reset:
    'The operator of the server turned two-factor login off and ended all of your sessions. Logging in takes your password only.',
}

/** The emails about two-factor login. */
export const twoFactorMails: Record<string, Template> = {
  'two-factor-changed': ({ username = '', what = '' }, context) =>
    letter(context, username, `Two-factor login at ${context.campaign.name} has changed`, [
      CHANGES[what] ?? '',
      'If that was not you, set a new password right away:',
      { link: `${context.publicUrl}/forgot-password`, label: 'Set a new password' },
    ]),
}
