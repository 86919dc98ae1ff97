import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { bareApp } from '../../testing/bare-app.ts'
import { browserCookie, COOKIES } from './browser-cookie.ts'

type Given = { name?: keyof typeof COOKIES; cookie?: string | undefined; secure?: boolean }

/** What comes back when a browser that sends this cookie is given `new`, and when it is to drop what it holds. */
async function exchange(t: TestContext, { name = 'flow', cookie, secure = false }: Given) {
  const app = bareApp(t)
  for (const act of ['set', 'clear'] as const)
    app.get(`/${act}`, async (request, reply) => {
      const browserOwn = browserCookie(COOKIES[name], request, reply, secure)
      browserOwn[act]('new')
      return { held: browserOwn.value ?? null }
    })
  const headers = { host: 'localhost:3000', ...(cookie === undefined ? {} : { cookie }) }
  const [given, dropped] = [
    await app.inject({ url: '/set', headers }),
    await app.inject({ url: '/clear', headers }),
  ]
  return {
    given: given.headers['set-cookie'],
    dropped: dropped.headers['set-cookie'],
    held: given.json<{ held: string | null }>().held,
  }
}

test('a keepsake is read from among the cookies, and from nothing that only looks like it', async (t) => {
  for (const [cookie, held] of [
    [undefined, null],
    ['', null],
    ['flow=old', 'old'],
    ['a=b; flow=old; c=d', 'old'],
    ['flow=a=b', 'a=b'],
    ['overflow=old', null],
    ['__Host-flow=old', null],
    ['flow', null],
  ] as const)
    assert.equal((await exchange(t, { cookie })).held, held, cookie)
})

test('scripts and other sites do not get it, and over TLS it stays there', async (t) => {
  for (const [name, attributes] of [
    ['flow', 'Path=/api/v1/users; Max-Age=86400; HttpOnly; SameSite=Strict'],
    ['device', 'Path=/api/v1/users; Max-Age=31536000; HttpOnly; SameSite=Strict'],
    ['binding', 'Path=/; Max-Age=604800; HttpOnly; SameSite=Lax'],
  ] as const) {
    const prefix = name === 'binding' ? '__Host-' : ''
    const plain = await exchange(t, { name })
    assert.equal(plain.given, `${name}=new; ${attributes}`)
    assert.equal(plain.dropped, `${name}=; ${attributes.replace(/Max-Age=\d+/, 'Max-Age=0')}`)
    assert.equal(
      (await exchange(t, { name, secure: true })).given,
      `${prefix}${name}=new; ${attributes}; Secure`,
    )
  }
})

test('over TLS the binding is read under the name that no other host can set, and under no other', async (t) => {
  const name = 'binding'
  assert.equal((await exchange(t, { name, cookie: '__Host-binding=old', secure: true })).held, 'old')
  assert.equal((await exchange(t, { name, cookie: 'binding=planted', secure: true })).held, null)
})
