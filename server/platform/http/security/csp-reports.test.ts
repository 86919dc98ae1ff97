import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { bareApp } from '#server/testing/bare-app.ts'
import { logLines } from '#server/testing/checks/log-lines.ts'
import { addCspReports } from './csp-reports.ts'

const PAGE = 'https://site.example/profile?token=a-secret'

function reporting(t: TestContext, maxPerMinute = 30) {
  const captured = logLines()
  const clock = { now: 0 }
  const app = bareApp(t, { logger: captured.log })
  app.post('/echo', async () => ({}))
  addCspReports(app, { maxPerMinute, now: () => clock.now })
  const send = async (payload: unknown, type = 'application/reports+json', url = '/csp-reports') => {
    const { statusCode, payload: answer } = await app.inject({
      method: 'POST',
      url,
      headers: { host: 'localhost:3000', origin: 'http://localhost:3000', 'content-type': type },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    })
    return [statusCode, answer]
  }
  const directives = () => captured.lines().flatMap(({ directive }) => (directive ? [directive] : []))
  return { send, directives, captured, clock }
}

/** A report in the newer of two formats. */
const newer = (effectiveDirective: unknown) => ({
  type: 'csp-violation',
  url: PAGE,
  body: { effectiveDirective, documentURL: PAGE, blockedURL: 'inline', sample: 'a-secret' },
})

test('logs each violated directive of a request once, in both report formats, and nothing else', async (t) => {
  const { send, directives, captured } = reporting(t)
  const reports = ['script-src-elem', 'script-src-elem', 'img-src'].map(newer)
  assert.deepEqual(await send(reports), [204, ''])
  const older = { 'csp-report': { 'violated-directive': "style-src 'self'", 'document-uri': PAGE } }
  assert.deepEqual(await send(older, 'application/csp-report'), [204, ''])
  assert.deepEqual(directives(), ['script-src-elem', 'img-src', 'style-src'])
  assert.deepEqual(captured.events(), ['policy violated', 'policy violated', 'policy violated'])
  assert.doesNotMatch(captured.text(), /a-secret|site\.example|inline/)
})

test('ignores what is not a report', async (t) => {
  const { send, directives } = reporting(t)
  const strange = ['', '{"broken":', 'null', '7', '[null,7,[]]', '{"body":null}', '{"csp-report":[]}']
  for (const body of strange) assert.deepEqual(await send(body), [204, ''], body)
  for (const directive of ['al@mail.example', { a: 1 }, 7, '__proto__', 'constructor'])
    await send([newer(directive)])
  assert.deepEqual(directives(), [])
})

test('processes the reports of a limited number of requests per minute, and still answers the rest', async (t) => {
  const { send, directives, clock } = reporting(t, 2)
  for (let count = 0; count < 5; count += 1) assert.deepEqual(await send([newer('img-src')]), [204, ''])
  assert.equal(directives().length, 2, 'only those of the first two requests')
  clock.now = 60_000
  await send([newer('img-src')])
  assert.equal(directives().length, 3, 'the next minute has begun')
})

test('only the route for reports accepts content types of reports, and it refuses plain text', async (t) => {
  const { send } = reporting(t)
  assert.equal((await send([], 'application/reports+json', '/echo'))[0], 415)
  assert.equal((await send('x', 'text/plain'))[0], 415)
})
