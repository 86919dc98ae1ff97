import assert from 'node:assert/strict'
import { test } from 'node:test'
import campaign from '#server/testing/campaign.ts'
import { ENDPOINTS } from '#server/testing/endpoints.ts'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { ERROR_STATUS, type ErrorCode } from '#contract/protocol/errors.ts'
import { testApi } from '#server/testing/api.ts'
import { openApi } from './openapi.ts'

type Node = { [key: string]: Node } & { $ref?: string }
const document = openApi(ENDPOINTS, { name: 'Site', publicUrl: 'https://site.example' })
const asJson = JSON.parse(JSON.stringify(document)) as Node

const operations = Object.entries(asJson['paths'] ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as Node })),
)
const operationOf = (path: string, method: string) =>
  operations.find((found) => found.path === path && found.method === method)?.operation

const pathOf = (endpoint: Endpoint) => endpoint.path.replace(/:(\w+)/g, '{$1}')
const operationFor = (endpoint: Endpoint) => operationOf(pathOf(endpoint), endpoint.method.toLowerCase())

/** Yields every object with a JSON pointer to it. */
function* walk(node: unknown, pointer = '#'): Generator<[string, Node]> {
  if (typeof node !== 'object' || node === null) return
  yield [pointer, node as Node]
  for (const [key, child] of Object.entries(node)) yield* walk(child, `${pointer}/${key}`)
}

test('is OpenAPI 3.1 with a title, a version and the URL of the API', () => {
  assert.match(document.openapi, /^3\.1\.\d+$/)
  assert.deepEqual(document.servers, [{ url: 'https://site.example/api/v1' }])
  assert.equal(document.info.title, 'Site API')
  assert.ok(document.info.version)
})

test('documents exactly the endpoints', () => {
  const expected = ENDPOINTS.map((endpoint) => `${endpoint.method.toLowerCase()} ${pathOf(endpoint)}`)
  assert.equal(new Set(expected).size, ENDPOINTS.length)
  assert.deepEqual(operations.map(({ method, path }) => `${method} ${path}`).toSorted(), expected.toSorted())
})

test('contains the calls of the specification', () => {
  const called = [
    ['post', '/users/register'],
    ['post', '/users/verify-email'],
    ['post', '/users/resend-otp'],
    ['post', '/users/login'],
    ['post', '/users/logout'],
    ['post', '/users/forgot-password'],
    ['post', '/users/verify-otp'],
    ['post', '/users/reset-password'],
    ['get', '/users/profile'],
    ['get', '/users/leaderboard'],
    ['post', '/tasks'],
    ['get', '/users/'],
    ['put', '/tasks/{taskId}/approve'],
    ['get', '/latest/dex/tokens/{contract}'],
  ] as const
  for (const [method, path] of called) assert.ok(operationOf(path, method), `${method} ${path}`)
})

test('declares every path parameter as required', () => {
  for (const { path, method, operation } of operations) {
    const parameters = operation['parameters'] as unknown as { name: string; in: string; required: boolean }[]
    const declared = parameters.filter((parameter) => parameter.in === 'path')
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, true])
    const found = declared.map(({ name, required }) => [name, required])
    assert.deepEqual(found, named, `${method} ${path}`)
  }
})

