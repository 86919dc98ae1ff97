import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saysNoMailbox } from './refused-address.ts'

const AT_RCPT: [string, boolean][] = [
  [
    '550 5.1.1 <nobody@mail.example>: Recipient address rejected: User unknown in local recipient table',
    true,
  ],
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
  ['550 set by the test', false],
  ['450 4.1.1 User unknown', false],
]
for (const [response, expected] of AT_RCPT) {
  test(`“${response}” says ${expected ? '' : 'not '}that nobody has the address`, () => {
    const responseCode = Number(response.slice(0, 3))
    assert.equal(saysNoMailbox({ command: 'RCPT TO', responseCode, response }), expected)
  })
}

test('only an answer to RCPT TO is about the address', () => {
  const refusal = { responseCode: 550, response: '550 5.1.1 User unknown' }
  for (const command of ['MAIL FROM', 'DATA', 'AUTH'])
    assert.equal(saysNoMailbox({ ...refusal, command }), false)
  assert.equal(saysNoMailbox({}), false)
})
