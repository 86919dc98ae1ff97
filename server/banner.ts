import { ROUTES } from '#web/routes.ts'
import type { Config } from './config/config.ts'

type BannerOptions = {
  url: string
  isTerminal: boolean
  /** The token of a setup link; undefined if there is an administrator. */
  setupToken?: string | undefined
}

/** Printed once the site is served. Tests and scripts wait for the first line. */
export function startBanner(
  { isProduction, smtpUrl }: Pick<Config, 'isProduction' | 'smtpUrl'>,
  { url, isTerminal, setupToken }: BannerOptions,
): string[] {
  const ready = `Dropwright is ready: ${url}`
  const mailboxUrl = isProduction || smtpUrl ? undefined : `${url}/dev/mailbox`
  const setup = setupToken === undefined ? [] : setupLines(setupLink(url, setupToken))
  if (isProduction || !isTerminal)
    return [ready, ...(mailboxUrl ? [`Emails are shown at ${mailboxUrl}`] : []), ...setup]
  return [
    ready,
    '',
    `  Review claims    ${url}${ROUTES.dashboard.path}`,
    ...(mailboxUrl ? [`  Emails and codes ${mailboxUrl}`] : []),
    `  API reference    ${url}/api/docs`,
    '',
    ...setup,
    ...(setup.length > 0 ? [''] : []),
    'Press Ctrl+C to stop.',
  ]
}

/** Browsers do not send the fragment, so the token reaches neither this server's log nor another site. */
export const setupLink = (url: string, token: string): string => `${url}${ROUTES.setup.path}#token=${token}`

export const setupLines = (link: string): string[] => [
  'There is no administrator yet. To become one, open this link within 30 minutes:',
  `  ${link}`,
  'It works once. To print another: npm run admin -- link',
]
