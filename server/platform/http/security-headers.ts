import type { FastifyReply } from 'fastify'

/** One constant string: nothing inline, one origin, no place where text becomes script. */
export const CONTENT_SECURITY_POLICY = [
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
].join('; ')

const PERMISSIONS = [
  ...[
    'accelerometer',
    'camera',
    'geolocation',
    'gyroscope',
    'magnetometer',
    'microphone',
    'payment',
    'usb',
  ].map((feature) => `${feature}=()`),
  'clipboard-read=(self)',
  'clipboard-write=(self)',
].join(', ')

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': PERMISSIONS,
}

/** For replies that do not say otherwise themselves. */
const UNLESS_SAID = { 'cross-origin-resource-policy': 'same-origin', 'cache-control': 'no-store' }

/** The headers of every reply, whatever it holds. */
export const headersOfEveryReply = (https: boolean): Record<string, string> => ({
  ...HEADERS,
  ...(https ? { 'strict-transport-security': 'max-age=63072000' } : {}),
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
