import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { bareApp } from '../../testing/bare-app.ts'
import { keepsakeOf } from './keepsake.ts'

/** What comes back when a browser that sends this cookie is given `new`. */
async function exchange(t: TestContext, cookie: string | undefined, secure: boolean) {
  const app = bareApp(t)
  app.get('/keep', async (request, reply) => {
    const keepsake = keepsakeOf(request, reply, secure)
    keepsake.give('new')
    return { held: keepsake.held ?? null }
  })
  const { headers, json } = await app.inject({
    url: '/keep',
    headers: { host: 'localhost:3000', ...(cookie === undefined ? {} : { cookie }) },
  })
  return { cookie: headers['set-cookie'], held: json<{ held: string | null }>().held }
}

test('a keepsake is read from among the cookies, and from nothing that only looks like it', async (t) => {
  for (const [cookie, held] of [
    [undefined, null],
    ['', null],
    ['flow=old', 'old'],
    ['a=b; flow=old; c=d', 'old'],
    ['flow=a=b', 'a=b'],
    ['overflow=old', null],
    ['flow', null],
  ] as const)
    assert.equal((await exchange(t, cookie, false)).held, held, cookie)
})

test('scripts and other sites do not get it, and over TLS it stays there', async (t) => {
  const plain = 'flow=new; Path=/api/v1/users; Max-Age=86400; HttpOnly; SameSite=Strict'
  assert.equal((await exchange(t, undefined, false)).cookie, plain)
  assert.equal((await exchange(t, undefined, true)).cookie, `${plain}; Secure`)
})
