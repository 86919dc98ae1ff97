import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADDRESS_ERRORS } from '#messages/check.js'
import { readAddress } from './address.ts'

test('accepts a node’s address with https at any host, and with http at 127.0.0.1', () => {
  for (const url of [
    'https://rpc.example/',
    'https://rpc.example:8545/key?a=b',
    'http://127.0.0.1:8545/',
    'https://localhost/',
  ])
    assert.deepEqual(readAddress(url), { url })
})

test('trims a node’s address', () => {
  assert.deepEqual(readAddress('\u00A0https://rpc.example/\n'), { url: 'https://rpc.example/' })
})

test('says why a node’s address is refused', () => {
  const refused: Record<string, string> = {
    '': ADDRESS_ERRORS.malformed,
    'rpc.example': ADDRESS_ERRORS.malformed,
    'http://rpc.example': ADDRESS_ERRORS.insecure,
    'http://127.0.0.1.evil.example': ADDRESS_ERRORS.insecure,
    'http://[::1]:8545': ADDRESS_ERRORS.insecure,
    'ws://127.0.0.1:8545': ADDRESS_ERRORS.insecure,
    'javascript:alert(1)': ADDRESS_ERRORS.insecure,
    'data:,x': ADDRESS_ERRORS.insecure,
    'http://localhost:8545': ADDRESS_ERRORS.localhost,
    'https://user@rpc.example': ADDRESS_ERRORS.credentials,
    'https://:secret@rpc.example': ADDRESS_ERRORS.credentials,
  }
  for (const [typed, error] of Object.entries(refused)) assert.deepEqual(readAddress(typed), { error }, typed)
})
