import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { composeMessage } from './messages.ts'

const OWNERSHIP = {
  publicUrl: 'https://pocketfuture.example',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  chainId: 369,
  username: 'moon_boy.7',
  nonce: '0123456789abcdef0123456789abcdef',
  issuedAt: new Date('2027-01-31T12:00:00.123Z'),
  expiresAt: new Date('2027-01-31T12:10:00.123Z'),
} as const

test('composes exactly the message that EIP-4361 prescribes', () => {
  const text = composeMessage(OWNERSHIP)
  // The standard leaves the statement to us.
  const { statement } = parseSiweMessage(text)
  assert.equal(
    text,
    createSiweMessage({
      address: OWNERSHIP.address,
      chainId: 369,
      domain: 'pocketfuture.example',
      uri: 'https://pocketfuture.example',
      version: '1',
      nonce: OWNERSHIP.nonce,
      issuedAt: OWNERSHIP.issuedAt,
      expirationTime: OWNERSHIP.expiresAt,
      ...(statement === undefined ? {} : { statement }),
    }),
  )
})

test('a message names its participant and says that it is not a transaction', () => {
  const { statement = '' } = parseSiweMessage(composeMessage(OWNERSHIP))
  assert.match(statement, /participant moon_boy\.7\./)
  assert.match(statement, /not a transaction: it costs nothing/)
  // EIP-4361 allows spaces and the `reserved` and `unreserved` characters of RFC 3986.
  assert.match(statement, /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;= ]+$/)
})

test('a message names the host of the site, with its port unless it is the default one', () => {
  for (const [publicUrl, domain] of [
    ['http://localhost:3000', 'localhost:3000'],
    ['https://pf.example:8443', 'pf.example:8443'],
    ['https://pf.example:443', 'pf.example'],
    ['https://bücher.example', 'xn--bcher-kva.example'],
  ] as const) {
    const text = composeMessage({ ...OWNERSHIP, publicUrl })
    assert.equal(text.split(' ')[0], domain)
    assert.equal(new URL(parseSiweMessage(text).uri ?? '').host, domain)
  }
})
