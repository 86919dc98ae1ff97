import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { testApi } from '../../testing/api.ts'
import { createAdmin } from '../../testing/builders/create-users.ts'

const HOST = { host: 'localhost:3000' }

test('answers an unknown URL with 404 in JSON', async (t) => {
  const { inject } = await testApi(t)
  for (const url of [
    '/api/v1/nothing',
    '/api/v1/users/none/of/it',
    '/api/v1',
    '/api/v2/users/profile',
    '/api/v1/USERS/profile',
  ]) {
    const { status, body, headers } = await inject({ url, headers: HOST })
    assert.equal(status, 404, url)
    assert.equal(body.code, 'not_found', url)
    assert.equal(body.message, 'We couldn’t find that page or record.', url)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  }
})

test('answers a wrong method with 405 and Allow', async (t) => {
  const { inject } = await testApi(t)
  type Method = 'DELETE' | 'PATCH' | 'GET' | 'POST' | 'OPTIONS'
  const wrongMethods: [method: Method, path: string, allow: string][] = [
    ['DELETE', '/users/profile', 'GET, HEAD'],
    ['POST', '/users/leaderboard?page=1', 'GET, HEAD'],
    ['GET', '/users/login', 'POST'],
    ['PATCH', '/users/', 'GET, HEAD'],
    ['GET', '/tasks/abc/approve', 'PUT'],
    ['OPTIONS', '/users/login', 'POST'],
    // This path also matches that of a single person, which has a GET.
    ['DELETE', '/people/export', 'GET, HEAD'],
  ]
  for (const [method, path, allow] of wrongMethods) {
    const { status, body, headers } = await inject({ method, url: API_BASE + path, headers: HOST })
    assert.deepEqual([status, body.code, headers['allow']], [405, 'method_not_allowed', allow], path)
  }
})

test('a call whose parameter has 4,000 characters gets its usual answer', async (t) => {
  const api = await testApi(t)
  const { token } = await createAdmin(api)
  const long = 'x'.repeat(4_000)
  const calls: [method: 'GET' | 'PUT', path: string, code: string][] = [
    ['GET', `/referrals/${long}`, 'referral_not_found'],
    ['GET', `/latest/dex/tokens/${long}`, 'unknown_contract'],
    ['GET', `/allocation/${long}`, 'not_found'],
    ['GET', `/people/${long}`, 'not_found'],
    ['PUT', `/tasks/${long}/approve`, 'not_found'],
  ]
  for (const [method, path, code] of calls) {
    const headers = { ...HOST, authorization: `Bearer ${token}` }
    const answer = await api.inject({ method, url: API_BASE + path, headers })
    assert.deepEqual([answer.status, answer.body.code], [404, code], path.replace(long, 'xxx'))
  }
})
