import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'

/** When the list was published. The package is pinned: change both together. */
export const DISPOSABLE_LIST_DATE = '2026-09-21'

const DOMAINS = disposableEmailBlocklistSet()

/** The listed domain of an email, which may be a parent of its own; undefined if not listed. */
export function disposableDomainOf(email: string): string | undefined {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.')
  // Top-level domains are never listed.
  const domains = labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'))
  return domains.find((domain) => DOMAINS.has(domain))
}
