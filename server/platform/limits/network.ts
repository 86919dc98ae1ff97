import ipaddr from 'ipaddr.js'
import type { CountedLimit, RateLimit } from './rate-limiter.ts'

/** An address with a port, as some proxies write it in X-Forwarded-For. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([\d.:a-f]+)\](?::\d+)?)$/i

/** What counts as one caller: an IPv4 address, even if mapped to IPv6; an IPv6 /64; otherwise `unknown`. */
export function networkOf(ip: string | undefined): string {
  if (ip === undefined) return 'unknown'
  const [, ipv4, ipv6] = WITH_PORT.exec(ip) ?? []
  const withoutPort = ipv4 ?? ipv6 ?? ip
  if (!ipaddr.isValid(withoutPort)) return 'unknown'
  const address = ipaddr.process(withoutPort)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return cidrOf(address, 64)
}

/**
 * Providers assign a /64, a /56 or a /48. Because a /48 contains 65,536 /64s, each size is limited. All
 * callers in a network share `factor` times the limit of one caller. This allows for neighbors: a mobile
 * carrier gives each phone a /64 in the carrier's /48.
 */
const WIDER_PREFIXES = [
  { bits: 56, factor: 4 },
  { bits: 48, factor: 16 },
] as const

/**
 * The limited networks of an address or of a result of {@link networkOf}, narrowest first: one for IPv4,
 * three for IPv6. A /24 is not limited as a whole, because its addresses belong to different people.
 */
export function countedNetworks(network: string): { network: string; factor: number }[] {
  const narrowest = { network: networkOf(network.replace(/\/64$/, '')), factor: 1 }
  const prefix = narrowest.network.replace(/\/64$/, '')
  if (!ipaddr.IPv6.isValid(prefix)) return [narrowest]
  const address = ipaddr.IPv6.parse(prefix)
  const wider = WIDER_PREFIXES.map(({ bits, factor }) => ({ network: cidrOf(address, bits), factor }))
  return [narrowest, ...wider]
}

/** The widest limited network of an address, which counts as one caller in the fair queue. */
export const widestNetwork = (network: string) => countedNetworks(network).at(-1)?.network ?? network

/** The limit for each network of the caller, in the order in which they are consumed. */
export function limitsPerNetwork(network: string, name: string, limit: RateLimit): CountedLimit[] {
  return countedNetworks(network).map((counted) => ({
    key: `${name} ${counted.network}`,
    limit: { ...limit, take: limit.take * counted.factor },
  }))
}

function cidrOf(address: ipaddr.IPv6, bits: number): string {
  const prefix = address.toByteArray().map((byte, index) => (index < bits / 8 ? byte : 0))
  return `${ipaddr.fromByteArray(prefix).toString()}/${bits}`
}
