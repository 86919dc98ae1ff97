import ipaddr from 'ipaddr.js'
import type { Config } from '#server/config.ts'
import type { Forwarding } from '#server/platform/http/forwarding.ts'
import { isLoopbackHost } from '#server/platform/http/security/loopback.ts'
import { type Finding, judged, type Line } from '../finding.ts'
import { WORDS } from '../texts.ts'

const { forwarding: words } = WORDS

/**
 * Whether the proxy passes on what the program has to know, judged by a request of an administrator's browser.
 * @param origin what stands in that browser's address bar.
 */
export function judgeForwarding(
  forwarding: Forwarding,
  origin: string,
  config: Pick<Config, 'publicUrl' | 'trustProxy'>,
): Finding {
  const { publicUrl } = config
  return judged(
    [
      ...(origin === publicUrl ? [] : [words.otherOrigin(origin, publicUrl)]),
      ...problemsOf(forwarding, config),
    ],
    words.fine(forwarding.client, origin),
    [
      ...(isOddlyPrivate(forwarding.client, publicUrl) ? [words.privateClient(forwarding.client)] : []),
      ...(forwarding.forwardedProto === 'http' && publicUrl.startsWith('https:') ? [words.plainHttp] : []),
    ],
  )
}

function problemsOf(
  { client, peer, forwardedFor, unread }: Forwarding,
  { publicUrl, trustProxy }: Pick<Config, 'publicUrl' | 'trustProxy'>,
): Line[] {
  const from = plain(peer)
  if (forwardedFor !== undefined) {
    if (trustProxy.length === 0) return [words.ignored(from, nameOfNetwork(from))]
    return plain(client) === from && !forwardedFor.includes(from)
      ? [words.untrusted(from, trustProxy.join(','))]
      : []
  }
  if (unread.length > 0) return [words.otherHeader(unread.join(', '), nameOfNetwork(from))]
  // The program itself does not speak TLS.
  return publicUrl.startsWith('https:') ? [words.unnamed(from, nameOfNetwork(from))] : []
}

/** Without the prefix of an IPv4 address in IPv6. */
const plain = (address: string) => (ipaddr.isValid(address) ? ipaddr.process(address).toString() : address)

/** What TRUST_PROXY calls it. */
const nameOfNetwork = (address: string) => (isLoopbackHost(address) ? 'loopback' : address)

function isOddlyPrivate(client: string, publicUrl: string): boolean {
  if (isLoopbackHost(new URL(publicUrl).hostname) || !ipaddr.isValid(client)) return false
  return ['private', 'loopback', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(client).range())
}
