/** Other hosts and Android apps (`android-app://…`) of a site, each with the host as which it is counted. */
const SAME_SITE = new Map([
  ['t.co', 'x.com'],
  ['twitter.com', 'x.com'],
  ['com.twitter.android', 'x.com'],
  ['t.me', 'telegram.org'],
  ['telegram.me', 'telegram.org'],
  ['web.telegram.org', 'telegram.org'],
  ['org.telegram.messenger', 'telegram.org'],
  ['lm.facebook.com', 'facebook.com'],
  ['com.reddit.frontpage', 'reddit.com'],
  ['old.reddit.com', 'reddit.com'],
  ['out.reddit.com', 'reddit.com'],
])

const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/
const MAX_LENGTH = 60

/**
 * The host as which an arrival is counted: without a prefix such as `www.`, and one for all hosts of a known
 * site.
 * @returns undefined for a text that is no host name, or is too long to be shown.
 */
export function hostOf(text: string): string | undefined {
  const host = text.toLowerCase().replace(/^(www|m|l|mobile)\.(?=.+\.)/, '')
  const siteHost = SAME_SITE.get(host) ?? host
  return HOST.test(siteHost) && siteHost.length <= MAX_LENGTH ? siteHost : undefined
}
