import type { Config } from './config.ts'
import { isLoopbackHost } from './platform/http/loopback.ts'

/**
 * What must not be served to strangers: outside production and without a mail server every code that is
 * mailed can be read at `/dev/mailbox`, and with an administrator's code an administrator's account can be had.
 * @returns a line that says what to set, or nothing.
 */
export function exposureProblems({ production, smtpUrl, host, publicUrl }: Config): string[] {
  if (production || smtpUrl) return []
  const reasons = [
    ...(isLoopbackHost(host) ? [] : [`HOST=${host}`]),
    ...(publicUrl.startsWith('https:') ? [`PUBLIC_URL=${publicUrl}`] : []),
  ]
  if (reasons.length === 0) return []
  return [
    `SMTP_URL is required with ${reasons.join(' and ')}: without it every mailed code can be read at /dev/mailbox. ` +
      'Set SMTP_URL, and NODE_ENV=production for a public site; or leave HOST and PUBLIC_URL unset to try it on this machine alone',
  ]
}

/**
 * What a site behind a proxy lacks. Dropwright speaks plain HTTP, so a public https address means that a
 * proxy stands in front of it, and so does listening for this machine alone under another name.
 * @returns a line for the log, or nothing.
 */
export function exposureWarnings({ production, trustProxy, host, publicUrl }: Config): string[] {
  const { protocol, hostname } = new URL(publicUrl)
  const isBehindProxy = protocol === 'https:' || (isLoopbackHost(host) && !isLoopbackHost(hostname))
  if (!production || !isBehindProxy || trustProxy.length > 0) return []
  return [
    `PUBLIC_URL=${publicUrl} is served through a proxy, but TRUST_PROXY is not set: all visitors count as one network, ` +
      "so that a few wrong passwords block everybody's login. Set TRUST_PROXY to the proxy, for example loopback.",
  ]
}
