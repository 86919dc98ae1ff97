import { isIPv4, isIPv6 } from 'node:net'

/** Where a login came from, as the account's owner sees it. */
export type Origin = { device: string | null; network: string | null }

export const originOf = (call: { userAgent: string | undefined; network: string }): Origin => ({
  device: deviceOf(call.userAgent),
  network: coarseNetwork(call.network),
})

/** The first match counts: a browser also names the browsers from which it derives. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*Safari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Enough to name a browser. Matching all 15 kB of a header would hold up the node. */
const MAX_USER_AGENT_LENGTH = 500

/** @returns for example `Firefox on Linux`; null if neither browser nor system is known. */
export function deviceOf(userAgent: string | undefined): string | null {
  const start = userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? ''
  const nameIn = (names: readonly [RegExp, string][]) => names.find(([pattern]) => pattern.test(start))?.[1]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  if (browser === undefined) return system ?? null
  return system === undefined ? browser : `${browser} on ${system}`
}

/**
 * @param network an IPv4 address, an IPv6 /64 or `unknown`.
 * @returns the first 24 bits of an IPv4 address (`192.0.2.…`) or 48 bits of an IPv6 network; null if unknown.
 */
export function coarseNetwork(network: string): string | null {
  const address = network.split('/')[0] ?? ''
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.…`
  if (!isIPv6(address)) return null
  const [start = ''] = address.split('::')
  // `::` stands for zeros.
  const groups = [...start.split(':').filter(Boolean), '0', '0', '0'].slice(0, 3)
  return `${groups.join(':')}:…`
}
