import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, messageOf, refusalOf } from './api-error.ts'

const FALLBACK = 'Login failed'

/** The message shown for a refusal with this body. */
async function told(body: unknown): Promise<string> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return messageOf(await refusalOf(new Response(text, { status: 502 })), FALLBACK)
}

test('a message is shown with and without a code, whatever stands beside it', async () => {
  for (const beside of [
    {},
    { code: 'credentials_invalid' },
    { code: 7 },
    { code: null, fields: 'none' },
    { fields: { email: 7 } },
    { challenge: 'solve this' },
    { requestId: 1, by: [] },
  ])
    assert.equal(await told({ message: 'Closed for an hour.', ...beside }), 'Closed for an hour.')
})

test('anything else is told in the words of the screen', async () => {
  const strange: unknown[] = ['', '<html>Bad gateway</html>', '{"message":', 'null', '7', '"text"', [], {}]
  for (const body of [...strange, { message: '' }, { message: ' \n' }, { message: 7 }, { message: { a: 1 } }])
    assert.equal(await told(body), FALLBACK, JSON.stringify(body))
  assert.equal(messageOf(new TypeError('Cannot read properties of null'), FALLBACK), FALLBACK)
})

test('what can be read beside the message is kept, and no more', async () => {
  const fields = { email: 'This is not an email address.' }
  const refusal = await refusalOf(
    new Response(JSON.stringify({ message: 'No.', fields, challenge: { parameters: 1 } }), {
      status: 429,
      headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' },
    }),
  )
  assert.deepEqual(fieldsOf(refusal), fields)
  assert.deepEqual([refusal.code, refusal.challenge, refusal.retryAfter], ['unreadable', undefined, null])
})
