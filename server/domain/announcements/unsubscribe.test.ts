import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as contract from '#contract/dashboard/announcements.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { testApi } from '#server/testing/api.ts'
import { announcementSetup, headerOf } from '#server/testing/builders/announcements.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { deriveKeys } from '#server/platform/secrets.ts'
import { readConsent, setConsent, unsubscribeUrl } from './consent.ts'

const ONE_CLICK = 'List-Unsubscribe=One-Click'
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = `--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n`

/** A participant who wants announcements. `path` is their link to unsubscribe. */
async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { db, deps } = api
  const [{ id: userId }] = await createUsers(db, deps.campaign.id, 1)
  await setConsent(db, userId, true)
  const path = unsubscribeUrl({ keys: deps.keys, publicUrl: '' }, userId)
  const request = (method: 'GET' | 'HEAD' | 'POST', url = path, payload?: string, type = FORM) =>
    api.inject({
      method,
      url,
      headers: { host: 'localhost:3000', ...(payload === undefined ? {} : { 'content-type': type }) },
      ...(payload === undefined ? {} : { payload }),
    })
  return { ...api, userId, path, request, hasConsent: () => readConsent(db, userId) }
}

test('an announcement says in its headers, its text and its HTML how to unsubscribe', async (t) => {
  const { write, start, queue, send, smtp, deps, recipients } = await announcementSetup(t, 1)
  const { id } = await write()
  await start(id)
  await queue()
  await send()
  const [letter] = smtp.letters
  assert.ok(letter)
  assert.equal(headerOf(letter, 'list-unsubscribe-post'), ONE_CLICK)
  const site = { keys: deps.keys, publicUrl: 'https://site.example' }
  const link = unsubscribeUrl(site, recipients[0]?.id ?? '')
  assert.equal(headerOf(letter, 'list-unsubscribe'), `<${link}>`)
  const decoded = letter.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=') // quoted-printable
  assert.ok(decoded.includes(`Unsubscribe from announcements: ${link}`))
  assert.ok(decoded.includes(`<a href="${link}">Unsubscribe from announcements</a>`))
  // The address in the announcement's own text is a link as well.
  assert.ok(
    decoded.includes('<a href="https://site.example/airdrop">https://site.example/airdrop</a>, and tell'),
  )
})

test('opening the page changes nothing, and one click unsubscribes without a login', async (t) => {
  const { request, hasConsent, path, db, userId } = await setUp(t)
  for (const [body, type] of [
    [ONE_CLICK, FORM],
    [MULTIPART, 'multipart/form-data; boundary=b'],
  ] as const) {
    await setConsent(db, userId, true)
    const page = await request('GET')
    assert.equal(page.status, 200)
    assert.match(page.text, /<meta name="referrer" content="same-origin">[^]*<form method="post"/)
    assert.match(page.headers['content-security-policy'] as string, /form-action 'self'/)
    await request('HEAD')
    assert.equal(await hasConsent(), true)
    for (let click = 0; click < 2; click += 1) {
      const done = await request('POST', path, body, type)
      assert.equal(done.status, 200)
      assert.match(done.text, /You’re unsubscribed/)
      assert.equal(await hasConsent(), false)
    }
  }
})

test('refuses tokens that are missing, altered or of another site, and a POST without the one-click text', async (t) => {
  const { request, hasConsent, path, userId } = await setUp(t)
  const otherSite = { keys: deriveKeys('x'.repeat(40)), publicUrl: '' }
  const foreign = unsubscribeUrl(otherSite, userId)
  const altered = [
    `${path}x`,
    path.slice(0, -1),
    `${path}&token=2`,
    path.replace(/token=.{8}/, 'token=00000000'),
  ]
  for (const url of ['/unsubscribe', '/unsubscribe?token=', foreign, ...altered])
    for (const method of ['GET', 'POST'] as const) {
      const { status, text } = await request(method, url, method === 'POST' ? ONE_CLICK : undefined)
      assert.equal(status, 400, `${method} ${url}`)
      assert.match(text, /This link is incomplete/)
    }
  assert.equal((await request('POST', path, 'something=else')).status, 400)
  assert.equal((await request('POST', path, '{}', 'application/json')).status, 400)
  assert.equal((await request('POST', path, 'x', 'text/plain')).status, 415, 'no parser takes this type')
  assert.equal(await hasConsent(), true)
})

test('a participant can opt in to announcements and out again on the profile', async (t) => {
  const { call, db, deps } = await testApi(t)
  const [{ token }] = await createUsers(db, deps.campaign.id, 1)
  const readWanted = async () => (await call(contract.announcementConsent, { token })).body.data
  assert.deepEqual(await readWanted(), { wanted: false })
  for (const wanted of [true, true, false]) {
    const { body } = await call(contract.setAnnouncementConsent, { token, body: { wanted } })
    assert.deepEqual(body.data, { wanted })
    assert.deepEqual(await readWanted(), { wanted })
  }
})

test('the page is in the language of its reader', async (t) => {
  const { inject, path } = await setUp(t)
  const pageFor = (headers: Record<string, string>, url = path) =>
    inject({ url, headers: { host: 'localhost:3000', ...headers } })
  const arabic = await pageFor({ cookie: 'locale=ar', 'accept-language': 'es' })
  assert.match(arabic.text, /^<!doctype html><html lang="ar" dir="rtl">/)
  assert.ok(arabic.text.includes(`<h1>${textsIn('ar').UNSUBSCRIBE.title}</h1>`))
  assert.equal(arabic.headers['content-language'], 'ar')
  const broken = await pageFor({ 'accept-language': 'es-MX,en;q=0.5' }, '/unsubscribe?token=x')
  assert.equal(broken.status, 400)
  assert.ok(broken.text.includes(`<h1>${textsIn('es').UNSUBSCRIBE.broken}</h1>`))
  assert.match(broken.text, /href="\/es\/profile"/)
})
