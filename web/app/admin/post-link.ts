const HOSTS = new Set([
  'x.com',
  'twitter.com',
  'www.x.com',
  'www.twitter.com',
  'mobile.x.com',
  'mobile.twitter.com',
])

/** The canonical URL of a post on X; null for anything else, even if the server accepted it. */
export function postLink(text: string): string | null {
  const url = URL.parse(text)
  const isPost = url?.protocol === 'https:' && HOSTS.has(url.host) && url.username === ''
  return isPost ? url.href : null
}
