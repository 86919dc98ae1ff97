import type { FastifyReply } from 'fastify'

/** Where browsers report what the policy stopped. */
export const REPORTS_PATH = '/csp-reports'

/** One constant string: nothing inline, one origin, no place where text becomes script. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The one policy that there is: web/features/challenge/solve.ts.
  'trusted-types solver',
  // The second is for browsers that do not know the first.
  'report-to csp',
  `report-uri ${REPORTS_PATH}`,
].join('; ')

/**
 * What a page of ours, and whatever might get into it, may not use at all. Features that some browsers do not know are
 * left out (they would warn of them on every page); no frame of ours inherits those, as there are none.
 */
const OFF = (
  'accelerometer autoplay camera display-capture encrypted-media fullscreen gamepad geolocation gyroscope hid ' +
  'idle-detection local-fonts magnetometer microphone midi payment picture-in-picture publickey-credentials-create ' +
  'publickey-credentials-get screen-wake-lock serial storage-access sync-xhr usb window-management xr-spatial-tracking'
).split(' ')
const OWN = ['clipboard-read', 'clipboard-write']

const PERMISSIONS = [
  ...OFF.map((feature) => `${feature}=()`),
  ...OWN.map((feature) => `${feature}=(self)`),
].join(', ')

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': PERMISSIONS,
  'reporting-endpoints': `csp="${REPORTS_PATH}"`,
}

/** For replies that do not say otherwise themselves. */
const UNLESS_SAID = { 'cross-origin-resource-policy': 'same-origin', 'cache-control': 'no-store' }

/** The headers of every reply, whatever it holds. */
const headersOfEveryReply = (https: boolean): Record<string, string> => ({
  ...HEADERS,
  ...(https ? { 'strict-transport-security': 'max-age=63072000' } : {}),
})

/** Those of an answer to what was no request. */
export const headersOfBrokenRequests = (https: boolean): Record<string, string> => ({
  ...headersOfEveryReply(https),
  ...UNLESS_SAID,
  'content-security-policy': CONTENT_SECURITY_POLICY,
})

/**
 * What puts the security headers on a reply, errors and files included.
 * `https`: whether visitors reach the site over TLS (then HSTS for two years). `pages`: whether HTML gets
 * the content security policy; Vite's development pages carry inline scripts.
 */
export function securityHeaders({ https, pages }: { https: boolean; pages: boolean }) {
  const headers = {
    ...headersOfEveryReply(https),
    ...(pages ? { 'content-security-policy': CONTENT_SECURITY_POLICY } : {}),
  }
  return (reply: FastifyReply) => {
    reply.headers(headers)
    for (const [name, value] of Object.entries(UNLESS_SAID))
      if (!reply.hasHeader(name)) reply.header(name, value)
  }
}
