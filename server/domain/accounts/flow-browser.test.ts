import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { accountApi, EMAIL } from '#server/testing/account-api.ts'
import { UNKNOWN } from '#server/testing/code-kinds.ts'
import { deriveKeys } from '#server/platform/secrets.ts'
import { flowBrowserOf, setFlowCookie } from './flow-browser.ts'

const keys = deriveKeys('a secret of the tests, long enough to be one')

/** The flow cookie that a browser with the cookie `value` receives. */
function cookieFor(email: string, value?: string): string {
  let next = ''
  setFlowCookie(keys, email, { value, set: (kept) => (next = kept), clear: () => {} })
  return next
}

test('recognizes a browser for the email it requested a code for, in upper or lower case, and for no other', () => {
  const kept = cookieFor(EMAIL.toUpperCase())
  assert.ok(flowBrowserOf(keys, EMAIL, kept))
  assert.equal(flowBrowserOf(keys, 'other@mail.example', kept), undefined)
  assert.equal(flowBrowserOf(deriveKeys('another secret, as long as the first one'), EMAIL, kept), undefined)
})

test('keeps the browser’s ID on a repeated request, and gives other browsers and emails IDs of their own', () => {
  const first = cookieFor(EMAIL)
  assert.equal(cookieFor(EMAIL, first), first)
  assert.notEqual(cookieFor(EMAIL), first)
  assert.notEqual(cookieFor('other@mail.example', first), first)
})

test('ignores a forged cookie', () => {
  const [browser = '', seal = ''] = cookieFor(EMAIL).split('.')
  const forged = ['', '.', browser, `.${seal}`, `${browser}x.${seal}`, `${browser}.${seal}x`, 'é.é']
  for (const cookie of [undefined, ...forged])
    assert.equal(flowBrowserOf(keys, EMAIL, cookie), undefined, String(cookie))
})

test('sets the flow cookie when a code is requested, whether or not the email is known, but not in the cooldown or in other replies', async (t) => {
  const api = await accountApi(t)
  const shape = ({ headers }: { headers: Record<string, unknown> }) =>
    String(headers['set-cookie']).replace(/^flow=[\w-]{22}\.[\w-]{43};/, 'flow=…;')
  const expected = `flow=…; Max-Age=86400; Path=${API_BASE}/users; HttpOnly; SameSite=Strict`
  assert.equal(shape(await api.register()), expected)
  const verified = await api.verify(await api.codeFor(EMAIL))
  await api.advance('61 seconds')
  for (const email of [EMAIL, UNKNOWN])
    for (const answer of [await api.forgot(email), await api.resend(email)])
      assert.equal(shape(answer), expected)
  for (const answer of [verified, await api.exchange('123456'), await api.forgot()])
    assert.equal(answer.headers['set-cookie'], undefined)
})
