import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApi } from '#server/testing/api.ts'
import { bareApp } from '#server/testing/bare-app.ts'
import { type AnswerOptions, createAnswer } from '../public-answers/answer.ts'
import { createPublicAnswers } from '../public-answers/public-answers.ts'
import { SANDBOX } from './security-headers.ts'

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
    const permissions = String(headers['permissions-policy'])
    assert.match(permissions, /camera=\(\).*usb=\(\).*clipboard-write=\(self\)$/, url)
    assert.equal(headers['reporting-endpoints'], 'csp="/csp-reports"', url)
    assert.match(headers['content-security-policy'] as string, /^default-src 'none'; script-src 'self';/, url)
    assert.ok(headers['cache-control'], url)
    assert.equal(headers['strict-transport-security'], undefined, 'not over plain http')
  }
})

test('sends HSTS for two years over https, without subdomains', async (t) => {
  const app = bareApp(t, { publicUrl: 'https://site.example', isProduction: true })
  const { headers } = await app.inject({ url: '/nothing', headers: { host: 'site.example' } })
  assert.equal(headers['strict-transport-security'], 'max-age=63072000')
})

test('the policy allows no inline code and no other host, and requires Trusted Types', async (t) => {
  const { headers } = await bareApp(t).inject({ url: '/nothing', headers: HOST })
  const policy = headers['content-security-policy'] as string
  assert.ok(!/unsafe-|nonce-|sha256-|https?:|\*/.test(policy), policy)
  for (const part of [
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types solver preview',
    'report-to csp',
    'report-uri /csp-reports',
  ])
    assert.ok(policy.split('; ').includes(part), part)
})

const SANDBOX_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'self'; connect-src https: http://127.0.0.1:*"

test('a sandboxed page has only its own policy, from Fastify and from memory', async (t) => {
  const publicAnswers = createPublicAnswers({ keepForMs: 60_000 })
  const app = bareApp(t, { publicAnswers })
  const headers = { ...SANDBOX, 'cache-control': 'no-cache' }
  const options: AnswerOptions = { type: 'text/html', headers, compression: 'fast' }
  const source = publicAnswers.source('/alone', '/alone', () => createAnswer('<p>alone</p>', options))
  app.get('/alone', (request, reply) => publicAnswers.send(request, reply, source))
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  for (const sender of ['Fastify', 'memory']) {
    const reply = await fetch(`${origin}/alone`)
    assert.equal(reply.headers.get('content-security-policy'), SANDBOX_POLICY, sender)
  }
})

test('a reply cannot replace the policy with one of its own', async (t) => {
  for (const own of [`${SANDBOX_POLICY} *`, "script-src 'unsafe-inline'", '']) {
    const app = bareApp(t)
    app.get('/', async (_request, reply) => reply.header('content-security-policy', own).send('x'))
    const { headers } = await app.inject({ url: '/', headers: HOST })
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self';/, own)
  }
})
