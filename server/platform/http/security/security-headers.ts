import type { FastifyReply } from 'fastify'

/** Receives browsers' reports of policy violations. */
export const REPORTS_PATH = '/csp-reports'

/** Constant: nothing inline, one origin, Trusted Types. */
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
  // The only Trusted Types policy: web/features/challenge/solve.ts.
  'trusted-types solver',
  // report-uri is for browsers without report-to.
  'report-to csp',
  `report-uri ${REPORTS_PATH}`,
].join('; ')

/**
 * Disabled browser features. Omits those that some browsers do not know, since they would log a warning on every page.
 */
const DISABLED = (
  'accelerometer autoplay camera display-capture encrypted-media fullscreen gamepad geolocation gyroscope hid ' +
  'idle-detection local-fonts magnetometer microphone midi payment picture-in-picture publickey-credentials-create ' +
  'publickey-credentials-get screen-wake-lock serial storage-access sync-xhr usb window-management xr-spatial-tracking'
).split(' ')
const SAME_ORIGIN = ['clipboard-read', 'clipboard-write']

const PERMISSIONS = [
  ...DISABLED.map((feature) => `${feature}=()`),
  ...SAME_ORIGIN.map((feature) => `${feature}=(self)`),
].join(', ')

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': PERMISSIONS,
  'reporting-endpoints': `csp="${REPORTS_PATH}"`,
}

/** Defaults, for replies that do not set them. */
const DEFAULTS = { 'cross-origin-resource-policy': 'same-origin', 'cache-control': 'no-store' }

/** Lets pages and tools on other origins read a response. */
export const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

const commonHeaders = (https: boolean): Record<string, string> => ({
  ...HEADERS,
  ...(https ? { 'strict-transport-security': 'max-age=63072000' } : {}),
})

/** Headers for replies to malformed HTTP, which bypass Fastify. */
export const brokenRequestHeaders = (https: boolean): Record<string, string> => ({
  ...commonHeaders(https),
  ...DEFAULTS,
  'content-security-policy': CONTENT_SECURITY_POLICY,
})

/**
 * The security headers of every reply, including errors and files; those under `defaults` only if the reply does not
 * set them itself.
 * @param https whether visitors reach the site over TLS (then HSTS for two years).
 * @param pages whether to send the content security policy; Vite's development pages have inline scripts.
 */
export function securityHeaders({ https, pages }: { https: boolean; pages: boolean }) {
  const headers = {
    ...commonHeaders(https),
    ...(pages ? { 'content-security-policy': CONTENT_SECURITY_POLICY } : {}),
  }
  return { headers, defaults: DEFAULTS }
}

export type SecurityHeaders = ReturnType<typeof securityHeaders>

export function setSecurityHeaders(reply: FastifyReply, { headers, defaults }: SecurityHeaders) {
  reply.headers(headers)
  for (const [name, value] of Object.entries(defaults)) if (!reply.hasHeader(name)) reply.header(name, value)
}
