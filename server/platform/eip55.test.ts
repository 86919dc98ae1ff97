import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isChecksumRight, toChecksum } from './eip55.ts'

/** From the EIP-55 specification. */
const EXAMPLES = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

test('formats the examples of EIP-55 from any case', () => {
  for (const address of EXAMPLES) {
    assert.equal(toChecksum(address.toLowerCase()), address)
    assert.equal(toChecksum(`0x${address.slice(2).toUpperCase()}`), address)
    assert.ok(isChecksumRight(address))
  }
})

test('accepts an address in one case, but neither a wrong checksum nor another form', () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  assert.ok(isChecksumRight(address.toLowerCase()))
  assert.ok(isChecksumRight(`0x${address.slice(2).toUpperCase()}`))
  assert.ok(!isChecksumRight(address.replace('aA', 'AA')))
  assert.ok(!isChecksumRight(address.replace('0x', '0X')))
  for (const text of ['', '0x', address.slice(0, -1), `${address}0`, address.slice(2), `${address}\n`]) {
    assert.ok(!isChecksumRight(text), JSON.stringify(text))
    assert.throws(() => toChecksum(text), TypeError)
  }
})
