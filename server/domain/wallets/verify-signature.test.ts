import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hashMessage, verifyMessage, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { personalMessageHash, recoverSigner } from './verify-signature.ts'

const TEXTS = [
  '',
  'I own this wallet.',
  'two\nlines',
  'ä, €, 🪙: more bytes than characters',
  'x'.repeat(1_000),
]
const bytesOf = (hex: Hex) => Buffer.from(hex.slice(2), 'hex')

/** The signature with this `v`, its last byte. */
function withV(signature: Uint8Array, v: number) {
  const changed = Buffer.from(signature)
  changed[64] = v
  return changed
}

/** The malleated signature, which anyone can derive: n − s instead of s, and the other recovery id. */
function withHighS(signature: Buffer): Buffer {
  const { r, s } = secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact')
  const mirrored = new secp256k1.Signature(r, secp256k1.Point.Fn.neg(s)).toBytes('compact')
  return Buffer.concat([mirrored, Buffer.from([signature[64] === 27 ? 28 : 27])])
}

test('recovers the signer that viem finds, with v as 27/28 or 0/1', async () => {
  for (const text of TEXTS) {
    assert.deepEqual(Buffer.from(personalMessageHash(text)), bytesOf(hashMessage(text)))
    const account = privateKeyToAccount(generatePrivateKey())
    const signature = bytesOf(await account.signMessage({ message: text }))
    assert.equal(await recoverSigner(personalMessageHash(text), signature), account.address)
    const shortened = withV(signature, (signature[64] ?? 0) - 27)
    assert.equal(await recoverSigner(personalMessageHash(text), shortened), account.address)
    const signerOfOther = await recoverSigner(personalMessageHash(`${text}.`), signature)
    assert.notEqual(signerOfOther, account.address, 'another text leads to another signer')
  }
})

test('refuses a malleated signature (high s), which viem accepts', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const signature = bytesOf(await account.signMessage({ message: 'once' }))
  const derived = withHighS(signature)
  const hex = `0x${derived.toString('hex')}` as const
  assert.equal(await verifyMessage({ address: account.address, message: 'once', signature: hex }), true)
  assert.equal(await recoverSigner(personalMessageHash('once'), derived), undefined)
})

test('finds no signer for a wrong length, another v, or r or s out of range', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const hash = personalMessageHash('a text')
  const signature = bytesOf(await account.signMessage({ message: 'a text' }))
  const [zero, max] = [Buffer.alloc(32), Buffer.alloc(32, 0xff)]
  const [r, s, v] = [signature.subarray(0, 32), signature.subarray(32, 64), signature.subarray(64)]
  for (const malformed of [
    Buffer.alloc(0),
    signature.subarray(0, 64),
    Buffer.concat([signature, Buffer.alloc(1)]),
    Buffer.alloc(65),
    ...[2, 3, 26, 29, 31, 32, 255].map((other) => withV(signature, other)),
    Buffer.concat([zero, s, v]),
    Buffer.concat([r, zero, v]),
    Buffer.concat([max, s, v]),
    Buffer.concat([r, max, v]),
  ])
    assert.equal(await recoverSigner(hash, malformed), undefined, malformed.toString('hex'))
})
