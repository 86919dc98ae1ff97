import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_BASE } from '#contract/endpoint.ts'
import { accountApi, EMAIL } from '../testing/account-api.ts'
import { UNKNOWN } from '../testing/code-kinds.ts'
import { deriveKeys } from '../platform/secrets.ts'
import { flowBrowserOf, setFlowCookie } from './flow-browser.ts'

const keys = deriveKeys('a secret of the tests, long enough to be one')

/** What a browser would be given, with what it held before. */
function given(email: string, value?: string): string {
  let next = ''
  setFlowCookie(keys, email, { value, set: (kept) => (next = kept), clear: () => {} })
  return next
}

test('a browser is known again for the email that it asked for, in any case, and for no other', () => {
  const kept = given(EMAIL.toUpperCase())
  assert.ok(flowBrowserOf(keys, EMAIL, kept))
  assert.equal(flowBrowserOf(keys, 'other@mail.example', kept), undefined)
  assert.equal(flowBrowserOf(deriveKeys('another secret, as long as the first one'), EMAIL, kept), undefined)
})

test('it stays the same browser when it asks again, and nobody else is it', () => {
  const first = given(EMAIL)
  assert.equal(given(EMAIL, first), first)
  assert.notEqual(given(EMAIL), first)
  assert.notEqual(given('other@mail.example', first), first)
})

test('what was invented counts as nothing', () => {
  const [browser = '', seal = ''] = given(EMAIL).split('.')
  for (const held of [
    undefined,
    '',
    '.',
    browser,
    `.${seal}`,
    `${browser}x.${seal}`,
    `${browser}.${seal}x`,
    'é.é',
  ])
    assert.equal(flowBrowserOf(keys, EMAIL, held), undefined, String(held))
})

test('every answer to who asks for a code gives one, alike whether or not the email is known; no other call does', async (t) => {
  const api = await accountApi(t)
  const shape = ({ headers }: { headers: Record<string, unknown> }) =>
    String(headers['set-cookie']).replace(/^flow=[\w-]{22}\.[\w-]{43};/, 'flow=…;')
  const expected = `flow=…; Path=${API_BASE}/users; Max-Age=86400; HttpOnly; SameSite=Strict`
  const joined = await api.join()
  const verified = await api.verify(await api.codeFor(EMAIL))
  for (const email of [EMAIL, UNKNOWN])
    for (const answer of [await api.forgot(email), await api.resend(email)]) {
      if (answer.status === 200) assert.equal(shape(answer), expected)
    }
  assert.equal(shape(joined), expected)
  for (const answer of [verified, await api.exchange('123456'), await api.forgot()])
    assert.equal(answer.headers['set-cookie'], undefined)
})
