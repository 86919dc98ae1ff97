import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { runDue } from '#server/platform/jobs/jobs.ts'
import { bareApp } from '#server/testing/bare-app.ts'
import { letterTemplates as templates, queueLetter } from '#server/testing/builders/mail-delivery.ts'
import { testNode } from '#server/testing/deps.ts'
import { deliver } from './deliver.ts'
import { addMailbox } from './mailbox-routes.ts'
import type { Mail } from './compose.ts'
import { MAIL_JOB } from './send-later.ts'
import { mailboxTransport } from './transport.ts'

type Listed = { data: (Mail & { id: string; to: string })[] }

async function setUpMailbox(t: TestContext) {
  const { campaign, db, keys, security, log } = (await testNode(t)).deps
  const context = { campaign, publicUrl: 'http://localhost:3000', keys }
  const app = bareApp(t)
  addMailbox(app, { db, templates, context })
  const deps = { db, log, security, templates, context, from: 'no-reply@site.example' }
  const receive = async (to: string, options?: Parameters<typeof queueLetter>[2]) => {
    await queueLetter(db, to, options)
    await runDue(db, MAIL_JOB, (job) => deliver({ ...deps, transport: mailboxTransport }, job))
  }
  const get = (url: string) => app.inject({ url, headers: { host: 'localhost:3000' } })
  const list = async (query = '') => (await get(`/dev/mailbox.json${query}`)).json<Listed>().data
  return { app, receive, get, list }
}

const outcomeOf = (reply: LightMyRequestResponse) => [reply.statusCode, reply.json<{ code: string }>().code]

test('an empty mailbox says what to do, and answers 400 to a malformed recipient and 404 for an unknown email', async (t) => {
  const { get, list } = await setUpMailbox(t)
  assert.deepEqual(await list(), [])
  const page = await get('/dev/mailbox')
  assert.equal(page.statusCode, 200)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(page.payload, /No emails yet\. Register, and the code will be here\./)
  for (const query of ['?to=%00', '?to=a&to=b'])
    assert.deepEqual(outcomeOf(await get(`/dev/mailbox.json${query}`)), [400, 'invalid_input'], query)
  for (const id of ['00000000-0000-7000-8000-000000000000', 'nonsense', '%00', '-'.repeat(36)])
    assert.deepEqual(outcomeOf(await get(`/dev/mailbox/${id}`)), [404, 'not_found'], id)
})

test('the mailbox shows the emails that were due, with their codes, newest first', async (t) => {
  const { receive, get, list } = await setUpMailbox(t)
  await receive('First@mail.example')
  await receive('second@mail.example', { username: 'second' })
  await receive('later@mail.example', { runAt: new Date(Date.now() + 60_000) })
  const [newest, older, ...others] = await list()
  assert.deepEqual([newest?.to, older?.to, others], ['second@mail.example', 'First@mail.example', []])
  assert.deepEqual(await list('?to=fIRST%40mail.example'), [older])
  assert.deepEqual(await list('?to=nobody%40mail.example'), [])
  const code = /^ {4}(\d{6})$/m.exec(newest?.text ?? '')?.[1] ?? 'none'
  const page = (await get('/dev/mailbox')).payload
  assert.ok(page.indexOf('second@mail.example') < page.indexOf('First@mail.example'))
  assert.ok(page.includes(`<span class="code">${code}</span>`))
  const letter = await get(`/dev/mailbox/${newest?.id}`)
  assert.equal(letter.headers['cache-control'], 'no-store')
  assert.ok(letter.payload.includes(`<p class="large code">${code}</p>`))
  assert.ok(letter.payload.includes('“second”'))
})

test('the mailbox is served only to this machine and never through a proxy', async (t) => {
  const { app, receive, get, list } = await setUpMailbox(t)
  await receive('owner@mail.example')
  const [mail] = await list()
  const outside = { remoteAddress: '203.0.113.7', headers: { host: 'localhost:3000' } }
  const proxied = { headers: { ...outside.headers, 'x-forwarded-for': '127.0.0.1' } }
  for (const ending of ['', '.json?to=owner%40mail.example', `/${mail?.id}`, '.css']) {
    const url = `/dev/mailbox${ending}`
    assert.equal((await get(url)).statusCode, 200, url)
    for (const options of [outside, proxied])
      assert.deepEqual(outcomeOf(await app.inject({ url, ...options })), [404, 'not_found'], url)
  }
})
