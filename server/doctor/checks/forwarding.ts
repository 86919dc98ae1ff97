import ipaddr from 'ipaddr.js'
import type { Config } from '#server/config/config.ts'
import type { Forwarding } from '#server/platform/http/forwarding.ts'
import { isLoopbackHost } from '#server/platform/http/security/loopback.ts'
import { type Finding, judged, type Line } from '../finding.ts'
import { linesOf } from '../texts.ts'

const say = linesOf('forwarding')

/** Judges from one request what the proxy passes on. @param origin from the browser's address bar. */
export function judgeForwarding(
  forwarding: Forwarding,
  origin: string,
  config: Pick<Config, 'publicUrl' | 'trustProxy'>,
): Finding {
  const { publicUrl } = config
  return judged(
    [
      ...(origin === publicUrl ? [] : [say('otherOrigin', { origin, publicUrl })]),
      ...problemsOf(forwarding, config),
    ],
    say('fine', { client: forwarding.client, origin }),
    // Remarks, whether or not there are problems.
    [
      ...(isOddlyPrivate(forwarding.client, publicUrl)
        ? [say('privateClient', { client: forwarding.client })]
        : []),
      ...(forwarding.forwardedProto === 'http' && publicUrl.startsWith('https:') ? [say('plainHttp')] : []),
    ],
  )
}

function problemsOf(
  { client, peer, forwardedFor, unread }: Forwarding,
  { publicUrl, trustProxy }: Pick<Config, 'publicUrl' | 'trustProxy'>,
): Line[] {
  const proxy = withoutMapping(peer)
  const network = nameOfNetwork(proxy)
  if (forwardedFor !== undefined) {
    if (trustProxy.length === 0) return [say('ignored', { peer: proxy, network })]
    const isForwardedForProxy = forwardedFor.split(',').some((text) => withoutMapping(text.trim()) === proxy)
    const isProxyTakenForVisitor = withoutMapping(client) === proxy && !isForwardedForProxy
    return isProxyTakenForVisitor ? [say('untrusted', { peer: proxy, trusted: trustProxy.join(',') })] : []
  }
  // These headers, which the program does not read, are how other proxies name visitors.
  if (unread.length > 0) return [say('otherHeader', { names: unread.join(', '), network })]
  // The program itself does not speak TLS, so an https address implies a proxy.
  return publicUrl.startsWith('https:') ? [say('unnamed', { peer: proxy, network })] : []
}

/** Turns an IPv4 address that is mapped to IPv6 (`::ffff:192.0.2.1`) into plain IPv4. */
const withoutMapping = (address: string) =>
  ipaddr.isValid(address) ? ipaddr.process(address).toString() : address

/** How TRUST_PROXY would name this address. */
const nameOfNetwork = (address: string) => (isLoopbackHost(address) ? 'loopback' : address)

function isOddlyPrivate(client: string, publicUrl: string): boolean {
  if (isLoopbackHost(new URL(publicUrl).hostname) || !ipaddr.isValid(client)) return false
  return ['private', 'loopback', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(client).range())
}
