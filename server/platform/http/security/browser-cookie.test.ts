import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { bareApp } from '#server/testing/bare-app.ts'
import { browserCookie, COOKIES } from './browser-cookie.ts'

type ExchangeOptions = { name?: keyof typeof COOKIES; cookie?: string | undefined; isHttps?: boolean }

/** Returns the value that is read from `cookie`, and the Set-Cookie headers of `set('new')` and `clear()`. */
async function exchange(t: TestContext, { name = 'flow', cookie, isHttps = false }: ExchangeOptions) {
  const app = bareApp(t)
  for (const act of ['set', 'clear'] as const)
    app.get(`/${act}`, async (request, reply) => {
      const current = browserCookie(COOKIES[name], request, reply, isHttps)
      if (act === 'set') current.set('new')
      else current.clear()
      return { value: current.value ?? null }
    })
  const headers = { host: 'localhost:3000', ...(cookie === undefined ? {} : { cookie }) }
  const set = await app.inject({ url: '/set', headers })
  const cleared = await app.inject({ url: '/clear', headers })
  return {
    set: set.headers['set-cookie'],
    cleared: cleared.headers['set-cookie'],
    value: set.json<{ value: string | null }>().value,
  }
}

test('reads the cookie by its exact name', async (t) => {
  for (const [cookie, value] of [
    [undefined, null],
    ['', null],
    ['flow=old', 'old'],
    ['a=b; flow=old; c=d', 'old'],
    ['flow=a=b', 'a=b'],
    ['overflow=old', null],
    ['__Host-flow=old', null],
    ['flow', null],
  ] as const)
    assert.equal((await exchange(t, { cookie })).value, value, cookie)
})

test('sets HttpOnly and SameSite, and Secure over TLS', async (t) => {
  for (const [name, attributes] of [
    ['flow', 'Max-Age=86400; Path=/api/v1/users; HttpOnly; SameSite=Strict'],
    ['device', 'Max-Age=31536000; Path=/api/v1/users; HttpOnly; SameSite=Strict'],
    ['binding', 'Max-Age=604800; Path=/; HttpOnly; SameSite=Lax'],
  ] as const) {
    const prefix = name === 'binding' ? '__Host-' : '' // Browsers require Path=/ for it.
    const plain = await exchange(t, { name })
    assert.equal(plain.set, `${name}=new; ${attributes}`)
    assert.equal(plain.cleared, `${name}=; ${attributes.replace(/Max-Age=\d+/, 'Max-Age=0')}`)
    const secure = await exchange(t, { name, isHttps: true })
    assert.equal(secure.set, `${prefix}${name}=new; ${attributes.replace('HttpOnly', 'HttpOnly; Secure')}`)
  }
})

test('over TLS reads the binding only from the __Host- cookie', async (t) => {
  const name = 'binding'
  assert.equal((await exchange(t, { name, cookie: '__Host-binding=old', isHttps: true })).value, 'old')
  assert.equal((await exchange(t, { name, cookie: 'binding=planted', isHttps: true })).value, null)
})
