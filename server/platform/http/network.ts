import ipaddr from 'ipaddr.js'

/**
 * What a budget counts as one caller: an IPv4 address, or the /64 that one IPv6 household or server has
 * to itself. IPv4 written as IPv6 counts as IPv4. What a proxy passed on that is no address is one
 * caller for all who send it.
 */
export function networkOf(ip: string | undefined): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const prefix = address.toByteArray().map((byte, index) => (index < 8 ? byte : 0))
  return `${ipaddr.fromByteArray(prefix).toString()}/64`
}
