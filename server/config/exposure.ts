import type { Config } from './config.ts'
import { isLoopbackHost } from '../platform/http/security/loopback.ts'

/**
 * Outside production without SMTP_URL, there is a development mailbox. It must not be served beyond this
 * machine: it shows every emailed code, and an administrator's reset code suffices to take over the account.
 */
export function exposureProblems({ isProduction, smtpUrl, host, publicUrl }: Config): string[] {
  if (isProduction || smtpUrl) return []
  const reasons = [
    ...(isLoopbackHost(host) ? [] : [`HOST=${host}`]),
    ...(isForOthers(publicUrl) ? [`PUBLIC_URL=${publicUrl}`] : []),
  ]
  if (reasons.length === 0) return []
  return [
    `SMTP_URL is required with ${reasons.join(' and ')}: without it, anyone can read emailed codes at /dev/mailbox. ` +
      'Set SMTP_URL, and NODE_ENV=production for a public site, or leave HOST and PUBLIC_URL unset to try it on this machine only',
  ]
}

/** Whether a URL is for other machines. They probably use a proxy, whose requests may look local. */
function isForOthers(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || !isLoopbackHost(hostname)
}

/**
 * Warns of a proxy that is not trusted. Dropwright speaks plain HTTP, so a public https address implies a
 * proxy, and so does listening on loopback under a public name.
 */
export function exposureWarnings({ isProduction, trustProxy, host, publicUrl }: Config): string[] {
  const { protocol, hostname } = new URL(publicUrl)
  const isBehindProxy = protocol === 'https:' || (isLoopbackHost(host) && !isLoopbackHost(hostname))
  if (!isProduction || !isBehindProxy || trustProxy.length > 0) return []
  return [
    `PUBLIC_URL=${publicUrl} is served through a proxy, but TRUST_PROXY is not set: all visitors count as one network, ` +
      'so a few wrong passwords would block everyone’s login. Set TRUST_PROXY to the address of the proxy, for example loopback.',
  ]
}
