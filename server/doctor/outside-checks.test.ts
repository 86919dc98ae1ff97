import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openDatabase, openPool } from '#server/platform/database/database.ts'
import { createHttpClient, PAUSED } from '#server/platform/outbound/http-client.ts'
import { deployment, assertFinding, findingText } from '#server/testing/doctor.ts'
import { deadAddress, serveStub } from '#server/testing/fakes/http-stub.ts'
import { jsonRpcNode, type RpcAnswer } from '#server/testing/fakes/json-rpc.ts'
import { smtpStub } from '#server/testing/fakes/smtp.ts'
import { chain } from './checks/chain.ts'
import { clock } from './checks/clock.ts'
import { mailServer, sender } from './checks/mail.ts'
import { price } from './checks/price.ts'
import { publicAddress } from './checks/public-address.ts'

const errorWith = (code: string) => Object.assign(new Error(code), { code })

test('mail server: fine if it takes emails, wrong if it does not, else could not tell', async (t) => {
  const smtp = await smtpStub(t)
  const check = (SMTP_URL?: string) => findingText(mailServer, deployment({ SMTP_URL }))
  assert.match(await check(smtp.url), /^fine\n127\.0\.0\.1:\d+ responds and accepts emails\.$/)
  assert.equal(smtp.letters.length, 0, 'it sends nothing')
  assert.match(await check(`${smtp.url}?requireTLS=true`), /^wrong\nIt offers no usable TLS/)
  const { url } = await smtpStub(t, {
    disabledCommands: ['STARTTLS'],
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'al' }) : done(new Error('Wrong password')),
  })
  assert.match(await check(url.replace('//', '//al:right@')), /^fine/)
  const refused = await check(url.replace('//', '//al:secret-of-al@'))
  assert.match(refused, /^wrong\nIt refuses the login \(.*535.*\): correct the user and password/)
  assert.doesNotMatch(refused, /secret-of-al/)
  const dead = (await deadAddress(t)).replace('http', 'smtp')
  assert.match(
    await check(dead),
    /^wrong\nNo email can be sent: nothing accepts connections at 127\.0\.0\.1:\d+\. Start .* in SMTP_URL\. \(ECONNREFUSED\)/,
  )
  const { url: busy } = await smtpStub(t, {
    onConnect: (_session, done) => done(Object.assign(new Error('Too busy'), { responseCode: 421 })),
  })
  assert.match(
    await check(busy),
    /^wrong\n127\.0\.0\.1:\d+ responds, but refuses to take emails \(421 Too busy\): try again later; /,
  )
  assert.match(await check(), /^could_not_tell\nSMTP_URL is not set/)
  const verifyMailServer = () => Promise.resolve({ failure: 'no_name_server', answer: 'EDNS' } as const)
  await assertFinding(
    mailServer,
    deployment({ SMTP_URL: 'smtp://mail.pf.example' }, { verifyMailServer }),
    /^could_not_tell\nNo email can be sent: the name server did not answer when asked for mail\.pf\.example\./,
  )
})

