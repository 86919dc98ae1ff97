import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { deriveKeys, hashToken, newToken, readOrMakeSecret } from './secrets.ts'

test('creates the secret once, readable by its owner only', async (t) => {
  const dataDir = join(await scratchFolder(t), 'deep', 'data')
  const secret = await readOrMakeSecret(dataDir)
  assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
  assert.equal(await readOrMakeSecret(dataDir), secret)
  assert.equal((await stat(join(dataDir, 'app-secret'))).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(dataDir), ['app-secret'])
})

test('nodes that start at the same time agree on one secret', async (t) => {
  for (let round = 0; round < 20; round += 1) {
    const dataDir = join(await scratchFolder(t), 'data')
    const secrets = await Promise.all(Array.from({ length: 8 }, () => readOrMakeSecret(dataDir)))
    assert.equal(new Set(secrets).size, 1)
    assert.equal(secrets[0], await readFile(join(dataDir, 'app-secret'), 'utf8'))
  }
})

test('rejects a damaged secret instead of using a weak key', async (t) => {
  const dataDir = await scratchFolder(t)
  for (const damaged of ['', 'short', '\n']) {
    await writeFile(join(dataDir, 'app-secret'), damaged)
    await assert.rejects(readOrMakeSecret(dataDir), /app-secret/)
  }
})

test('derives different keys by secret and use, and separates the parts of a message', () => {
  const keys = deriveKeys('one secret, thirty-two characters long')
  const others = deriveKeys('another secret, as long as the first')
  const digests = [
    keys.hmac('code', 'ab', 'c'),
    keys.hmac('code', 'a', 'bc'),
    keys.hmac('code', 'abc'),
    keys.hmac('code-digest', 'ab', 'c'),
    keys.hmac('pending-salt', 'ab', 'c'),
    others.hmac('code', 'ab', 'c'),
  ].map((digest) => digest.toString('hex'))
  assert.equal(new Set(digests).size, digests.length)
  assert.equal(keys.hmac('code', 'ab', 'c').toString('hex'), digests[0])
})

test('creates different tokens of 256 bits, and hashes them with SHA-256', () => {
  const tokens = Array.from({ length: 10_000 }, newToken)
  assert.equal(new Set(tokens).size, tokens.length)
  assert.ok(tokens.every((token) => /^[A-Za-z0-9_-]{43}$/.test(token)))
  const sha256OfAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  assert.equal(hashToken('abc').toString('hex'), sha256OfAbc)
})

test('decrypts only with the same secret, use and owner', () => {
  const keys = deriveKeys('a secret of the tests, long enough to be one')
  const others = deriveKeys('another secret of the tests, as long as one')
  const encrypted = keys.encrypt('webhook-secret', 'me', 'whsec_é')
  assert.equal(keys.decrypt('webhook-secret', 'me', encrypted), 'whsec_é')
  assert.notDeepEqual(keys.encrypt('webhook-secret', 'me', 'whsec_é'), encrypted, 'each has its own nonce')
  assert.ok(!encrypted.includes('whsec'))
  assert.throws(() => others.decrypt('webhook-secret', 'me', encrypted))
  assert.throws(() => keys.decrypt('totp-secret', 'me', encrypted))
  assert.throws(() => keys.decrypt('webhook-secret', 'you', encrypted))
  const [inNonce, inText, inTag] = [0, 15, encrypted.length - 1]
  for (const index of [inNonce, inText, inTag]) {
    const altered = Buffer.from(encrypted)
    altered.writeUInt8(altered.readUInt8(index) ^ 1, index)
    assert.throws(() => keys.decrypt('webhook-secret', 'me', altered), `byte ${index}`)
  }
  assert.throws(() => keys.decrypt('webhook-secret', 'me', encrypted.subarray(0, 20)))
})