test('documents a summary, one success and all refusals of every operation', () => {
  for (const { path, method, operation } of operations) {
    assert.ok(operation['summary'], path)
    assert.doesNotMatch(JSON.stringify(operation['summary']), /`/, path)
    const statuses = Object.keys(operation['responses'] ?? {})
    assert.equal(statuses.filter((status) => status.startsWith('2')).length, 1, `${method} ${path}`)
    for (const status of ['400', '429', '500', '503'])
      assert.ok(statuses.includes(status), `${method} ${path} ${status}`)
  }
  for (const endpoint of ENDPOINTS) {
    const refusals = new Set<ErrorCode>([...endpoint.refusals, 'request_timeout', 'headers_too_large'])
    if (endpoint.access === 'admin') refusals.add('forbidden').add('two_factor_needed')
    if (endpoint.params) refusals.add('not_found')
    const responses = operationFor(endpoint)?.['responses']
    for (const code of refusals) {
      const described = responses?.[ERROR_STATUS[code]]?.['description'] as unknown as string | undefined
      assert.ok(described?.split(', ').includes(code), `${endpoint.path} ${code}`)
    }
  }
})

test('declares the bearer scheme for guarded calls only', () => {
  for (const endpoint of ENDPOINTS) {
    const { access, path } = endpoint
    const operation = operationFor(endpoint)
    assert.deepEqual(operation?.['security'], access === 'public' ? [] : [{ bearer: [] }], path)
    const statuses = Object.keys(operation?.['responses'] ?? {})
    // A login is public, but answers a wrong password with 401.
    if (path !== '/users/login') assert.equal(statuses.includes('401'), access !== 'public', path)
  }
})

test('documents the challenge header and the limits of calls that accept proof of work', () => {
  const acceptingWork = operations.filter(({ operation }) =>
    (operation['parameters'] as unknown as { name: string }[]).some(({ name }) => name === 'X-Challenge'),
  )
  assert.deepEqual(acceptingWork.map(({ path }) => path).toSorted(), [
    '/tasks',
    '/users/forgot-password',
    '/users/register',
    '/users/resend-otp',
  ])
  for (const { operation } of acceptingWork)
    assert.match(operation['responses']?.['429']?.['description'] as unknown as string, /challenge_refused/)
  assert.deepEqual(operationOf('/users/register', 'post')?.['x-limits'], [
    { per: 'network', take: 3, seconds: 3600, forWork: 57 },
    { per: 'global', of: 'emails to new addresses', take: 1000, seconds: 3600, forWork: 3000 },
  ])
  assert.deepEqual(operationOf('/tasks', 'post')?.['x-limits'], [
    { per: 'account', take: 60, seconds: 60 },
    { per: 'network', take: 20, seconds: 3600, forWork: 280 },
  ])
})

test('states limits in words', () => {
  const { description } = operationOf('/users/register', 'post') as { description?: unknown }
  assert.equal(
    description,
    'At most 3 per hour and network, and 57 more with a solved challenge each.\n' +
      'At most 1000 emails to new addresses per hour for all callers together; each further one takes a solved challenge.',
  )
  assert.equal(
    operationOf('/users/change-password', 'post')?.description,
    'At most 10 passwords per 900 s and account, shared by all calls that use one.',
  )
})

test('groups calls by who may make them', () => {
  assert.deepEqual(operationOf('/users/login', 'post')?.['tags'], ['Public'])
  assert.deepEqual(operationOf('/users/logout', 'post')?.['tags'], ['Participants'])
  assert.deepEqual(operationOf('/tasks/{taskId}/approve', 'put')?.['tags'], ['Administrators'])
})

test('bodies allow no additional fields and list the required ones', () => {
  const body = operationOf('/users/register', 'post')?.['requestBody']?.['content']?.['application/json']?.[
    'schema'
  ]
  for (const field of ['username', 'email', 'password', 'referralCode'])
    assert.ok(body?.['properties']?.[field], field)
  assert.deepEqual(body?.['required'], ['username', 'email', 'password'])
  assert.equal(body?.['additionalProperties'], false)
  for (const { operation, path } of operations) {
    const schema = operation['requestBody']?.['content']?.['application/json']?.['schema']
    // Each shape that the body may have.
    const shapes = [schema?.['oneOf'] ?? schema?.['anyOf'] ?? schema ?? []].flat()
    for (const shape of shapes) assert.equal(shape['additionalProperties'], false, path)
  }
})

test('every reference resolves, and no schema declares its own dialect', () => {
  for (const [pointer, node] of walk(asJson)) {
    assert.ok(!('$schema' in node), pointer)
    if (typeof node.$ref !== 'string') continue
    let target: Node | undefined = asJson
    for (const key of node.$ref.split('/').slice(1)) target = target?.[key]
    assert.ok(node.$ref.startsWith('#/') && target, `${pointer}: ${node.$ref}`)
  }
})

test('schemas use only JSON Schema types', () => {
  // `http` is the type of the security scheme.
  const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'http'])
  for (const [pointer, node] of walk(asJson)) {
    const { type } = node as { type?: unknown }
    if (pointer.endsWith('/properties') || type === undefined || typeof type === 'object') continue
    assert.ok(types.has(type as string), `${pointer}: ${JSON.stringify(type)}`)
  }
})

test('the error schema matches the contract', () => {
  const error = document.components.schemas.Error as unknown as Node
  assert.deepEqual(Object.keys(error['properties'] ?? {}), [
    'message',
    'code',
    'fields',
    'by',
    'requestId',
    'challenge',
  ])
  assert.deepEqual(error['required'], ['message', 'code'])
  assert.deepEqual(error['properties']?.['code']?.['enum'], Object.keys(ERROR_STATUS))
})

test('serves the document publicly, also to other origins', async (t) => {
  const { app } = await testApi(t)
  const reply = await app.inject({ url: '/api/openapi.json', headers: { host: 'localhost:3000' } })
  assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(reply.headers['access-control-allow-origin'], '*')
  const about = { name: campaign.name, publicUrl: 'http://localhost:3000' }
  assert.deepEqual(reply.json(), JSON.parse(JSON.stringify(openApi(ENDPOINTS, about))))
})
