import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import {
  deploymentEnvironment,
  examineDeployment,
  sendTestMail,
  type DeploymentFinding,
} from '#contract/dashboard/deployment.ts'
import { testApi } from '#server/testing/api.ts'
import { createAdmin, createUsers } from '#server/testing/builders/create-users.ts'
import { asText } from '#server/testing/doctor.ts'
import { serveStub } from '#server/testing/fakes/http-stub.ts'
import { jsonRpcNode } from '#server/testing/fakes/json-rpc.ts'
import { smtpStub } from '#server/testing/fakes/smtp.ts'
import { judgeBrowserClock } from './checks/clock.ts'
import { judgeForwarding } from './checks/forwarding.ts'
import { inWords } from './finding.ts'

const SITE = { publicUrl: 'https://site.example', trustProxy: ['loopback'] }
/** `unread`: headers with the visitor's address that the server does not read. */
const PROXIED = {
  client: '203.0.113.7',
  peer: '127.0.0.1',
  forwardedFor: '203.0.113.7',
  forwardedProto: 'https',
  unread: [],
}
const DIRECT = { ...PROXIED, client: '::ffff:127.0.0.1', peer: '::ffff:127.0.0.1', forwardedFor: undefined }

const judge = (changes: object, settings: object = {}, origin = SITE.publicUrl) =>
  asText(judgeForwarding({ ...PROXIED, ...changes }, origin, { ...SITE, ...settings }))

test('finding “your request”: fine behind a trusted proxy, and on localhost without one', () => {
  assert.equal(judge({}), 'fine\nYou reached https://site.example from 203.0.113.7.')
  const local = { publicUrl: 'http://localhost:3000', trustProxy: [] }
  const found = judge(DIRECT, local, 'http://localhost:3000')
  assert.equal(found, 'fine\nYou reached http://localhost:3000 from ::ffff:127.0.0.1.')
})

test('finding “your request”: wrong at another origin', () => {
  assert.match(
    judge({}, {}, 'https://other.example'),
    /^wrong\nYou opened https:\/\/other\.example, but PUBLIC_URL is https:\/\/site\.example,/,
  )
})

