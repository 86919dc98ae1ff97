import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { smtpStub } from '#server/testing/fakes/smtp.ts'
import { needsTls, smtpTransport } from './smtp.ts'

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

test('an answer has no control characters: PostgreSQL cannot store NUL', async (t) => {
  // A server of its own, because `smtpStub` sends no control characters.
  const server = createServer((client) => {
    client.on('error', () => {})
    client.write('220 ready\r\n')
    client.on('data', (command) => {
      const isRecipient = command.toString().startsWith('RCPT')
      client.write(isRecipient ? '550 5.1.1 No\0body\u001b[2J here\r\n' : '250 fine\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const transport = smtpTransport(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`)
  t.after(() => {
    transport.close()
    server.close()
  })
  assert.deepEqual(await transport.send(MAIL), {
    outcome: 'refused',
    answer: '550 5.1.1 No body [2J here',
    hasNoMailbox: true,
  })
})
