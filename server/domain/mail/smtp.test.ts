import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test, type TestContext } from 'node:test'
import { smtpStub } from '#server/testing/fakes/smtp.ts'
import { needsTls, saysNoMailbox, sendOnce, smtpTransport } from './smtp.ts'

const MAIL = {
  from: 'site@site.example',
  to: 'al@mail.example',
  messageId: '<1@localhost>',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
}

const NEEDS_TLS: [url: string, needed: boolean][] = [
  ['smtp://user:pass@mail.example.org:587', true],
  ['smtp://mail.example.org', true],
  ['smtp://203.0.113.7:25', true],
  ['smtp://localhost:25?requireTLS=true', true],
  ['smtp://mail.example.org?requireTLS=false', false],
  ['smtp://mail.example.org?ignoreTLS=true', false],
  ['smtp://localhost:25', false],
  ['smtp://127.0.0.1:25', false],
  ['smtp://[::1]:25', false],
]
for (const [url, needed] of NEEDS_TLS) {
  test(`${url} ${needed ? 'requires TLS' : 'does not require TLS'}`, () => {
    assert.equal(needsTls(new URL(url)), needed)
  })
}

test('sends nothing to a server that lacks required TLS', async (t) => {
  const smtp = await smtpStub(t)
  const transport = smtpTransport(`${smtp.url}?requireTLS=true`)
  t.after(() => transport.close())
  const { outcome, answer } = await transport.send(MAIL)
  assert.equal(outcome, 'deferred')
  assert.match(answer ?? '', /TLS/)
  assert.equal(smtp.letters.length, 0)
})

/** The URL of a server with these answers. Unlike `smtpStub`, it can answer with control characters. */
async function serverAnswering(t: TestContext, answers: { RCPT: string; message: string }): Promise<string> {
  const server = createServer((client) => {
    client.on('error', () => {})
    client.write('220 ready\r\n')
    client.on('data', (command) => {
      const verb = /^(EHLO|MAIL|RCPT|DATA|QUIT)/.exec(command.toString())?.[0]
      if (verb === 'RCPT') client.write(`${answers.RCPT}\r\n`)
      else if (verb === 'DATA') client.write('354 go on\r\n')
      else if (verb) client.write('250 fine\r\n')
      else if (command.toString().endsWith('.\r\n')) client.write(`${answers.message}\r\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('an answer has no control characters, because PostgreSQL cannot store NUL', async (t) => {
  const refusing = await serverAnswering(t, { RCPT: '550 5.1.1 No\0body\u001b[2J here', message: '' })
  const transport = smtpTransport(refusing)
  t.after(() => transport.close())
  const refused = { outcome: 'refused', answer: '550 5.1.1 No body [2J here', hasNoMailbox: true }
  assert.deepEqual(await transport.send(MAIL), refused)
  const accepting = await serverAnswering(t, { RCPT: '250 fine', message: '250 queued\u001b[2J as 7' })
  assert.deepEqual(await sendOnce(accepting, MAIL), { answer: '250 queued [2J as 7' })
})

const AT_RCPT: [response: string, expected: boolean][] = [
  ['550 5.1.1 <al@mail.example>: Recipient address rejected: User unknown in local recipient table', true],
  ['550-5.1.1 The email account that you tried to reach does not exist.', true],
  ['550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup', true],
  ['556 5.1.10 nullmx', true],
  ['550 5.2.1 The email account that you tried to reach is disabled.', true],
  ['550 No such user here', true],
  ['550 Requested action not taken: mailbox unavailable, user unknown', true],
  ['553 sorry, no mailbox here by that name', true],
  ['550 5.7.1 Message rejected: the recipient does not exist in our policy', false],
  ['550 5.7.26 This mail is unauthenticated', false],
  ['554 5.7.1 Service unavailable; Client host blocked using a blocklist', false],
  ['550 5.1.8 Sender address rejected: Domain not found', false],
  ['550 5.1.7 Bad sender’s mailbox address syntax', false],
  ['552 5.2.2 The email account that you tried to reach is over quota', false],
  ['550 5.4.1 Recipient address rejected: Access denied', false],
  ['550 Sender unknown: address not found', false],
  ['554 Relay access denied for unknown user', false],
  ['550 Administrative prohibition', false],
  ['450 4.1.1 User unknown', false],
]
for (const [response, expected] of AT_RCPT) {
  test(`“${response}” says ${expected ? '' : 'not '}that nobody has the address`, () => {
    const responseCode = Number(response.slice(0, 3))
    assert.equal(saysNoMailbox({ command: 'RCPT TO', responseCode, response }), expected)
  })
}

test('only an answer to RCPT TO says that nobody has the address', () => {
  const refusal = { responseCode: 550, response: '550 5.1.1 User unknown' }
  for (const command of ['MAIL FROM', 'DATA', 'AUTH'])
    assert.equal(saysNoMailbox({ ...refusal, command }), false)
  assert.equal(saysNoMailbox({}), false)
})
