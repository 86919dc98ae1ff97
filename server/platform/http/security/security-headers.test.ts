import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApi } from '#server/testing/api.ts'
import { bareApp } from '#server/testing/bare-app.ts'

const HOST = { host: 'localhost:3000' }
const SECURITY = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

test('every kind of reply has the security headers', async (t) => {
  const { app } = await testApi(t)
  const requests = [
    '/api/v1/users/leaderboard',
    '/api/v1/users/profile',
    '/api/v1/nothing',
    '/api/v1/users/leaderboard?page=0',
    '/api/v1/users/%E0%A4%A',
    '/api/openapi.json',
    '/healthz',
    '/readyz',
    '/nothing',
    '/dev/mailbox',
  ]
  for (const url of requests) {
    const { headers } = await app.inject({ url, headers: HOST })
    for (const [name, value] of Object.entries(SECURITY)) assert.equal(headers[name], value, `${url} ${name}`)
    assert.match(
      headers['permissions-policy'] as string,
      /camera=\(\).*usb=\(\).*clipboard-write=\(self\)$/,
      url,
    )
    assert.equal(headers['reporting-endpoints'], 'csp="/csp-reports"', url)
    assert.match(headers['content-security-policy'] as string, /^default-src 'none'; script-src 'self';/, url)
    assert.ok(headers['cache-control'], url)
    assert.equal(headers['strict-transport-security'], undefined, 'not over plain http')
  }
})

test('sends HSTS for two years over https, without subdomains', async (t) => {
  const app = bareApp(t, { publicUrl: 'https://site.example', production: true })
  const { headers } = await app.inject({ url: '/nothing', headers: { host: 'site.example' } })
  assert.equal(headers['strict-transport-security'], 'max-age=63072000')
})

test('the policy allows no inline code and no other host, and requires Trusted Types', async (t) => {
  const { headers } = await bareApp(t).inject({ url: '/nothing', headers: HOST })
  const policy = headers['content-security-policy'] as string
  assert.ok(!/unsafe-|https?:|\*/.test(policy), policy)
  for (const part of [
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types solver',
    'report-to csp',
    'report-uri /csp-reports',
  ])
    assert.ok(policy.split('; ').includes(part), part)
})
