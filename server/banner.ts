import { ROUTES } from '#web/routes.ts'
import type { Config } from './config.ts'

type Settings = Pick<Config, 'production' | 'smtpUrl'>

/**
 * The lines printed once the site is served. Tests and scripts wait for the first one; a terminal outside
 * production also shows the addresses and how to become administrator.
 */
export function startBanner({ production, smtpUrl }: Settings, url: string, isTerminal: boolean): string[] {
  const ready = `Dropwright is ready: ${url}`
  const mailbox = production || smtpUrl ? undefined : `${url}/dev/mailbox`
  if (production || !isTerminal) return mailbox ? [ready, `Mails are shown at ${mailbox}`] : [ready]
  return [
    ready,
    '',
    `  Review claims    ${url}${ROUTES.dashboard.path}`,
    ...(mailbox ? [`  Mails and codes  ${mailbox}`] : []),
    `  API reference    ${url}/api/docs`,
    '',
    'To become administrator, in a second terminal with the same environment:',
    '  npm run admin -- create --email you@example.org --username you',
    '',
    'Press Ctrl+C to stop.',
  ]
}