test('finding “your request”: wrong behind a proxy that is untrusted or hides visitors, noted if only unusual', () => {
  const untrusted = judge({ ...DIRECT, forwardedFor: '203.0.113.7' }, { trustProxy: [] })
  assert.match(untrusted, /set TRUST_PROXY=loopback\./)
  for (const [changes, expected] of [
    [
      { client: '10.0.0.2', peer: '10.0.0.2' },
      /^wrong\nTRUST_PROXY=loopback does not include the proxy at 10\.0\.0\.2,/,
    ],
    // This visitor's address only begins like the proxy's.
    [
      { client: '10.0.0.2', peer: '10.0.0.2', forwardedFor: '10.0.0.23' },
      /^wrong\nTRUST_PROXY=loopback does not include the proxy at 10\.0\.0\.2,/,
    ],
    // 10.0.0.2 is a visitor on the proxy's machine: the trusted proxy, 127.0.0.1, has added that address.
    [{ client: '10.0.0.2', peer: '10.0.0.2', forwardedFor: '198.51.100.4, 10.0.0.2' }, /^fine\n/],
    [DIRECT, /^wrong\nPUBLIC_URL is https, so there must be a proxy, but 127\.0\.0\.1 does not pass on/],
    [{ ...DIRECT, unread: ['x-real-ip'] }, /^wrong\nThe proxy passes on the visitor’s address in x-real-ip,/],
    [{ client: '192.168.1.9', forwardedFor: '192.168.1.9' }, /^fine\n.*\n\(You appear to come from/],
    [{ forwardedProto: 'http' }, /^fine\n.*\n\(The proxy says that you used plain http/],
  ] as const)
    assert.match(judge(changes), expected)
})

test('finding “your clock”: wrong if it differs by more than a request can take', () => {
  assert.equal(judgeBrowserClock(1_000_000, 1_010_000).outcome, 'fine')
  for (const server of [1_000_000 + 3 * 60_000, 1_000_000 - 3 * 60_000])
    assert.match(inWords(judgeBrowserClock(1_000_000, server).lines[0] ?? ''), /differ by 3 minutes/)
})

/** The chain is at block 42, and the browser's clock is five hours behind. */
async function setUpExamination(t: TestContext) {
  const block = { number: '0x2a', timestamp: `0x${Math.floor(Date.now() / 1_000).toString(16)}` }
  const answer = (method: string) => ({ result: method === 'eth_chainId' ? '0x171' : block })
  const CHAIN_RPC_URL = await serveStub(t, jsonRpcNode(answer))
  const api = await testApi(t, { env: { CHAIN_RPC_URL } })
  const body = { browserTime: Date.now() - 5 * 3_600_000, origin: 'http://localhost:3000' }
  const examineAs = async ({ token }: { token: string }, headers = {}) => {
    const request = { token, body, ip: '203.0.113.9', headers }
    const { status, body: reply } = await api.call(examineDeployment, request)
    return { status, findings: (reply.data ?? []) as DeploymentFinding[] }
  }
  return { api, examineAs }
}

test('an administrator examines the deployment from a browser, and no participant does', async (t) => {
  const { api, examineAs } = await setUpExamination(t)
  const { status, findings } = await examineAs(await createAdmin(api))
  assert.equal(status, 200)
  assert.deepEqual(
    findings.map(({ name, outcome }) => [name, outcome]),
    [
      ['your request', 'fine'],
      ['your clock', 'wrong'],
      ['clock', 'fine'],
      ['chain', 'fine'],
      ['price', 'fine'],
      ['mail server', 'could_not_tell'],
      ['sender', 'could_not_tell'],
    ],
  )
  const lineOf = (name: string) => findings.find((finding) => finding.name === name)?.lines[0] ?? ''
  assert.match(lineOf('your request'), /You reached http:\/\/localhost:3000 from 203\.0\.113\.9/)
  assert.match(lineOf('chain'), /PulseChain \(369\)/)
  const [participant] = await createUsers(api.db, api.deps.campaign.id, 1)
  assert.deepEqual(await examineAs(participant), { status: 403, findings: [] })
})

test('findings are in the language that the browser asks for', async (t) => {
  const { api, examineAs } = await setUpExamination(t)
  const { findings } = await examineAs(await createAdmin(api), { 'accept-language': 'es' })
  const lines = findings.flatMap((finding) => [...finding.lines, ...finding.remarks])
  assert.ok(lines.some((line) => /difieren en 5 horas/.test(line)))
  const chainLine = 'El nodo está en PulseChain (369), en el bloque 42, de hace '
  assert.ok(lines.some((line) => line.startsWith(chainLine)))
  assert.doesNotMatch(lines.join('\n'), /\b(the|is|are|not)\b/)
})

async function setUpTestMail(t: TestContext) {
  const smtp = await smtpStub(t)
  const api = await testApi(t, { env: { SMTP_URL: smtp.url, MAIL_FROM: 'site@site.example' } })
  const { token, email } = await createAdmin(api)
  const send = async () => (await api.call(sendTestMail, { token })).body.data as DeploymentFinding
  return { smtp, email, send }
}

test('a test mail goes to the caller, and the finding says that the mail server took it', async (t) => {
  const { smtp, email, send } = await setUpTestMail(t)
  const accepted = await send()
  assert.equal(accepted.outcome, 'fine')
  assert.match(accepted.lines[0] ?? '', /^127\.0\.0\.1:\d+ accepted the email and answered: 250 /)
  const [letter, ...others] = smtp.letters
  assert.deepEqual([letter?.from, letter?.to], ['site@site.example', [email]])
  assert.match(letter?.raw ?? '', /^Subject: Test email of /m)
  assert.deepEqual(others, [])
})

test('the finding says why the mail server refused a test mail, without the recipient’s address', async (t) => {
  const { smtp, email, send } = await setUpTestMail(t)
  smtp.behaviors.set(email, { at: 'rcpt', code: 550 })
  const refused = await send()
  assert.match([refused.outcome, ...refused.lines].join('\n'), /^wrong\nIt refuses your address \(.*550/)
  assert.ok(!refused.lines.join().includes(email))

  await smtp.down()
  assert.match(
    (await send()).lines[0] ?? '',
    /nothing accepts connections at .*correct the host and port in SMTP_URL\. \(ECONNREFUSED\)/,
  )
})

test('without a mail server a test mail goes to the development mailbox', async (t) => {
  const api = await testApi(t)
  const { token, email } = await createAdmin(api)
  const { body } = await api.call(sendTestMail, { token })
  assert.match((body.data as DeploymentFinding).lines[0] ?? '', /http:\/\/localhost:3000\/dev\/mailbox\.$/)
  assert.match((await api.mailsTo(email)).at(-1)?.subject ?? '', /^Test email of /)
})

test('an administrator sees what the environment says, without passwords and keys', async (t) => {
  const api = await testApi(t, {
    env: {
      PUBLIC_URL: 'http://site.example',
      SMTP_URL: 'smtp://boss:secret-password@mail.example:587?name=secret-name',
      CHAIN_RPC_URL: 'http://user:secret-user@node.example:8545/secret-key?token=secret-token',
      TRUST_PROXY: 'loopback, 10.0.0.0/8',
    },
  })
  const { token } = await createAdmin(api)
  const { status, body } = await api.call(deploymentEnvironment, { token })
  assert.equal(status, 200)
  assert.deepEqual(body.data, [
    { name: 'PUBLIC_URL', value: 'http://site.example' },
    { name: 'SMTP_URL', value: 'smtp://mail.example:587' },
    { name: 'MAIL_FROM', value: 'no-reply@site.example' },
    { name: 'TRUST_PROXY', value: 'loopback, 10.0.0.0/8' },
    { name: 'CAMPAIGN_CONFIG', value: null },
    { name: 'CHAIN_RPC_URL', value: 'http://node.example:8545' },
    { name: 'BACKUP_DIR', value: null },
  ])
  const [participant] = await createUsers(api.db, api.deps.campaign.id, 1)
  assert.equal((await api.call(deploymentEnvironment, { token: participant.token })).status, 403)
})
