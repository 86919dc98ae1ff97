import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'

/** When the list was published; the package is pinned, so that both change together. */
export const DISPOSABLE_LIST_DATE = '2026-09-21'

const DOMAINS = disposableEmailBlocklistSet()

/** The domain of the list that an e-mail belongs to, itself or a parent of its own; undefined for none. */
export function disposableDomainOf(email: string): string | undefined {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.')
  // A whole top-level domain is never on it.
  const domains = labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'))
  return domains.find((domain) => DOMAINS.has(domain))
}
