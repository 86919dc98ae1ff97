import type { FastifyReply } from 'fastify'

// Why not a library: docs/decisions/024.

/** Receives browsers' reports of policy violations. */
export const REPORTS_PATH = '/csp-reports'

/** The policy of all pages except sandboxes and widgets: nothing inline, one origin, Trusted Types. */
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
  // Used by features/challenge/solve.ts and app/dashboard/settings/preview.tsx in web/.
  'trusted-types solver preview',
  // report-uri is for browsers without report-to.
  'report-to csp',
  `report-uri ${REPORTS_PATH}`,
].join('; ')

/**
 * The policy of a page that calls other hosts. Its origin is opaque, so it has neither cookies nor storage
 * and cannot read this site's answers. See docs/decisions/033-a-page-without-an-origin.md.
 */
const SANDBOX_POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'connect-src https: http://127.0.0.1:*',
].join('; ')

export const SANDBOX = { 'content-security-policy': SANDBOX_POLICY }

/** The policy of a page that other sites may frame. It has no form and no session to clickjack. */
const WIDGET_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The headers of a widget, which even a page that isolates itself (COEP) may show. */
export const WIDGET = {
  'content-security-policy': WIDGET_POLICY,
  'cross-origin-resource-policy': 'cross-origin',
  'cross-origin-embedder-policy': 'require-corp',
}

/** Disabled browser features. Omits those that some browsers do not know and would warn of on every page. */
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

/** Sent unless a reply sets them itself. */
const DEFAULTS = { 'cross-origin-resource-policy': 'same-origin', 'cache-control': 'no-store' }

/** Lets pages and tools on other origins read a response. */
export const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/**
 * The security headers of every reply, including errors and files. A reply may replace those in `defaults`.
 * @param isHttps whether visitors reach the site over TLS (then HSTS for two years).
 * @param hasPolicy whether to send a content security policy; Vite's development pages have inline scripts.
 */
export function securityHeaders({ isHttps, hasPolicy }: { isHttps: boolean; hasPolicy: boolean }) {
  const headers: Record<string, string> = {
    ...HEADERS,
    ...(isHttps ? { 'strict-transport-security': 'max-age=63072000' } : {}),
    ...(hasPolicy ? { 'content-security-policy': CONTENT_SECURITY_POLICY } : {}),
  }
  return { headers, defaults: DEFAULTS }
}

export type SecurityHeaders = ReturnType<typeof securityHeaders>

/** Like {@link setSecurityHeaders}, for replies that bypass Fastify. */
export function withSecurityHeaders(
  replyHeaders: Readonly<Record<string, string>>,
  { headers, defaults }: SecurityHeaders,
): Record<string, string> {
  return { ...defaults, ...replyHeaders, ...headersFor(replyHeaders['content-security-policy'], headers) }
}

export function setSecurityHeaders(reply: FastifyReply, { headers, defaults }: SecurityHeaders) {
  reply.headers(headersFor(reply.getHeader('content-security-policy'), headers))
  for (const [name, value] of Object.entries(defaults)) if (!reply.hasHeader(name)) reply.header(name, value)
}

/** @param policy what the reply itself sets. Sandboxes and widgets keep it. */
function headersFor(policy: unknown, headers: Record<string, string>): Record<string, string> {
  if (policy === SANDBOX_POLICY) return { ...headers, ...SANDBOX }
  if (policy !== WIDGET_POLICY) return headers
  const { 'x-frame-options': _refusesFrames, ...others } = headers
  return { ...others, ...WIDGET }
}
