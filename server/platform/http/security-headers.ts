import type { FastifyInstance } from 'fastify'

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
  'web-share=(self)',
].join(', ')

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': PERMISSIONS,
}

/**
 * Puts the security headers on every reply, errors and files included.
 * `https`: whether visitors reach the site over TLS (then HSTS for two years). `pages`: whether HTML gets
 * the content security policy; Vite's development pages carry inline scripts.
 */
export function addSecurityHeaders(
  app: FastifyInstance,
  { https, pages }: { https: boolean; pages: boolean },
) {
  app.addHook('onSend', async (_request, reply) => {
    reply.headers(HEADERS)
    if (https) reply.header('strict-transport-security', 'max-age=63072000')
    if (pages) reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
  })
}