test('sender: fine with SPF and DMARC, wrong if one is missing or useless, else could not tell', async () => {
  const check = (
    records: Record<string, string[][] | string>,
    mailFrom = 'PF <no-reply@news.pf-site.org>',
  ) => {
    const resolveTxt = (name: string) => {
      const answer = records[name] ?? 'ENOTFOUND'
      return typeof answer === 'string' ? Promise.reject(errorWith(answer)) : Promise.resolve(answer)
    }
    return findingText(sender, deployment({ MAIL_FROM: mailFrom }, { resolver: { resolveTxt } }))
  }
  const spf = [['other=1'], ['v=spf1 include:mail.', 'example -all']] // A record may come in parts.
  const [domain, dmarcName] = ['news.pf-site.org', '_dmarc.pf-site.org']
  for (const [records, expected] of [
    [
      { [domain]: spf, [dmarcName]: [['v=DMARC1; p=reject']] },
      /^fine\n.* has SPF and DMARC\.\n\(DKIM cannot be checked/,
    ],
    [{ [domain]: spf, [dmarcName]: [['v=DMARC1; p=none']] }, /^fine\n[^]*\(Its DMARC policy is none/],
    [{}, /^wrong\n.* has no SPF record: [^]*\n.* has no DMARC record: /],
    [{ [domain]: [['v=spf1 +all']], [dmarcName]: 'ENODATA' }, /ends in \+all[^]*no DMARC/],
    [{ [domain]: [['v=spf1 -all'], ['v=spf1 ~all']] }, /several SPF records/],
    [
      { [domain]: [['v=spf1 +all']], [dmarcName]: 'ETIMEOUT' },
      /^wrong\n.*ends in \+all[^]*\n\(.* could not be looked up: .*\(ETIMEOUT\)\)$/,
    ],
    [
      { [domain]: 'ETIMEOUT', [dmarcName]: 'ETIMEOUT' },
      /^could_not_tell\n.* could not be looked up: .* in time\..* \(ETIMEOUT\)/,
    ],
  ] as [Parameters<typeof check>[0], RegExp][])
    assert.match(await check(records), expected)
  assert.match(await check({}, 'no-reply@localhost'), /^could_not_tell\nMAIL_FROM is at localhost/)
})

const PUBLIC = 'https://pf.example'
type Answers = Record<string, (() => Response) | string>

/** What the check finds if only these addresses accept a connection. */
function findingAt(answers: Answers, env: Record<string, string> = {}): Promise<string> {
  const vars = { NODE_ENV: 'production', PUBLIC_URL: PUBLIC, SMTP_URL: 'smtp://mail.pf.example', ...env }
  const fetchAnswer = (url: URL | RequestInfo) => {
    const answer = answers[url instanceof URL ? url.href : ''] ?? 'ECONNREFUSED'
    return typeof answer === 'string' ? Promise.reject(errorWith(answer)) : Promise.resolve(answer())
  }
  const http = createHttpClient({ allow: [PUBLIC, 'http://127.0.0.1:3000'], fetch: fetchAnswer })
  return findingText(publicAddress, deployment(vars, { http }))
}

test('public address: fine if the program answers, wrong if another does, else could not tell', async () => {
  const [visitors, local] = [`${PUBLIC}/healthz`, 'http://127.0.0.1:3000/healthz']
  const ok = () => Response.json({ status: 'ok' })
  const answerWith =
    (code: number, body = '{}') =>
    () =>
      new Response(body, { status: code })
  const metrics = `${PUBLIC}/metrics`
  const hidden = answerWith(404, '{"error":{"code":"not_found"}}')
  const proxied: [Answers, RegExp][] = [
    [{ [visitors]: ok, [local]: ok }, /^fine\n.*reaches the program\.\n\(Whether/],
    [{ [visitors]: ok, [metrics]: hidden }, /^fine\n.*\n\(The proxy passes on visitors/],
    [{ [visitors]: ok, [metrics]: answerWith(200) }, /^wrong\n.*metrics because the proxy/],
    [
      { [local]: ok },
      /^could_not_tell\n.*the program is running: nothing accepts connections at pf\.example\./,
    ],
    [{}, /^could_not_tell\n.*the program is not running/],
    [{ [visitors]: 'CERT_HAS_EXPIRED' }, /^wrong\n.*the certificate of pf\.example has expired\./],
    [{ [visitors]: answerWith(502), [local]: ok }, /^wrong\n.*answers 502, although/],
    [{ [visitors]: answerWith(502) }, /^could_not_tell/],
    [{ [visitors]: answerWith(400) }, /^wrong\n.*pass on the Host header/],
    [{ [visitors]: answerWith(301) }, /^wrong\n.*answers 301, a redirect/],
    [{ [visitors]: answerWith(200, '<p>') }, /^wrong\nSomething else answers/],
  ]
  for (const [answers, expected] of proxied)
    assert.match(await findingAt(answers, { TRUST_PROXY: 'loopback', HOST: '127.0.0.1' }), expected)
  assert.match(await findingAt({ [visitors]: ok }), /^wrong\n.*TRUST_PROXY is not set/)
  assert.match(await findingAt({}), /^wrong\n.*TRUST_PROXY is not set.*\n\(Nothing answers/)
})

/** @returns the URL of a node whose newest block has this age. */
const startNode = (t: TestContext, ageSeconds: number, changes: Partial<Record<string, RpcAnswer>> = {}) =>
  serveStub(
    t,
    jsonRpcNode((method) => {
      const timestamp = `0x${Math.round(NOW / 1_000 - ageSeconds).toString(16)}`
      const answers: Partial<Record<string, RpcAnswer>> = {
        eth_chainId: { result: '0x171' },
        eth_getBlockByNumber: { result: { number: '0x2a', timestamp } },
        eth_simulateV1: { result: [] },
        ...changes,
      }
      return answers[method] ?? { error: { code: -32601, message: 'method not found' } }
    }),
  )
const NOW = Date.parse('2026-06-01T00:00:00Z')
const now = () => NOW

test('chain: fine with a recent block on the right chain, wrong if unreachable, else could not tell', async (t) => {
  const check = (CHAIN_RPC_URL: string) => findingText(chain, deployment({ CHAIN_RPC_URL }, { now }))
  const right = 'fine\nThe node is on PulseChain (369), at block 42, which is 5 seconds old.'
  assert.equal(await check(await startNode(t, 5)), right)
  assert.match(await check(await startNode(t, 3_600)), /^wrong\nThe node’s newest block is 60 minutes old/)
  const unable: RpcAnswer = { error: { code: -32601, message: 'no such method' } }
  for (const [changes, expected] of [
    [{ eth_chainId: { result: '0x1' } }, /^wrong\n.*on chain 1, but .* on 369/],
    [{ eth_chainId: { result: null } }, /^could_not_tell\n.*gave null instead of a chain ID/],
    [{ eth_simulateV1: unable }, /^fine\n.*\n\(The node cannot simulate/],
    [{ eth_getBlockByNumber: unable }, /^could_not_tell\n.*not its newest/],
  ] as const)
    assert.match(await check(await startNode(t, 5, changes)), expected)
  const busy = await serveStub(t, (_request, response) => void response.writeHead(429).end())
  assert.match(await check(busy), /^could_not_tell\nThe node answered 429/)
  const dead = await check(await deadAddress(t))
  assert.match(dead, /^wrong\nThe node cannot be reached: nothing accepts connections at 127\.0\.0\.1:\d+\. /)
  assert.match(dead, / in CHAIN_RPC_URL\. \(ECONNREFUSED\)$/)
})

test('clock: fine if the chain’s agrees, wrong if behind it, even if the database fails', async (t) => {
  const check = (CHAIN_RPC_URL: string) => findingText(clock, deployment({ CHAIN_RPC_URL }, { now }))
  assert.equal(await check(await startNode(t, 5)), 'fine\nThis machine’s clock agrees with the chain’s.')
  const isBehind = /^wrong\nThe chain’s newest block is 10 minutes ahead/
  const nodeAhead = await startNode(t, -600)
  assert.match(await check(nodeAhead), isBehind)
  const pool = openPool(`postgres://nobody@${new URL(await deadAddress(t)).host}/none`, { max: 1 })
  const gone = { pool, db: openDatabase(pool), close: () => pool.end() }
  t.after(() => gone.close())
  const subject = deployment({ CHAIN_RPC_URL: nodeAhead }, { now, database: Promise.resolve(gone) })
  assert.match(await findingText(clock, subject), isBehind, 'the database fails')
})

test('price: fine even without a pair, wrong at a wrong address, else could not tell', async () => {
  const check = (unclear?: string) =>
    findingText(
      price,
      deployment({}, unclear ? { fetchPrice: () => () => Promise.resolve({ unclear }) } : {}),
    )
  for (const [unclear, expected] of [
    [undefined, /^fine\nThe price service answers with 0 pairs\.\n\(It has no pair/],
    ['answered 429', /^could_not_tell\nThe price service is busy .* \(answered 429\)\.$/],
    [PAUSED, /^could_not_tell\n.*not asked again for half a minute/],
    ['answered 404', /^wrong\nThe price service cannot be used \(answered 404\): correct PRICE_API_URL/],
  ] as const)
    assert.match(await check(unclear), expected)
})
