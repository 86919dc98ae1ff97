import ipaddr from 'ipaddr.js'
import type { RateLimit, Counted } from '../rate-limiter.ts'

/**
 * What a budget counts as one caller: an IPv4 address, or the /64 that one IPv6 household or server has
 * to itself. IPv4 written as IPv6 counts as IPv4. What a proxy passed on that is no address is one
 * caller for all who send it.
 */
export function networkOf(ip: string | undefined): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return prefixOf(address, 64)
}

/** A network that a caller belongs to; all callers of it together get `factor` times what one caller gets. */
export type CountedNetwork = { key: string; factor: number }

/**
 * Providers hand out a /64, a /56 or a /48, so whoever has one /64 may have 65,536: each size is counted.
 * The factors leave room for neighbours, since a carrier gives each phone a /64 out of its own /48.
 */
const WIDER = [
  { bits: 56, factor: 4 },
  { bits: 48, factor: 16 },
] as const

/**
 * The networks that count for an address or for what {@link networkOf} made of it, the narrowest first: one for
 * IPv4, three for IPv6. The /24 of an IPv4 address does not count: its addresses belong to strangers.
 */
export function countedNetworks(network: string): CountedNetwork[] {
  const narrowest = { key: networkOf(network.replace(/\/64$/, '')), factor: 1 }
  const prefix = narrowest.key.replace(/\/64$/, '')
  if (!ipaddr.IPv6.isValid(prefix)) return [narrowest]
  const address = ipaddr.IPv6.parse(prefix)
  return [narrowest, ...WIDER.map(({ bits, factor }) => ({ key: prefixOf(address, bits), factor }))]
}

/** The widest network that counts: what shares of a queue are for. */
export function widestNetwork(network: string): string {
  return countedNetworks(network).at(-1)?.key ?? network
}

/** A caller's budget of that name for each network that counts: to be taken in this order, together. */
export function perNetwork(network: string, name: string, budget: RateLimit): Counted[] {
  return countedNetworks(network).map(({ key, factor }) => ({
    key: `${name} ${key}`,
    budget: { ...budget, take: budget.take * factor },
  }))
}

function prefixOf(address: ipaddr.IPv6, bits: number): string {
  const prefix = address.toByteArray().map((byte, index) => (index < bits / 8 ? byte : 0))
  return `${ipaddr.fromByteArray(prefix).toString()}/${bits}`
}
