import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseEncoding, isFresh } from './negotiation.ts'

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
    assert.equal(chooseEncoding(headers, ['br', 'gzip', 'identity']), chosen, accepted)
  }
})
