import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, messageOf, readRefusal } from './api-error.ts'

const FALLBACK = 'Login failed'

async function messageFor(body: unknown): Promise<string> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return messageOf(await readRefusal(new Response(text, { status: 502 })), FALLBACK)
}

test('shows the message of a refusal, whatever its other fields', async () => {
  for (const otherFields of [
    {},
    { code: 'credentials_invalid' },
    { code: 7 },
    { code: null, fields: 'none' },
    { fields: { email: 7 } },
    { challenge: 'solve this' },
    { requestId: 1, by: [] },
  ])
    assert.equal(await messageFor({ message: 'Closed for an hour.', ...otherFields }), 'Closed for an hour.')
})

test('shows the fallback if a refusal has no usable message', async () => {
  const malformed: unknown[] = ['', '<html>Bad gateway</html>', '{"message":', 'null', '7', '"text"', [], {}]
  const unusable = [{ message: '' }, { message: ' \n' }, { message: 7 }, { message: { a: 1 } }]
  for (const body of [...malformed, ...unusable])
    assert.equal(await messageFor(body), FALLBACK, JSON.stringify(body))
  assert.equal(messageOf(new TypeError('Cannot read properties of null'), FALLBACK), FALLBACK)
})

test('reads Retry-After as whole seconds, or null if it is absent or not a number', async () => {
  for (const [header, seconds] of [
    ['30', 30],
    ['1.2', 2],
    ['-5', 0],
    ['soon', null],
  ] as const) {
    const response = new Response('{}', { status: 429, headers: { 'retry-after': header } })
    assert.equal((await readRefusal(response)).retryAfterSeconds, seconds, header)
  }
  assert.equal((await readRefusal(new Response('{}', { status: 429 }))).retryAfterSeconds, null)
})

test('keeps the fields of a refusal if its challenge and Retry-After are unreadable', async () => {
  const fields = { email: 'This is not an email address.' }
  const refusal = await readRefusal(
    new Response(JSON.stringify({ message: 'No.', fields, challenge: { parameters: 1 } }), {
      status: 429,
      headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' },
    }),
  )
  assert.deepEqual(fieldsOf(refusal), fields)
  const { code, challenge, retryAfterSeconds } = refusal
  assert.deepEqual(
    { code, challenge, retryAfterSeconds },
    { code: 'unreadable', challenge: undefined, retryAfterSeconds: null },
  )
})
