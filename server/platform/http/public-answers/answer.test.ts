import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { chooseEncoding, compressedReplyTo, createAnswer, isFresh, replyTo } from './answer.ts'

const ABOUT = {
  type: 'text/plain; charset=utf-8',
  headers: { 'cache-control': 'no-cache' },
  compression: 'fast',
} as const
const LONG = 'é long text, '.repeat(200)

for (const compression of ['fast', 'best'] as const)
  test(`a long text is sent in the encoding that the client prefers, with its length and a weak ETag (${compression})`, async () => {
    const answer = await createAnswer(LONG, { ...ABOUT, compression })
    const decode = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body }
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['', 'identity'],
      [undefined, 'identity'],
    ] as const) {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
      const { status, headers: sent, body = Buffer.of() } = await compressedReplyTo(headers, answer)
      assert.equal(decode[encoding](body).toString(), LONG)
      const isWeak = encoding !== 'identity'
      assert.deepEqual(
        [status, sent],
        [
          200,
          {
            'cache-control': 'no-cache',
            vary: 'accept-encoding',
            etag: `${isWeak ? 'W/' : ''}${answer.etag}`,
            'content-type': ABOUT.type,
            'content-length': String(body.length),
            ...(isWeak ? { 'content-encoding': encoding } : {}),
          },
        ],
      )
    }
  })

test('the best compression is done once, for the clients that are the first to accept an encoding', async () => {
  const answer = await createAnswer(LONG, { ...ABOUT, compression: 'best' })
  const br = { 'accept-encoding': 'br' }
  assert.equal(replyTo(br, answer), undefined)
  const [one, other] = await Promise.all([compressedReplyTo(br, answer), compressedReplyTo(br, answer)])
  assert.equal(one.headers['content-encoding'], 'br')
  assert.equal(one, other)
  assert.equal(replyTo(br, answer), one)
  assert.equal(replyTo({ 'accept-encoding': 'gzip' }, answer), undefined)
  assert.equal(replyTo({}, answer)?.headers['content-encoding'], undefined)
  assert.ok((one.body?.length ?? 0) + LONG.length < answer.bytes)
})

test('a current copy in any encoding is answered with 304 and the ETag of the encoding asked for', async () => {
  const answer = await createAnswer(LONG, ABOUT)
  for (const known of [answer.etag, `W/${answer.etag}`]) {
    const reply = replyTo({ 'if-none-match': known, 'accept-encoding': 'br' }, answer)
    assert.deepEqual(reply, {
      status: 304,
      headers: { 'cache-control': 'no-cache', vary: 'accept-encoding', etag: `W/${answer.etag}` },
    })
  }
  assert.equal(replyTo({ 'if-none-match': '"other"' }, answer)?.status, 200)
  assert.equal(replyTo({ 'if-none-match': answer.etag, 'cache-control': 'no-cache' }, answer)?.status, 200)
})

test('a short text is not compressed and does not vary', async () => {
  for (const compression of ['fast', 'best'] as const) {
    const answer = await createAnswer('short', { ...ABOUT, compression })
    const { status, headers = {} } = replyTo({ 'accept-encoding': 'br' }, answer) ?? {}
    assert.deepEqual(
      [status, headers['vary'], headers['content-encoding'], headers['content-length']],
      [200, undefined, undefined, '5'],
    )
  }
})

test('an answer that is no success is never 304', async () => {
  const answer = await createAnswer('gone', { ...ABOUT, status: 404 })
  assert.equal(replyTo({ 'if-none-match': answer.etag }, answer)?.status, 404)
  assert.equal(replyTo({ 'if-none-match': '*' }, answer)?.status, 404)
})

test('equal texts have the same ETag, different ones another', async () => {
  const [a, same, other] = await Promise.all(['a', 'a', 'b'].map((text) => createAnswer(text, ABOUT)))
  assert.equal(a?.etag, same?.etag)
  assert.notEqual(a?.etag, other?.etag)
})

test('more spellings of accepted encodings than are remembered get what they ask for', async () => {
  const answer = await createAnswer(LONG, ABOUT)
  for (let made = 0; made < 300; made += 1) {
    const reply = replyTo({ 'accept-encoding': `gzip, made-up-${made}` }, answer)
    assert.equal(reply?.headers['content-encoding'], 'gzip')
  }
  assert.equal(replyTo({ 'accept-encoding': 'br' }, answer)?.headers['content-encoding'], 'br')
})

test('a copy is current if any of its ETags is ours, weak or strong', () => {
  for (const etag of ['"abc"', 'W/"abc"']) {
    for (const known of ['"abc"', 'W/"abc"', '"other", W/"abc"', '"other","abc"', '*'])
      assert.ok(isFresh({ 'if-none-match': known }, etag), `${known} for ${etag}`)
    for (const known of ['', '"ab"', 'abc', '"other", "another"'])
      assert.ok(!isFresh({ 'if-none-match': known }, etag), `${known} for ${etag}`)
  }
  assert.ok(!isFresh({}, '"abc"'))
})

test('a reload gets the body even if the copy is current', () => {
  assert.ok(!isFresh({ 'if-none-match': '"abc"', 'cache-control': 'no-cache' }, '"abc"'))
})

test('chooses the encoding by quality, then by our preference', () => {
  for (const [accepted, chosen] of [
    [undefined, 'identity'],
    ['', 'identity'],
    ['deflate', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
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
    assert.equal(chooseEncoding(headers), chosen, accepted)
  }
})
