import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { utc } from '#web/content/site/proofs.ts'
import { letter, type Template } from '../mail/templates.ts'

/** The emails about sessions. `device` and `network` are empty if unknown, `at` is an ISO time. */
export const sessionMails: Record<string, Template> = {
  'administrator-login': ({ username = '', device = '', network = '', at = '' }, context) =>
    letter(context, username, `A new device logged in at ${context.campaign.name}`, [
      `Someone logged in as “${username}” from a device that hasn’t logged in to this account before.`,
      `${device || 'An unknown program'}, network ${network || 'unknown'}, ${utc(Date.parse(at) / 1_000)}.`,
      'If that was you, you don’t need to do anything. If not, set a new password right away. That ends all sessions:',
      { link: `${context.publicUrl}/forgot-password`, label: 'Set a new password' },
      { link: `${context.publicUrl}${DASHBOARD_ROUTES.security.path}`, label: 'See where you’re logged in' },
    ]),
}
