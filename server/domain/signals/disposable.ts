/** When the pinned version of the list's package was published. Change date and version together. */
export const DISPOSABLE_LIST_DATE = '2026-09-21'

/**
 * Loaded with the first claim, so that an idle node does not hold the list in memory. Not a promise: after an
 * import that failed during a build, it would stay rejected.
 */
let blocklist: ReadonlySet<string> | undefined

/** @returns the listed domain that is the email's domain or a parent of it. */
export async function disposableDomainOf(email: string): Promise<string | undefined> {
  blocklist ??= (await import('disposable-email-domains-js')).disposableEmailBlocklistSet()
  const listed = blocklist
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.')
  // Top-level domains are never listed.
  const domains = labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'))
  return domains.find((domain) => listed.has(domain))
}
