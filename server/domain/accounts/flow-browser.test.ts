import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { accountApi, EMAIL } from '#server/testing/account-api.ts'
import { UNKNOWN_EMAIL } from '#server/testing/code-purposes.ts'
import { deriveKeys } from '#server/platform/secrets.ts'
import { flowBrowserOf, setFlowCookie } from './flow-browser.ts'

const keys = deriveKeys('a secret of the tests, long enough to be one')

/** The flow cookie that a browser with the cookie `value` receives. */
function cookieFor(email: string, value?: string): string {
  let received = ''
  setFlowCookie(keys, email, { value, set: (cookie) => (received = cookie), clear: () => {} })
  return received
}

test('recognizes a browser only for the email for which it requested a code', () => {
  const cookie = cookieFor(EMAIL.toUpperCase())
  assert.ok(flowBrowserOf(keys, EMAIL, cookie))
  assert.equal(flowBrowserOf(keys, 'other@mail.example', cookie), undefined)
  const otherKeys = deriveKeys('another secret, as long as the first one')
  assert.equal(flowBrowserOf(otherKeys, EMAIL, cookie), undefined)
})

test('gives each browser an ID for each email, and keeps it on a repeated request', () => {
  const first = cookieFor(EMAIL)
  assert.equal(cookieFor(EMAIL, first), first)
  const idIn = (cookie: string) => cookie.split('.')[0]
  for (const other of [cookieFor(EMAIL), cookieFor('other@mail.example', first)])
    assert.notEqual(idIn(other), idIn(first))
})

test('ignores a forged cookie', () => {
  const [id = '', seal = ''] = cookieFor(EMAIL).split('.')
  const forged = ['', '.', id, `.${seal}`, `${id}x.${seal}`, `${id}.${seal}x`, 'é.é']
  for (const cookie of [undefined, ...forged])
    assert.equal(flowBrowserOf(keys, EMAIL, cookie), undefined, String(cookie))
})

test('sets the flow cookie only in replies to a request for a code that is not refused', async (t) => {
  const api = await accountApi(t)
  const maskedCookie = ({ headers }: { headers: Record<string, unknown> }) =>
    String(headers['set-cookie']).replace(/^flow=[\w-]{22}\.[\w-]{43};/, 'flow=…;')
  const expected = `flow=…; Max-Age=86400; Path=${API_BASE}/users; HttpOnly; SameSite=Strict`
  assert.equal(maskedCookie(await api.register()), expected)
  const verified = await api.verify(await api.codeFor(EMAIL))
  await api.passCooldown()
  for (const email of [EMAIL, UNKNOWN_EMAIL])
    for (const answer of [await api.forgot(email), await api.resend(email)])
      assert.equal(maskedCookie(answer), expected)
  // Two answers to codes, and a request that is refused so soon after the last one.
  for (const answer of [verified, await api.exchange('123456'), await api.forgot()])
    assert.equal(answer.headers['set-cookie'], undefined)
})
