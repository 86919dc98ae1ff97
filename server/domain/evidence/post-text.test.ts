import assert from 'node:assert/strict'
import { test } from 'node:test'
import { embedOf } from '#server/testing/checks/recorded.ts'
import { hashtagsIn, isTruncated, postTextOf } from './post-text.ts'

const tagsOf = (text: string) => [...hashtagsIn(text)]

test('returns the first paragraph without markup and author', () => {
  const { html } = embedOf({
    by: 'moonboy',
    id: '1',
    name: '#NotMine </p>',
    text: 'a <b> & "c"\nsecond line #PocketFuture',
  })
  assert.equal(postTextOf(html), 'a <b> & "c"\nsecond line #PocketFuture')
})

test('decodes entities once and replaces invalid code points', () => {
  const read = (inside: string) => postTextOf(`<p>${inside}</p>`)
  assert.equal(read('&amp;lt;b&amp;gt;'), '&lt;b&gt;')
  assert.equal(read('&#35;Tag &#x23;tag &quot;&apos;&nbsp;x'), '#Tag #tag "\'\u00A0x')
  assert.equal(read('&#0;&#xD800;&#9999999;'), '\uFFFD\uFFFD\uFFFD')
  assert.equal(read('&unknown; & &;'), '&unknown; & &;')
})

test('returns undefined without a paragraph', () => {
  for (const html of ['', '<blockquote>x</blockquote>', '<p>never closed', '<pre>x</pre>', '</p><p'])
    assert.equal(postTextOf(html), undefined, html)
  assert.equal(postTextOf('<script>alert(1)</script><P class="a">x</P>'), 'x')
})

test('parses hostile input in linear time', () => {
  for (const piece of ['<p', '<p ', '<', '&', '&#', '#', '<br', '…', '\n', 'a'])
    for (const html of [piece.repeat(20_000), `<p>${piece.repeat(20_000)}</p>`]) {
      const before = process.cpuUsage()
      hashtagsIn(postTextOf(html) ?? html)
      isTruncated(html)
      assert.ok(process.cpuUsage(before).user < 500_000, `${piece} repeated`)
    }
})

test('finds whole-word hashtags after # of either width, ignoring case', () => {
  assert.deepEqual(tagsOf('#PocketFuture,#pulsechain! ＃Three'), ['#pocketfuture', '#pulsechain', '#three'])
  assert.deepEqual(tagsOf('a#b &#c https://x.example/#d # e'), ['#d'])
})

test('distinguishes hashtags with look-alike letters of other scripts', () => {
  assert.deepEqual(tagsOf('#РocketFuture'), ['#рocketfuture'])
  assert.ok(!hashtagsIn('#РocketFuture').has('#pocketfuture'))
  assert.ok(!hashtagsIn('#PocketFutureé').has('#pocketfuture'))
  assert.ok(!hashtagsIn('#Pocket\u200BFuture').has('#pocketfuture'))
})

test('detects a truncated post by its ellipsis', () => {
  assert.ok(
    isTruncated('and so on…') && isTruncated('and so on… https://t.co/aB3dE') && isTruncated('and so on...'),
  )
  assert.ok(!isTruncated('well… that is all') && !isTruncated('all'))
})
