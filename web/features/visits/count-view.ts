import { DIRECT, INVITATION, VISITS_PATH, type View } from '#contract/visits.ts'

/** In sessionStorage: how this tab's visit began (its arrival). Without it, a visit begins. */
const KEY = 'arrival'

/**
 * Reports the view of a page, and once per visit the arrival. Sends nothing that distinguishes visitors.
 * Waits while the page is prerendered. Does nothing for programs and visitors who ask not to be tracked.
 * @param page its path, or `TASKS_DONE`, which is reported like a page.
 */
export function countView(page: string): void {
  if (hasOptedOut()) return
  if ('prerendering' in document && document.prerendering === true)
    document.addEventListener('prerenderingchange', () => report(page), { once: true })
  else report(page)
}

/** The host that led to this visit; undefined if none is known. Other kinds of arrival contain no dot. */
export function arrivedFrom(): string | undefined {
  try {
    return /^[^.]+\..+$/.exec(sessionStorage.getItem(KEY) ?? '')?.[0]
  } catch {
    return undefined
  }
}

/** Do Not Track, Global Privacy Control, or a browser that a program drives. */
function hasOptedOut(): boolean {
  const gpc = 'globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true
  return navigator.doNotTrack === '1' || gpc || navigator.webdriver
}

function report(page: string): void {
  const arrival = beginVisit()
  const view: View = arrival === undefined ? { page } : { page, arrival }
  // With `keepalive` the request survives leaving the page. So would a beacon, but it always sends cookies.
  fetch(VISITS_PATH, {
    method: 'POST',
    keepalive: true,
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(view),
  }).catch(() => {})
}

/** @returns the arrival; undefined if the visit began earlier, or if nothing can be stored. */
function beginVisit(): string | undefined {
  try {
    if (sessionStorage.getItem(KEY) !== null) return undefined
    const arrival = isInvited() ? INVITATION : referrerHost()
    sessionStorage.setItem(KEY, arrival)
    return arrival
  } catch {
    return undefined
  }
}

/** Whether the address has a valid referral code: static/head.js has stored no other. */
function isInvited(): boolean {
  const ref = new URLSearchParams(location.search).get('ref')
  return ref !== null && localStorage.getItem('referral') === ref
}

function referrerHost(): string {
  const { hostname } = new URL(document.referrer || location.href)
  return hostname === location.hostname ? DIRECT : hostname
}
