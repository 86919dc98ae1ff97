import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { compressedReplyTo, createAnswer, replyTo } from './answer.ts'

const ABOUT = {
  type: 'text/plain; charset=utf-8',
  headers: { 'cache-control': 'no-cache' },
  compression: 'fast',
} as const
const LONG = 'é long text, '.repeat(200)

for (const compression of ['fast', 'best'] as const)
  test(`a long text is sent in the best encoding that the client accepts (${compression})`, async () => {
    const answer = await createAnswer(LONG, { ...ABOUT, compression })
    const decode = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body }
    for (const [accepted, encoding] of [
      [undefined, 'identity'],
      ['', 'identity'],
      ['deflate', 'identity'],
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['GZIP', 'gzip'],
      ['gzip, br;q=0', 'gzip'],
      ['br ; q=0.000, gzip', 'gzip'],
      ['br;q=0.2, gzip;q=0.8', 'gzip'],
      ['gzip;q=0.5, identity', 'identity'],
      ['*', 'br'],
      ['br;q=0, *', 'gzip'],
      ['*;q=0', 'identity'],
    ] as const) {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
      const { status, headers: sent, body = Buffer.of() } = await compressedReplyTo(headers, answer)
      assert.equal(decode[encoding](body).toString(), LONG)
      const isCompressed = encoding !== 'identity'
      assert.equal(status, 200)
      assert.deepEqual(sent, {
        'cache-control': 'no-cache',
        vary: 'accept-encoding',
        etag: `${isCompressed ? 'W/' : ''}${answer.etag}`,
        'content-type': ABOUT.type,
        'content-length': String(body.length),
        ...(isCompressed ? { 'content-encoding': encoding } : {}),
      })
    }
  })

test('the best compression is done once, for the first clients that accept its encoding', async () => {
  const answer = await createAnswer(LONG, { ...ABOUT, compression: 'best' })
  const br = { 'accept-encoding': 'br' }
  assert.equal(replyTo(br, answer), undefined, 'not compressed yet')
  const [one, other] = await Promise.all([compressedReplyTo(br, answer), compressedReplyTo(br, answer)])
  assert.equal(one.headers['content-encoding'], 'br')
  assert.equal(one, other)
  assert.equal(replyTo(br, answer), one)
  assert.equal(replyTo({ 'accept-encoding': 'gzip' }, answer), undefined, 'no client has wanted gzip')
  assert.equal(replyTo({}, answer)?.headers['content-encoding'], undefined)
  // `bytes` is what all encodings may take, including gzip, which is not there yet.
  assert.ok((one.body?.length ?? 0) + LONG.length < answer.bytes)
})

test('the answer is 304 when any of the client’s ETags is ours, weak or strong', async () => {
  const answer = await createAnswer(LONG, ABOUT)
  const { etag } = answer
  for (const known of [etag, `W/${etag}`, `"other", W/${etag}`, `"other",${etag}`, '*']) {
    const reply = replyTo({ 'if-none-match': known, 'accept-encoding': 'br' }, answer)
    assert.deepEqual(reply, {
      status: 304,
      headers: { 'cache-control': 'no-cache', vary: 'accept-encoding', etag: `W/${etag}` },
    })
  }
  for (const known of ['', etag.slice(0, -2), etag.replaceAll('"', ''), '"other"', '"other", "another"'])
    assert.equal(replyTo({ 'if-none-match': known }, answer)?.status, 200, known)
  const reload = { 'if-none-match': etag, 'cache-control': 'no-cache' }
  assert.equal(replyTo(reload, answer)?.status, 200, 'a reload gets the body even if the copy is current')
})

test('a short text is not compressed and does not vary', async () => {
  for (const compression of ['fast', 'best'] as const) {
    const answer = await createAnswer('short', { ...ABOUT, compression })
    const { status, headers = {} } = replyTo({ 'accept-encoding': 'br' }, answer) ?? {}
    assert.equal(status, 200)
    assert.equal(headers['content-length'], '5')
    assert.ok(!('vary' in headers) && !('content-encoding' in headers))
  }
})

test('a client gets an encoding that it accepts, even after more headers than are remembered', async () => {
  const answer = await createAnswer(LONG, ABOUT)
  // 100 headers are remembered.
  for (let number = 0; number < 300; number += 1) {
    const reply = replyTo({ 'accept-encoding': `gzip, made-up-${number}` }, answer)
    assert.equal(reply?.headers['content-encoding'], 'gzip')
  }
  assert.equal(replyTo({ 'accept-encoding': 'br' }, answer)?.headers['content-encoding'], 'br')
})

test('headers much longer than those of browsers are not parsed', async () => {
  const answer = await createAnswer(LONG, ABOUT)
  const accepted = 'gzip, '.repeat(100)
  assert.equal(replyTo({ 'accept-encoding': accepted }, answer)?.headers['content-encoding'], undefined)
  const copies = `${answer.etag}, `.repeat(20)
  assert.equal(replyTo({ 'if-none-match': copies }, answer)?.status, 200)
})
